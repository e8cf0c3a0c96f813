import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type Anthropic from '@anthropic-ai/sdk';
import { paramContext } from '../../../../src/core/conversation/paramContext';
import { ToolError } from '../../../../src/core/errors';
import { isObject } from '../../../../src/core/text/json';
import { refused } from '../../../../src/core/tools/approvals';
import { createAskUser } from '../../../../src/core/tools/askUser';
import { createRemember } from '../../../../src/core/tools/memoryTools';
import { stepsOf, type Plan } from '../../../../src/core/tools/plans/plan';
import { planContext } from '../../../../src/core/tools/plans/planContext';
import { createWritePlan } from '../../../../src/core/tools/plans/writePlan';
import { createRecallTool } from '../../../../src/core/tools/recall';
import type { Tool } from '../../../../src/core/tools/tool';
import { createMind } from '../../../support/claude/mind';
import { plannedProposal, proposals } from '../../../support/claude/mindRules';
import { startStandIn, type StandIn } from '../../../support/claude/standIn';
import { createInMemoryWorkspace } from '../../../support/inMemoryWorkspace';
import { openPlans } from '../../../support/plans';
import { projectRoot } from '../../../support/projectPaths';
import { createToolHarness } from '../../../support/toolHarness';
import { clientOf } from './client';

