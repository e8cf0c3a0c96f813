import assert from 'node:assert/strict';
import { fetchingLines, quoted } from '../../../../src/core/text/foreignMarkdown';
import { PictureFilter } from '../../../../src/core/text/pictureFilter';
import { cpuTime } from '../../../support/cpuTime';

describe('a quotation of Markdown', () => {
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

  it('S6: a tag begins nothing and ends nothing in a quotation', () => {
    assert.equal(quoted('```\n```<\n\n```\n![x](y)\n```').split('\n')[4], '> &#33;[x](y)');
    assert.equal(quoted('a `\n<- `![x](y)`').split('\n')[1], '> &lt;- `&#33;[x](y)`');
  });

  it('S6: a picture in the cell of a table, in a formula or behind an address is no code', () => {
    const cell = '| a | b |\n|---|---|\n| ` ![x](https://e.example) | ` |';
    assert.equal(quoted(cell).split('\n').at(-1), '> | ` &#33;[x](https://e.example) | ` |');
    assert.equal(quoted('$`$ ![x](y) `'), '> $`$ &#33;[x](y) `');
    assert.equal(quoted('$$\n```\n$$\n![x](y)').split('\n').at(-1), '> &#33;[x](y)');
    assert.equal(quoted('https://a` ![x](y)`'), '> https://a` &#33;[x](y)`');
    // No empty line for Markdown.
    assert.equal(quoted('a ` b\n\u00A0\n`![x](y)`').split('\n').at(-1), '> `&#33;[x](y)`');
  });
});

