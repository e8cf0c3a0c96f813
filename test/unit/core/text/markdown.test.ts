import assert from 'node:assert/strict';
import { codeSpan, fenced, inline } from '../../../../src/core/text/markdown';

describe('contained Markdown', () => {
  it('M21: a fence is longer than any inside', () => {
    assert.equal(fenced('a\n```\nb'), '````text\na\n```\nb\n````');
    assert.equal(fenced('plain\r\nlines'), '```text\nplain\nlines\n```');
  });

  it('M21: a code span cannot be ended from inside', () => {
    assert.equal(codeSpan('a ` b'), '``a ` b``');
    assert.equal(codeSpan('`'), '`` ` ``');
    assert.equal(codeSpan('two\n\nlines'), '`two⏎⏎lines`');
    assert.equal(codeSpan(''), '`  `');
  });

  it('M21: words inside of a line neither format nor end it', () => {
    assert.equal(inline('*a*\n# b <c> v1.2 (x)!'), '\\*a\\* \\# b \\<c\\> v1.2 (x)!');
  });
});
