import assert from 'node:assert/strict';
import { turnMarkdown } from '../../../../../src/core/conversation/reports/turnMarkdown';
import type { Message } from '../../../../../src/core/messages';

describe('a turn as a document', () => {
  it('M19: holds what was asked, each call with its result, and the answer as one', () => {
    const messages: Message[] = [
      {
        role: 'user',
        content: [
          { type: 'text', text: '<attachment name="a.ts">\nlet a;\n</attachment>' },
          { type: 'text', text: 'Why?' },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'I look.' },
          { type: 'tool_use', id: '1', name: 'read_file', input: { path: 'a.ts' } },
          { type: 'tool_use', id: '2', name: 'search_text', input: { pattern: 'x' } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: '1', content: '```ts\nlet a;\n```' },
          { type: 'tool_result', tool_use_id: '2', content: [{ type: 'text', text: 'No.' }], is_error: true },
        ],
      },
      { role: 'assistant', content: 'Because.' },
    ];
    assert.equal(
      turnMarkdown({ messages }),
      [
        '## You',
        '```text\n<attachment name="a.ts">\nlet a;\n</attachment>\n```',
        'Why?',
        '## Claude',
        'I look.',
        '**`read_file`**',
        '```json\n{"path":"a.ts"}\n```',
        '````text\n```ts\nlet a;\n```\n````',
        '**`search_text` failed**',
        '```json\n{"pattern":"x"}\n```',
        '```text\nNo.\n```',
        'Because.\n',
      ].join('\n\n'),
    );
  });

  it('shows the input of a call in one line as long as that has at most 100 characters', () => {
    const shown = (characters: number) => {
      // `{"a":"…"}` takes eight characters itself.
      const input = { a: 'x'.repeat(characters - 8) };
      return turnMarkdown({
        messages: [{ role: 'assistant', content: [{ type: 'tool_use', id: '1', name: 'look', input }] }],
      });
    };
    assert.match(shown(100), /```json\n\{"a":"x+"\}\n```/);
    assert.match(shown(101), /```json\n\{\n {2}"a": "x+"\n\}\n```/);
  });

  it('shortens long results, never inside a character, and says so', () => {
    const messages: Message[] = [
      { role: 'assistant', content: [{ type: 'tool_use', id: '1', name: 'read_file', input: {} }] },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: '1', content: `${'x'.repeat(1999)}😀${'y'.repeat(98)}` },
        ],
      },
    ];
    const document = turnMarkdown({ messages });
    assert.match(document, /x\n```\n\n\*100 more characters are not shown here\.\*\n$/);
  });
});