describe('pictures in an answer that arrives in pieces', () => {
  const filtered = (...pieces: readonly string[]): string => {
    const filter = new PictureFilter();
    return [...pieces.map((piece) => filter.add(piece)), filter.end()].join('');
  };

  it('S6: become links', () => {
    assert.equal(filtered('![x](https://e.example/?d=1) and on'), '&#33;[x](https://e.example/?d=1) and on');
    assert.equal(
      filtered('[![x][r]](y)\n\n[r]: https://e.example'),
      '[&#33;[x][r]](y)\n\n[r]: https://e.example',
    );
    assert.equal(filtered('a!', '[x](//e.example)'), 'a&#33;[x](//e.example)');
    assert.equal(filtered('`a ![x](https://e.example) b'), '`a &#33;[x](https://e.example) b');
  });

  it('S6: nothing else is changed: no code, no file of the workspace', () => {
    for (const text of [
      'Use `vec![1, 2]`!\n',
      '```rust\nlet a = vec![1];\n```\nDone!',
      '````md\n\t```\n![x](https://e.example)\n    ````\n````\n',
      '~~~\n![x](https://e.example)\n~~~\n',
      '![A plan](docs/plan.png) ![](./a-b.svg)',
      'Not that, [but this](https://e.example)!\r\n\r\n> Yes!',
      '1. Do:\n\n   ```rust\n   let a = vec![1];\n\n   \tlet b = vec![2];\n   ```\n\n2. `vec![3]`\n',
      '- Not `a | b`\n- `vec![1]`, see [a](src/a.rs)\n',
    ]) {
      assert.equal(filtered(text), text);
      assert.equal(filtered(...text.split('')), text);
    }
  });

  it('S6: where nobody knows what is code, all of them do', () => {
    const picture = '![x](https://e.example)';
    for (const before of [
      '- a\n\n  ```\n\n',
      '<div>\n```\n\n',
      '<!--\n\n```\n-->\n',
      '$$\n```\n$$\n',
      '[a]: b "\n```\n"\n',
      'a ` b\n` ',
      '[a](`b) ',
    ])
      assert.equal(filtered(`${before}${picture} \``), `${before}&#33;[x](https://e.example) \``);
  });

  it('S6: code that nobody else takes for code is shown as it is, unless it names a picture', () => {
    for (const text of [
      '1. Do:\n\n   - Then:\n\n     ```js\n     if (!["a"].includes(x)) y();\n     ```\n',
      '> ```rust\n> let a: [u8] = vec![1];\n> ```\n',
      'If a < b, use `vec![1]`.\n',
      '$$\nx\n$$\n\n```ts\nif (![1].includes(x)) a[0]: y;\n```\n',
    ]) {
      assert.equal(filtered(text), text);
      assert.equal(filtered(...text.split('')), text);
    }
  });

  it('S6: a picture by its name alone has none', () => {
    const name = 'https://e.example\n';
    for (const [given, shown] of [
      ['![r] a\n\n[r]: ', '![r] a\n\n[r]&#58; '],
      ['![r]\n\n> - [ ] [r]: ', '![r]\n\n> - [ ] [r]&#58; '],
      ['![a b]\n\n[a\nb]: ', '![a b]\n\n[a\nb]&#58; '],
      ['[r]: b\n![r]\n', '[r]: b\n&#33;[r]\n'],
      ['![r][] ![a][r]\n\n[r]: ', '&#33;[r][] &#33;[a][r]\n\n[r]: '],
    ] as const) {
      assert.equal(filtered(given + name), shown + name);
      assert.equal(filtered(...(given + name).split('')), shown + name);
    }
    const filter = new PictureFilter();
    assert.equal(filter.add('![r] a\n\n[r]') + filter.end(), '![r] a\n\n[r]');
    assert.equal(filter.add(`: ${name}- [ `) + filter.end(), `\\: ${name}- [ `);
    assert.equal(filter.add(`] [r]: ${name}`), `] [r]&#58; ${name}`);
  });

  it('S6: an empty line in a list is no end of a paragraph with deeper words', () => {
    const before = '- [a](`b) c\n      d\n\n \t`';
    assert.equal(
      filtered(`${before}![x](https://e.example)\`\n`),
      `${before}&#33;[x](https://e.example)\`\n`,
    );
  });

  it('S6: a fence that loses its first character to a list below a quotation is none', () => {
    const before = '> - a\n2) b\n> c\nd\n~~~\n';
    assert.equal(filtered(`${before}![x](https://e.example)\n`), `${before}&#33;[x](https://e.example)\n`);
  });

  it('S6: what is struck out, a link or a heading takes a backtick for its own', () => {
    for (const before of ['~a`~', '[`]()`\n*`*', '~```\n - *`*'])
      assert.equal(
        filtered(`${before}![x](https://e.example)\`\n-`),
        `${before}&#33;[x](https://e.example)\`\n-`,
      );
  });

  it('S6: code in a list is none where the list may end in it, or begins deeper', () => {
    for (const before of [
      '- a\n  ```\n ',
      '- a\n  ```\n\t',
      '- a\n  - b\n    ```\n    ',
      '- a\n  ```\n  ```~~~\n  ',
      '- a\n  ```\n  ```\t\n  ',
      '- ```\n  - ```\n  ```\n  ',
      '- [ ] ```\n  ```\n  ',
    ])
      assert.equal(filtered(`${before}![x](https://e.example)\n`), `${before}&#33;[x](https://e.example)\n`);
  });

  it('S6: a list with code in it leaves the code behind it as it is', () => {
    const text = '1. Run\n\n   ```sh\n   npm test\n   ```\n\n2. Then\n\n```rust\nvec![1]\n```\n';
    assert.equal(filtered(text), text);
  });

  it('L1: what can become no picture is given back at once', () => {
    const filter = new PictureFilter();
    assert.equal(filter.add('Hello! In `a.ts` and wor'), 'Hello! In `a.ts` and wor');
    assert.equal(filter.add('ld, see `vec!'), 'ld, see `vec');
    assert.equal(filter.add('[1]` of'), '');
    assert.equal(filter.add(' it.\nAnd'), '![1]` of it.\nAnd');
    assert.equal(filter.add('\n```\nlet a = `'), '\n```\nlet a = `');
    assert.equal(filter.end(), '');
  });

  it('S6: a part that ends in mid-line makes no picture with what follows', () => {
    const filter = new PictureFilter();
    assert.equal(filter.add('Look!') + filter.end(), 'Look!');
    assert.equal(filter.add('[x](https://e.example)') + filter.end(), '\\[x](https://e.example)');
  });

  it('S6: a part that ends with a whole line leaves the code behind it as it is', () => {
    const code = '\n\n```rust\nlet a = vec![1];\n```\n';
    for (const line of [
      '- the tests',
      '**Now**',
      'In `a.ts`',
      '```sh\nnpm test\n```',
      '- a\n  ```\n  b\n  ```',
    ]) {
      const filter = new PictureFilter();
      assert.equal(filter.add(line) + filter.end() + filter.end(), line);
      assert.equal(filter.add(code) + filter.end(), code);
    }
  });

  it('S6: a part that ends in what the next one makes something else of leaves nothing after it as code', () => {
    for (const line of ['`', '``', '~~', '- `'])
      for (const rest of ['``\n![x](https://e.example)\n```\n', '~\n![x](https://e.example)\n~~~\n']) {
        const filter = new PictureFilter();
        const given = filter.add(line) + filter.end() + filter.add(rest) + filter.end();
        assert.ok(given.includes('&#33;'), given);
      }
  });

  it('S6: a part that begins in the middle of code is a document of its own', () => {
    const filter = new PictureFilter();
    const picture = '![x](https://e.example)';
    assert.equal(filter.add(`\`\`\`\n${picture}\n\`\`\`\nOn`), `\`\`\`\n${picture}\n\`\`\`\nOn`);
    // Its first fence ended one before, and now begins one.
    assert.equal(filter.restart(`${picture}\n\`\`\`\nOn`), `&#33;[x](https://e.example)\n\`\`\`\nOn`);
    assert.equal(filter.add(`\n\`\`\`\n${picture}\n`), '\n```\n&#33;[x](https://e.example)\n');
    assert.equal(filter.add('\n```\nvec![1]\n```\n') + filter.end(), '\n```\nvec![1]\n```\n');
  });

  it('L1: nothing is lost where a part begins, whether or not something else comes then', () => {
    const picture = '![x](https://e.example)';
    const held = new PictureFilter();
    assert.equal(held.add(`One two ${picture}`), 'One two ');
    assert.equal(held.restart('two '), 'two ');
    assert.equal(held.end(), '&#33;[x](https://e.example)');
    const ended = new PictureFilter();
    assert.equal(ended.add('One two!') + ended.end(), 'One two!');
    assert.equal(ended.restart('two!'), 'two!');
  });

  it('S6: a part that ends in the middle of a line shows no picture of it', () => {
    const line = 'Use `![x](https://e.example)` now';
    assert.equal(PictureFilter.cutOff(`a\n${line.slice(0, 28)}`), 'a\nUse `&#33;[x](https://e.example)');
    assert.equal(PictureFilter.cutOff(`${line}\n`), `${line}\n`);
  });
});

