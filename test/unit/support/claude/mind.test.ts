import assert from 'node:assert/strict';
import type Anthropic from '@anthropic-ai/sdk';
import { createMind } from '../../../support/claude/mind';
import { startStandIn, type StandIn } from '../../../support/claude/standIn';
import { clientOf, readFileTool } from './client';

describe('the offline mind', () => {
  let standIn: StandIn;

  before(async () => {
    standIn = await startStandIn({ mind: createMind({ delayMs: 0 }) });
  });
  beforeEach(() => standIn.reset());
  afterEach(() => assert.deepEqual(standIn.journal.refused, []));
  after(() => standIn.close());

  it('says first that it is not Claude, and only once', async () => {
    const chat = startChat(standIn, tools);
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

  it('tells what is in the workspace from what the tools return', async () => {
    const chat = startChat(standIn, tools);
    const answer = await chat.say('What is in this workspace?');
    assert.deepEqual(chat.called, [
      ['list_directory', { path: '.' }],
      ['read_file', { path: 'README.md' }],
    ]);
    assert.match(answer, /`README.md`, `src\/`, `package.json`/);
    assert.match(answer, /called “Tea shop”.* It says: Sells tea by the pound\./);
  });

  it('finds where something is and opens the first hit', async () => {
    const chat = startChat(standIn, tools);
    const answer = await chat.say('Where is `brew` defined?');
    assert.deepEqual(chat.called, [
      ['search_text', { query: 'brew' }],
      ['read_file', { path: 'src/tea.ts' }],
    ]);
    assert.match(answer, /`brew` is in `src\/tea\.ts` line 2, `src\/main\.ts` line 7\./);
    assert.match(answer, /export function brew/);
  });

  it('edits after reading, and fills in a nested schema', async () => {
    const chat = startChat(standIn, tools);
    await chat.say('Replace "pound" with "gram" in README.md');
    assert.deepEqual(chat.called.at(-1), [
      'edit_file',
      { path: 'README.md', edits: [{ old_text: 'pound', new_text: 'gram' }] },
    ]);
  });

  it('asks the person back and goes on with the answer', async () => {
    const chat = startChat(standIn, tools);
    assert.match(await chat.say('Ask me which colour I like'), /You answered: green/);
    assert.deepEqual(chat.called, [
      [
        'ask_user',
        { param: 'colour', question: 'Which colour shall it be?', options: ['red', 'green', 'blue'] },
      ],
    ]);
  });

  it('remembers with the tool, and recalls from the history of the request', async () => {
    const chat = startChat(standIn, tools);
    await chat.say('My name is Ada Lovelace and I like tea');
    assert.deepEqual(chat.called, [['remember', { name: 'name', value: 'Ada Lovelace' }]]);
    assert.match(await chat.say('What is my name?'), /Ada Lovelace/);
    assert.match(await chat.say('What did I ask before?'), /1\. My name is Ada.*\n2\. What is my name\?/);
    const stranger = startChat(standIn, tools);
    assert.match(await stranger.say('What is my name?'), /have not told me/);
  });

  it('sees the facts that a program puts beside the question', async () => {
    const chat = startChat(standIn, tools);
    const note = '<remembered>\nname: Grace Hopper\n</remembered>\n\n';
    assert.match(await chat.say(`${note}What is my name?`), /Your name is Grace Hopper/);
    assert.match(await chat.say(`${note}What do you remember?`), /name: Grace Hopper/);
  });

  it('says what a tool refused', async () => {
    const chat = startChat(standIn, tools);
    assert.match(await chat.say('Read missing.txt'), /`read_file` did not work: no such file/);
  });

  it('uses only what is offered: without tools it talks and says so', async () => {
    const bare = startChat(standIn, []);
    assert.match(await bare.say('What is in this workspace?'), /No tools were offered/);
    const reader = startChat(standIn, [readFileTool]);
    await reader.say('Where is `brew`?');
    await reader.say('What is in this workspace?');
    assert.deepEqual(reader.called, []);
  });
});

const files: Readonly<Record<string, string>> = {
  'README.md': '1\t# Tea shop\n2\t\n3\tSells tea by the pound.',
  'src/tea.ts': '1\t// tea\n2\texport function brew() {}',
};

const path = { path: { type: 'string' } };
const tools: readonly Anthropic.Tool[] = [
  readFileTool,
  toolOf('list_directory', path, ['path']),
  toolOf('search_text', { query: { type: 'string' }, isRegex: { type: 'boolean' } }, ['query']),
  toolOf(
    'edit_file',
    {
      ...path,
      edits: {
        type: 'array',
        items: {
          type: 'object',
          properties: { old_text: { type: 'string' }, new_text: { type: 'string' } },
          required: ['old_text', 'new_text'],
        },
      },
    },
    ['path', 'edits'],
  ),
  toolOf('remember', { name: { type: 'string' }, value: { type: 'string' } }, ['name', 'value']),
  toolOf(
    'ask_user',
    {
      param: { type: 'string' },
      question: { type: 'string' },
      options: { type: 'array', items: { type: 'string' } },
    },
    ['param', 'question'],
  ),
];

function toolOf(name: string, properties: object, required: string[]): Anthropic.Tool {
  return { name, input_schema: { type: 'object', properties, required } };
}

function runTool(id: string, name: string, input: unknown): Anthropic.ToolResultBlockParam {
  const result = { type: 'tool_result', tool_use_id: id } as const;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- filled in from the schema above.
  const { path: file = '' } = input as { path?: string };
  switch (name) {
    case 'list_directory':
      return { ...result, content: 'README.md\nsrc/\npackage.json' };
    case 'search_text':
      return { ...result, content: 'src/tea.ts:2: export function brew() {}\nsrc/main.ts:7: brew();' };
    case 'read_file':
      return files[file] === undefined
        ? { ...result, content: 'no such file', is_error: true }
        : { ...result, content: files[file] };
    case 'ask_user':
      return { ...result, content: 'green' };
    default:
      return { ...result, content: 'ok' };
  }
}

/** The smallest tool loop there is, on the real SDK. */
function startChat(standIn: StandIn, offered: readonly Anthropic.Tool[]) {
  const client = clientOf(standIn);
  const messages: Anthropic.MessageParam[] = [];
  const called: [string, unknown][] = [];
  return {
    called,
    async say(said: string): Promise<string> {
      messages.push({ role: 'user', content: said });
      for (let round = 0; round < 5; round++) {
        const answer = await client.messages
          .stream({ model: 'claude-opus-5-5', max_tokens: 1000, messages, tools: [...offered] })
          .finalMessage();
        messages.push({ role: 'assistant', content: answer.content });
        const uses = answer.content.filter((block) => block.type === 'tool_use');
        if (uses.length === 0)
          return answer.content.map((block) => (block.type === 'text' ? block.text : '')).join('');
        called.push(...uses.map(({ name, input }): [string, unknown] => [name, input]));
        messages.push({
          role: 'user',
          content: uses.map(({ id, name, input }) => runTool(id, name, input)),
        });
      }
      throw new Error('the mind does not come to an end');
    },
  };
}