describe('the offline mind', () => {
  let standIn: StandIn;

  before(async () => {
    standIn = await startStandIn({ mind: createMind({ delayMs: 0 }) });
  });
  beforeEach(() => standIn.reset());
  afterEach(() => assert.deepEqual(standIn.journal.refused, []));
  after(() => standIn.close());

  it('says first that it is not Claude, and only once', async () => {
    const chat = startChat(standIn);
    assert.match(
      await chat.say('hello'),
      /^This is the offline stand-in and not Claude, because ANTHROPIC_API_KEY is not set\./,
    );
    assert.doesNotMatch(await chat.say('hello again'), /stand-in/);
  });

  it('speaks at the pace it was given', () => {
    const request = { model: 'claude-opus-5-5', max_tokens: 9, messages: [] };
    const pausesAt = (delayMs: number): readonly number[] => {
      const said = createMind({ delayMs })(request);
      const [first] = said.kind === 'answer' ? said.parts : [];
      assert.ok(first?.kind === 'text');
      return first.pieces.flatMap((piece) =>
        typeof piece === 'object' && piece.kind === 'wait' ? [piece.ms] : [],
      );
    };
    assert.deepEqual(pausesAt(0), []);
    assert.ok(pausesAt(7).length > 10 && pausesAt(7).every((ms) => ms === 7));
  });

  it('speaks long without a warning of Node’s in the terminal of `npm start`', async () => {
    const warnings: Error[] = [];
    const note = (warning: Error) => void warnings.push(warning);
    process.on('warning', note);
    const paced = await startStandIn({ mind: createMind({ delayMs: 1 }) });
    await startChat(paced).say('hello');
    await paced.close();
    process.off('warning', note);
    assert.deepEqual(warnings, []);
  });

  const answers: Readonly<Record<(typeof proposals)[number], RegExp>> = {
    'What is in this workspace?': /catalogue\.ts[\s\S]*Corner Shop/,
    'Where is applyDiscount?': /discounts\.ts[\s\S]*export function applyDiscount/,
    'Read src/orders.ts': /freeDeliveryFrom = 5000/,
    'Replace "Rye bread" with "Oat bread" in src/catalogue.ts': /“Rye bread” now reads “Oat bread”/,
    'Remember that the order is O-12345': /\*\*order\*\* is O-12345/,
    'Note that we use tabs': /I keep that in mind\./,
    'What is the order?': /\*\*order\*\* is O-12345/,
    'What has changed?': /`get_changes` says:[\s\S]*on main/,
    'Ask me which colour I like': /You answered: green/,
    'What did I ask before?': /1\. What is in this workspace\?\n1\. Where is applyDiscount\?/,
    'What did we say about applyDiscount?': /I recall this:[\s\S]*It is in src\/discounts\.ts/,
  };

  it('answers what it proposes to ask, with our real tools on the sample', async () => {
    const chat = startChat(standIn);
    const greeting = await chat.say('hello');
    for (const proposal of proposals) assert.ok(greeting.includes(`- ${proposal}`), proposal);
    assert.ok(greeting.includes(`/plan ${plannedProposal}`));
    const fresh = startChat(standIn);
    for (const proposal of proposals) assert.match(await fresh.say(proposal), answers[proposal]);
    assert.deepEqual(
      fresh.called.map(([name]) => name),
      [
        ...['list_directory', 'read_file', 'search_text', 'read_file', 'read_file', 'edit_file'],
        ...['remember', 'note', 'get_changes', 'ask_user', 'recall'],
      ],
    );
  });

  it('plans with a step for each file, and does the steps as they are when the plan is started', async () => {
    const chat = startChat(standIn);
    assert.match(await chat.plan(plannedProposal), /The plan is open in the editor/);
    const steps = ['src/catalogue.ts', 'src/discounts.ts', 'src/orders.ts'];
    assert.deepEqual(
      chat.steps(),
      steps.map((path) => `[ ] Replace "Cents" with "Pennies" in ${path}`),
    );
    await chat.editPlan((text) =>
      text.replace('"Pennies" in src/catalogue.ts', '"Pence" in src/catalogue.ts').replace(/.*orders.*/, ''),
    );
    chat.called.length = 0;
    assert.match(await chat.startPlan(), /All steps of the plan are done\.$/);
    assert.deepEqual(chat.steps(), [
      '[x] Replace "Cents" with "Pence" in src/catalogue.ts',
      '[x] Replace "Cents" with "Pennies" in src/discounts.ts',
    ]);
    const step = ['read_file', 'edit_file', 'write_plan'];
    assert.deepEqual(
      chat.called.map(([name]) => name),
      [...step, ...step],
    );
    assert.match(await chat.say('Read src/catalogue.ts'), /priceInPence: number/);
  });

  it('plans what it has no rule for, does what it can, and stops there', async () => {
    const chat = startChat(standIn);
    await chat.plan('Fix the discount that is taken twice');
    assert.match(
      await chat.startPlan(),
      /I stop at the step “Fix the discount that is taken twice”\. Claude would do that\./,
    );
    assert.deepEqual(chat.steps(), [
      ...['README.md', 'src/discounts.ts', 'src/orders.ts'].map((path) => `[x] Read ${path}`),
      '[ ] Fix the discount that is taken twice',
    ]);
  });

  it('plans nothing about what is not there, and knows the button’s message in each language', async () => {
    const chat = startChat(standIn);
    assert.match(
      await chat.plan('Replace "nothing of this name" with "something"'),
      /there is nothing to plan\.$/,
    );
    assert.deepEqual(chat.steps(), []);
    for (const language of ['de', 'es', 'fr', 'ja', 'zh-cn']) {
      const path = join(projectRoot, `l10n/bundle.l10n.${language}.json`);
      const bundle: unknown = JSON.parse(readFileSync(path, 'utf8'));
      const message = String(isObject(bundle) && bundle['Start the plan.']);
      const other = startChat(standIn);
      await other.plan(plannedProposal);
      assert.match(await other.startPlan(message), /All steps of the plan are done\.$/, message);
    }
  });

  for (const [question, answer] of [
    ['Where is the delivery fee defined?', /const delivery = 490/],
    ['Where are the prices?', /'Green tea', priceInCents: 590/],
    ['Where does the README mention delivery?', /delivery costs 4\.90 €/],
    ['Which files use applyDiscount?', /src\/orders\.ts/],
    ['What does applyDiscount do?', /export function applyDiscount/],
    ['What is O-12345?', /was never delivered/],
    ['Why was the discount taken twice?', /says that the discount was taken twice/],
    ['How much does honey cost?', /'Forest honey', priceInCents: 875/],
    ['Show me catalogue.ts', /`src\/catalogue\.ts` begins:[\s\S]*interface Item/],
    ['Show me the README', /Corner Shop/],
    ['Are there any problems?', /No problems of severity warning/],
    ['Replace Rye bread with Oat bread in catalogue.ts.', /“Rye bread” now reads “Oat bread”/],
    ['Remember the order O-12345', /\*\*order\*\* is O-12345/],
    ['Where is nothingOfThisName?', /I found no `nothingOfThisName` in the workspace\.$/],
    ['Read missing.txt', /There is no `missing\.txt` in the workspace\.$/],
    [
      'Read src/missing.txt',
      /`read_file` did not work: src\/missing\.txt does not exist\. I leave it at that\.$/,
    ],
    ['Create a file NOTES.md', /Claude would do that\. I can only replace/],
    ['Thanks!', /I have no rule for that\. Try one of these:/],
  ] as const) {
    it(`answers “${question}”`, async () => {
      assert.match(await startChat(standIn).say(question), answer);
    });
  }

  it('does what README asks for as a first task', async () => {
    const readme = readFileSync(join(projectRoot, 'README.md'), 'utf8');
    const task = /## Your first task\n([^]*?)\n## /.exec(readme)?.[1] ?? '';
    const asked = [...task.matchAll(/“(.+?)”/g)].map(([, words = '']) => words);
    assert.equal(asked.length, 2);
    for (const words of asked) {
      const answer = await startChat(standIn).say(words);
      assert.doesNotMatch(answer, /I have no rule for that|Claude would do that/);
    }
  });

  it('offers colours only when it asks for one', async () => {
    const chat = startChat(standIn);
    await chat.say('Ask me what name the shop should have');
    assert.deepEqual(chat.called, [['ask_user', { param: 'name', question: 'Which name?' }]]);
  });

  it('says to the person, not to Claude, that they refused', async () => {
    const chat = startChat(standIn, { refused: 'edit_file' });
    const answer = await chat.say('Replace "Rye bread" with "Oat bread" in src/catalogue.ts');
    assert.match(answer, /You did not allow that, so nothing was done\.$/);
  });

  it('uses only what is offered: without tools it says so', async () => {
    const bare = startChat(standIn, { offered: [] });
    assert.match(await bare.say('What is in this workspace?'), /No tools came/);
    const reader = startChat(standIn, { offered: ['read_file'] });
    await reader.say('Where is `brew`?');
    await reader.say('What is in this workspace?');
    assert.deepEqual(reader.called, []);
  });
});