describe('Markdown of others', () => {
  it('S6: takes no time, whatever stands in a line', () => {
    const took = cpuTime(() => {
      for (const part of [
        '@',
        'www.',
        '://',
        '`',
        '~',
        '[',
        '![',
        '<a ',
        ' ',
        '> ',
        '1. ',
        '![a] ',
        'a]',
        '\t',
      ]) {
        for (const before of ['', '```\n', '~~~\n', '   ```\n']) {
          const text = `${before}${part.repeat(30_000)} x\n`;
          quoted(text);
          fetchingLines(text);
          new PictureFilter().add(text);
        }
      }
    });
    assert.ok(took < 2000, `${took} ms`);
  });
});

describe('what a preview would fetch', () => {
  it('S6: is named by its line', () => {
    assert.deepEqual(fetchingLines('# Plan\n- [ ] ![x](https://e.example)\n'), [
      '- [ ] ![x](https://e.example)',
    ]);
    assert.deepEqual(fetchingLines('a <img\nsrc=\nx\n>\nb'), ['a <img', 'src=', 'x', '>']);
    assert.deepEqual(fetchingLines('<style>@import url(x)</style>'), ['<style>@import url(x)</style>']);
    assert.deepEqual(fetchingLines('![a][b]\n\n[b]:\nhttps://e.example'), [
      ...['![a][b]', '[b]:', 'https://e.example'],
    ]);
    assert.deepEqual(fetchingLines('[a][b]\n\n[b]: https://e.example'), []);
  });

  it('S6: is not code, a file of the workspace, a link, or a word in brackets', () => {
    const text =
      '- [ ] In <folder> of [docs](https://e.example)\n\n`<img src=x>`\n\n![Sketch](media/a.png)\n\n```html\n<img src="https://e.example">\n```\n';
    assert.deepEqual(fetchingLines(text), []);
  });

  it('N1: is no step of a plan that says something else in code, whatever the steps around it say', () => {
    const plan = [
      '# Dark mode',
      '',
      'The theme is `string | undefined` in [theme.ts](src/theme.ts), and costs $0.',
      '',
      '- [ ] In [Toggle.tsx](src/ui/Toggle.tsx#L4), write `<Button kind="primary" onClick={toggle}>`',
      '- [ ] Make `theme` a `"dark" | "light"`, see [the docs](https://example.com/themes)',
      '- [ ] Replace `<body class="light">` in `index.html`:',
      '',
      '  ```html',
      '  <body class="dark">',
      '  ```',
      '',
    ].join('\n');
    assert.deepEqual(fetchingLines(plan), []);
  });
});
