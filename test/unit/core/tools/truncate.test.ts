import assert from 'node:assert/strict';
import { limitOutput, sendableText, truncate } from '../../../../src/core/tools/truncate';

describe('truncate', () => {
  it('leaves short text alone', () => {
    assert.equal(truncate('short', 5, 'Ask again.'), 'short');
  });

  it('L11: says how much is missing and how to get the rest', () => {
    assert.equal(
      truncate('abcdefgh', 5, 'Read from line 2.'),
      'abcde\n[3 of 8 characters left out. Read from line 2.]',
    );
  });

  it('F14: never cuts inside a character', () => {
    assert.equal(truncate('ab😀cd', 3, '').split('\n')[0], 'ab');
    assert.equal(truncate('ab😀cd', 4, '').split('\n')[0], 'ab😀');
  });

  it('F14: replaces NUL, other control characters and half characters', () => {
    assert.equal(
      sendableText('a long enough text\0 with \ud83d one\udc00'),
      'a long enough text\ufffd with \ufffd one\ufffd',
    );
    assert.equal(
      sendableText('tab\t and line\r\n and \u001b[31mred\u001b[0m stay 😀'),
      'tab\t and line\r\n and \u001b[31mred\u001b[0m stay 😀',
    );
  });

  it('F14: only describes what is binary', () => {
    assert.equal(sendableText('\0\u0001\u0002ab'), '[Binary data, 5 characters, not shown.]');
  });

  it('L11: caps all texts of one result together', () => {
    const { content } = limitOutput(
      {
        content: [
          { type: 'text', text: 'a'.repeat(8) },
          { type: 'text', text: 'b'.repeat(8) },
          { type: 'text', text: 'c' },
        ],
      },
      10,
    );
    const hint = 'Ask for a smaller part, for example with a range, a filter or a narrower search.';
    assert.deepEqual(content, [
      { type: 'text', text: 'aaaaaaaa' },
      { type: 'text', text: `bb\n[6 of 8 characters left out. ${hint}]` },
      { type: 'text', text: `[1 more characters left out. ${hint}]` },
    ]);
  });

  it('L17: the pages that an output rests on stay with it', () => {
    const sources = [{ url: 'https://example.com/', title: 'Example' }];
    assert.deepEqual(limitOutput({ content: 'Found.', sources }, 100), { content: 'Found.', sources });
  });
});
