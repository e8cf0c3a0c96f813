import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type Anthropic from '@anthropic-ai/sdk';
import { ToolError } from '../../../../src/core/errors';
import { createAskUser } from '../../../../src/core/tools/askUser';
import { createRemember } from '../../../../src/core/tools/remember';
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

  const answers: Readonly<Record<(typeof proposals)[number], RegExp>> = {
    'What is in this workspace?': /catalogue\.ts[\s\S]*Corner Shop/,
    'Where is applyDiscount?': /discounts\.ts[\s\S]*export function applyDiscount/,
    'Read src/orders.ts': /freeDeliveryFrom = 5000/,
    'Replace "Rye bread" with "Oat bread" in src/catalogue.ts': /“Rye bread” now reads “Oat bread”/,
    'Remember that the order is O-12345': /\*\*order\*\* is O-12345/,
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
        ...['remember', 'ask_user'],
      ],
    );
  });

  it('says what a tool refused', async () => {
    assert.match(
      await startChat(standIn).say('Read missing.txt'),
      /`read_file` did not work: .*missing\.txt/,
    );
  });

  it('uses only what is offered: without tools it says so', async () => {
    const bare = startChat(standIn, []);
    assert.match(await bare.say('What is in this workspace?'), /No tools came/);
    const reader = startChat(standIn, ['read_file']);
    await reader.say('Where is `brew`?');
    await reader.say('What is in this workspace?');
    assert.deepEqual(reader.called, []);
  });
});

/** The smallest tool loop there is, on the real SDK, with our real tools over the files of the sample. */
function startChat(standIn: StandIn, offered?: readonly string[]) {
  const client = clientOf(standIn);
  const tools = sampleTools().filter(({ name }) => offered?.includes(name) ?? true);
  const messages: Anthropic.MessageParam[] = [];
  const called: [string, unknown][] = [];

  async function run({ id, name, input }: Anthropic.ToolUseBlock): Promise<Anthropic.ToolResultBlockParam> {
    called.push([name, input]);
    const result = { type: 'tool_result', tool_use_id: id } as const;
    try {
      const output = await tools
        .find((tool) => tool.name === name)
        ?.run({ id, name, input }, new AbortController().signal);
      const content = output?.question ? 'green' : output?.content;
      assert.ok(typeof content === 'string');
      return { ...result, content };
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      return { ...result, content: error.message, is_error: true };
    }
  }

  return {
    called,
    async say(said: string): Promise<string> {
      messages.push({ role: 'user', content: said });
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

function sampleTools(): readonly Tool[] {
  const sample = join(projectRoot, 'test/fixtures/sample');
  const files = readdirSync(sample, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
  const workspace = createInMemoryWorkspace({
    files: Object.fromEntries(
      files.map((path) => [path.slice(sample.length + 1), readFileSync(path, 'utf8')]),
    ),
  });
  const { all } = createToolHarness(workspace);
  const memory = { params: () => ({}), remember: async () => undefined, forget: async () => undefined };
  return [...all, createRemember(memory), createAskUser({ triesOf: () => 0, onAsk: async () => undefined })];
}

function toApiTool({ name, description, inputSchema }: Tool): Anthropic.Tool {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only readonly differs.
  return { name, description, input_schema: inputSchema as Anthropic.Tool.InputSchema };
}
