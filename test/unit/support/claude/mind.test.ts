import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type Anthropic from '@anthropic-ai/sdk';
import { paramContext } from '../../../../src/core/conversation/paramContext';
import { ToolError } from '../../../../src/core/errors';
import { refused } from '../../../../src/core/tools/approvals';
import { createAskUser } from '../../../../src/core/tools/askUser';
import { createRemember } from '../../../../src/core/tools/memoryTools';
import type { Tool } from '../../../../src/core/tools/tool';
import { createMind } from '../../../support/claude/mind';
import { proposals } from '../../../support/claude/mindRules';
import { startStandIn, type StandIn } from '../../../support/claude/standIn';
import { createInMemoryWorkspace } from '../../../support/inMemoryWorkspace';
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
  };

  it('answers what it proposes to ask, with our real tools on the sample', async () => {
    const chat = startChat(standIn);
    const greeting = await chat.say('hello');
    for (const proposal of proposals) assert.ok(greeting.includes(`- ${proposal}`), proposal);
    const fresh = startChat(standIn);
    for (const proposal of proposals) assert.match(await fresh.say(proposal), answers[proposal]);
    assert.deepEqual(
      fresh.called.map(([name]) => name),
      [
        ...['list_directory', 'read_file', 'search_text', 'read_file', 'read_file', 'edit_file'],
        ...['remember', 'note', 'get_changes', 'ask_user'],
      ],
    );
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
  const params = new Map<string, string>();
  const tools = sampleTools(params).filter(({ name }) => offered?.includes(name) ?? true);
  const messages: Anthropic.MessageParam[] = [];
  const called: [string, unknown][] = [];

  async function run({ id, name, input }: Anthropic.ToolUseBlock): Promise<Anthropic.ToolResultBlockParam> {
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

  return {
    called,
    async say(said: string): Promise<string> {
      const remembered = paramContext(Object.fromEntries(params));
      messages.push({ role: 'user', content: remembered ? `${remembered}\n\n${said}` : said });
      for (let round = 0; round < 5; round++) {
        const answer = await client.messages
          .stream({ model: 'claude-opus-5-5', max_tokens: 1000, messages, tools: tools.map(toApiTool) })
          .finalMessage();
        messages.push({ role: 'assistant', content: answer.content });
        const uses = answer.content.filter((block) => block.type === 'tool_use');
        if (uses.length === 0)
          return answer.content.map((block) => (block.type === 'text' ? block.text : '')).join('');
        messages.push({ role: 'user', content: await Promise.all(uses.map(run)) });
      }
      throw new Error('the mind does not come to an end');
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
  return [...all, createRemember(memory), createAskUser({ triesOf: () => 0, onAsk: async () => undefined })];
}

function toApiTool({ name, description, inputSchema }: Tool): Anthropic.Tool {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only readonly differs.
  return { name, description, input_schema: inputSchema as Anthropic.Tool.InputSchema };
}
