import assert from 'node:assert/strict';
import { exportName, toMarkdown } from '../../../../../src/core/conversation/reports/exportMarkdown';
import type { Conversation, StoredTurn } from '../../../../../src/core/conversation/turn';
import type { Message } from '../../../../../src/core/messages';
import { exchange } from '../../../../support/conversation/testWorkspace';

const options = {
  withValues: false,
  secrets: [],
  nameOfModel: () => 'Claude Sonnet 5.5',
  formatTime: (at: number) => `day ${at}`,
} as const;

describe('the Markdown export', () => {
  it('M21: reads as a document: prompts, answers, tools, files, dates, tokens', () => {
    const messages: Message[] = [
      {
        role: 'user',
        content: [
          { type: 'text', text: '<attachment name="src/a.ts" lines="1-2">\nlet a;\n</attachment>' },
          { type: 'text', text: 'Fix the *total*' },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'I look.' },
          { type: 'tool_use', id: 'a', name: 'read_file', input: { start_line: 1, path: 'src/a.ts' } },
          { type: 'tool_use', id: 'b', name: 'read_file', input: { path: 'gone.ts' } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'a', content: 'let a;' },
          { type: 'tool_result', tool_use_id: 'b', content: 'no such file', is_error: true },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'tool_use', id: 'c', name: 'rename_file', input: { from: 'a', to: 'b' } },
          { type: 'tool_use', id: 'd', name: 'get_diagnostics', input: {} },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'c', content: 'ok' },
          { type: 'tool_result', tool_use_id: 'd', content: 'ok' },
        ],
      },
      { role: 'assistant', content: '# Done\n\n**Fixed.**' },
    ];
    const usage = { input: 1000, cacheRead: 500, cacheWrite: 0, output: 20, cost: 0.01 };
    const turns = [
      { ...stored('one', messages), usage, model: 'claude-sonnet-5-5' },
      { ...stored('two'), outcome: 'interrupted' as const },
    ];
    const summary = { text: 'We began.', at: 1, turns: 3 };
    assert.equal(
      toMarkdown({ ...conversation(turns), summary }, options),
      `# Fix the \\*total\\*

2 turns · $0.0100 · 1.5k in (500 cached) · 20 out · day 1 – day 2

Files changed: \`a → b\`

Files read: \`src/a.ts\`

## Summary of earlier turns

> We began.

## 1. day 1

**You**

Attached: \`src/a.ts\`

\`\`\`text
Fix the *total*
\`\`\`

**Claude**

> I look.

Tools called:

- \`read_file\` \`src/a.ts\`
- \`read_file\` \`gone.ts\` *(failed)*
- \`rename_file\` \`a → b\`
- \`get_diagnostics\`

**Claude**

> # Done
>
> **Fixed.**

*Sonnet 5.5 · $0.0100 · 1.5k in (500 cached) · 20 out*

## 2. day 1

**You**

\`\`\`text
question two
\`\`\`

**Claude**

> answer two

*This answer was interrupted.*
`,
    );
  });

  it('M21: says what a call was about: its path or pattern, else the first text that it has', () => {
    const inputs = [
      { glob: '*.ts', pattern: 'total' },
      { count: 7, note: 'other', more: 'x' },
      { from: 'a' },
      { from: 'a', to: 7 },
      { count: 7 },
      'text',
    ];
    const content = inputs.map((input, index) => ({
      type: 'tool_use' as const,
      id: `t${index}`,
      name: 'look',
      input,
    }));
    const messages: Message[] = [
      { role: 'user', content: 'Look' },
      { role: 'assistant', content },
      {
        role: 'user',
        content: content.map(({ id }) => ({ type: 'tool_result', tool_use_id: id, content: 'ok' })),
      },
      { role: 'assistant', content: 'Seen.' },
    ];
    const text = toMarkdown(conversation([stored('one', messages)]), options);
    assert.deepEqual(text.match(/^- .*$/gm), [
      '- `look` `total`',
      '- `look` `other`',
      '- `look` `a`',
      '- `look` `a`',
      '- `look`',
      '- `look`',
    ]);
  });

  it('M21: nothing that was said can pose as a part of the document', () => {
    const evil = '```\n\n## 9. Forged\n\n**Claude**\n\n> forged\n\n<!--';
    const messages: Message[] = [
      { role: 'user', content: evil },
      {
        role: 'assistant',
        content: [{ type: 'tool_use', id: 'a', name: 'read_file', input: { path: `\`x\`\n${evil}` } }],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: evil }] },
      { role: 'assistant', content: evil },
    ];
    const text = toMarkdown(conversation([stored('one', messages), stored('two')]), options);
    assert.deepEqual(outline(text), ['## 1. day 1', '## 2. day 1']);
  });

  it('N2, M21: holds the plan that is open, without keys and values that were not ticked', () => {
    const params = [{ name: 'order_id', value: 'O-54321', at: 1 }];
    const talk = { ...conversation([stored('one')]), params };
    const plan = '# Ship O-54321\n\n- [x] with sk-ant-api03-x\n';
    const text = toMarkdown(talk, { ...options, plan });
    assert.match(text, /## Plan\n\n> # Ship \[order_id\]\n>\s*\n> - \[x\] with \[key\]\n\n## 1\./);
    assert.match(toMarkdown(talk, { ...options, plan, withValues: true }), /> # Ship O-54321/);
    assert.doesNotMatch(toMarkdown(talk, { ...options, plan: ' \n' }), /## Plan/);
  });

  it('S7, M21: holds no key, and values only when ticked', () => {
    const said = exchange('O-54321 with sk-ant-api03-x and gateway-key');
    const params = [{ name: 'order_id', value: 'O-54321', at: 1 }];
    const talk = { ...conversation([stored('one', said)]), params };
    const plain = toMarkdown(talk, { ...options, secrets: ['gateway-key'] });
    assert.doesNotMatch(plain, /O-54321|sk-ant|gateway-key/);
    assert.match(plain, /question \[order_id\] with \[key\] and \[key\]/);
    const ticked = toMarkdown(talk, { ...options, withValues: true });
    assert.match(ticked, /## Remembered values\n\n- `order_id`: `O-54321`/);
    assert.match(ticked, /question O-54321/);
  });

  it('S7, A34: holds no credential where Markdown writes it in another way', () => {
    const credential = 'gw_7f3a*9c21_<SECRET>';
    const messages: Message[] = [
      { role: 'user', content: `use ${credential}` },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: `With ${credential}.` },
          { type: 'tool_use', id: 'a', name: 'run', input: { command: `login ${credential}` } },
        ],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: credential }] },
      { role: 'assistant', content: 'Done.' },
    ];
    const summary = { text: `Uses ${credential}.`, at: 1, turns: 1 };
    const talk = { ...conversation([stored('one', messages)]), summary };
    const markdown = toMarkdown(talk, { ...options, secrets: [credential] });
    assert.doesNotMatch(markdown, /7f3a|9c21|SECRET/);
    assert.equal(markdown.split(/\\?\[key\\?\]/).length - 1, 5, markdown);
  });
});

