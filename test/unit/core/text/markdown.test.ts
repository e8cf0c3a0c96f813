import assert from 'node:assert/strict';
import { codeSpan, fenced, inline, quoted } from '../../../../src/core/text/markdown';

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

  it('M21: a quotation shows Markdown, and what it leaves open ends with it', () => {
    assert.equal(
      quoted('# Title\n\n- *a*\n\n```js\nlet x;'),
      '> # Title\n>\n> - *a*\n>\n> ```js\n> let x;\n> ```',
    );
    assert.equal(quoted('~~~~\n```\n~~~\nx'), '> ~~~~\n> ```\n> ~~~\n> x\n> ~~~~');
  });

  it('M21: no HTML of a quotation counts, but code stays as it is', () => {
    assert.equal(quoted('<b> and `Map<string>` <!--'), '> &lt;b> and `Map<string>` &lt;!--');
    assert.equal(
      quoted('```ts\nlet a: Map<string>;\n```\n<i>'),
      '> ```ts\n> let a: Map<string>;\n> ```\n> &lt;i>',
    );
    // Where it is in doubt what is code, nothing is.
    assert.equal(quoted('a ` b\n`<b>`'), '> a ` b\n> `&lt;b>`');
    assert.equal(quoted('a ` b\n\n`<b>`'), '> a ` b\n>\n> `<b>`');
    assert.equal(quoted('\\`<b>`'), '> \\`&lt;b>`');
  });

  it('M21: a fence in a list, after a tab or at a strange place ends nowhere else than it seems', () => {
    assert.equal(quoted('- x\n  ```\n```\n<b>'), '> - x\n> ```\n> ```\n> &lt;b>');
    assert.equal(quoted('```\n\t```\n<b>'), '> ```\n>     ```\n> <b>\n> ```');
    assert.equal(quoted('```\n```\u00A0\n<b>'), '> ```\n> ```\u00A0\n> <b>\n> ```');
  });

  it('S6: no picture of a quotation is fetched', () => {
    assert.equal(quoted('![x](https://example.com/?d=1)'), '> &#33;[x](https://example.com/?d=1)');
    assert.equal(quoted('\\\\![x](y) `a'), '> \\\\&#33;[x](y) `a');
  });
});