/** The smallest tool loop there is, on the real SDK, with our real tools over the files of the sample. */
function startChat(
  standIn: StandIn,
  { offered, refused: refusedTool }: { readonly offered?: readonly string[]; readonly refused?: string } = {},
) {
  const client = clientOf(standIn);
  const opened = openPlans();
  let plan: Plan | undefined;
  const params = new Map<string, string>();
  const ofSample = sampleTools(params).filter(({ name }) => offered?.includes(name) ?? true);
  const messages: Anthropic.MessageParam[] = [];
  const called: [string, unknown][] = [];

  async function run(
    { id, name, input }: Anthropic.ToolUseBlock,
    tools: readonly Tool[],
  ): Promise<Anthropic.ToolResultBlockParam> {
    called.push([name, input]);
    const result = { type: 'tool_result', tool_use_id: id } as const;
    try {
      const output =
        name === refusedTool
          ? refused
          : await tools
              .find((tool) => tool.name === name)
              ?.run({ id, name, input }, new AbortController().signal);
      const content = output?.question ? 'green' : output?.content;
      assert.ok(typeof content === 'string');
      return { ...result, content, is_error: output?.isError === true };
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      return { ...result, content: error.message, is_error: true };
    }
  }

  async function say(said: string, isPlanning = false): Promise<string> {
    const { plans } = await opened;
    const context = [paramContext(Object.fromEntries(params)), planContext(plan, isPlanning)];
    const onWritten = async (written: Plan) => void (plan = written);
    const writing = createWritePlan({ plans, seen: plan, isPlanning, onWritten });
    const tools = offered ? ofSample : [...ofSample, writing];
    messages.push({ role: 'user', content: [...context, said].filter(Boolean).join('\n\n') });
    for (let round = 0; round < 12; round++) {
      const answer = await client.messages
        .stream({ model: 'claude-opus-5-5', max_tokens: 1000, messages, tools: tools.map(toApiTool) })
        .finalMessage();
      messages.push({ role: 'assistant', content: answer.content });
      const uses = answer.content.filter((block) => block.type === 'tool_use');
      if (uses.length === 0)
        return answer.content.map((block) => (block.type === 'text' ? block.text : '')).join('');
      messages.push({ role: 'user', content: await Promise.all(uses.map((use) => run(use, tools))) });
    }
    throw new Error('the mind does not come to an end');
  }

  return {
    called,
    say: (said: string) => say(said),
    plan: (said: string) => say(said, true),
    steps: () => stepsOf(plan?.text ?? '').map(({ title, isDone }) => `[${isDone ? 'x' : ' '}] ${title}`),
    async editPlan(edit: (text: string) => string): Promise<void> {
      assert.ok(plan);
      plan = (await (await opened).plans.save(plan.id, edit(plan.text), plan.revision))?.plan;
    },
    async startPlan(message = 'Start the plan.'): Promise<string> {
      assert.ok(plan);
      plan = await (await opened).plans.start(plan.id);
      return say(message);
    },
  };
}

function sampleTools(params: Map<string, string>): readonly Tool[] {
  const sample = join(projectRoot, 'test/fixtures/sample');
  const files = readdirSync(sample, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const workspace = createInMemoryWorkspace({
    files: Object.fromEntries(
      files.map((path) => [path.slice(sample.length + 1), readFileSync(path, 'utf8')]),
    ),
    changes: [{ name: 'sample', branch: 'main', ahead: 0, behind: 0, files: [] }],
  });
  const { all } = createToolHarness(workspace);
  const memory = {
    params: () => Object.fromEntries(params),
    remember: async (name: string, value: string) => void params.set(name, value),
    forget: async () => undefined,
  };
  return [
    ...all,
    createRemember(memory),
    createAskUser({ triesOf: () => 0, onAsk: async () => undefined }),
    createRecallTool({
      find: async (query) => (query === 'applyDiscount' ? ['It is in src/discounts.ts'] : []),
      whole: async () => '',
    }),
  ];
}

function toApiTool({ name, description, inputSchema }: Tool): Anthropic.Tool {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only readonly differs.
  return { name, description, input_schema: inputSchema as Anthropic.Tool.InputSchema };
}