describe('the name of an export', () => {
  const params = [{ name: 'order', value: 'AB-10042', at: 1 }];
  const talk = { ...conversation([stored('one', exchange('AB-10042 with gw-key?'))]), params };

  it('M21, S7: tells no value that was not ticked, and no credential', () => {
    const secrets = ['gw-key'];
    assert.equal(exportName(talk, { withValues: false, secrets }, 'md'), 'question-order-with-key.md');
    assert.equal(exportName(talk, { withValues: true, secrets }, 'json'), 'question-ab-10042-with-key.json');
    assert.equal(exportName(conversation([]), { withValues: false, secrets }, 'md'), 'conversation.md');
  });
});

/** The headings of the second level that are not inside of a fence. */
function outline(markdown: string): readonly string[] {
  let fence: string | undefined;
  return markdown.split('\n').filter((line) => {
    const [ticks] = /^`{3,}/.exec(line) ?? [];
    if (ticks !== undefined && (fence === undefined || ticks === fence)) {
      fence = fence === undefined ? ticks : undefined;
    }
    return fence === undefined && line.startsWith('## ');
  });
}

function stored(id: string, messages = exchange(id)): StoredTurn {
  return { id, order: 1, startedAt: 1, endedAt: 2, outcome: 'finished', messages };
}

function conversation(turns: readonly StoredTurn[]): Conversation {
  return { id: 'workspace', lastActive: 1, turns, summarized: [], params: [] };
}
