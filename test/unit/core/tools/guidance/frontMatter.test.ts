import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { splitFrontMatter, splitList, wordsOf } from '../../../../../src/core/tools/guidance/frontMatter';
import { cpuTime } from '../../../../support/cpuTime';

describe('front matter', () => {
  it('T2: has words, quoted words, lists of both kinds and texts over several lines', () => {
    const matter = splitFrontMatter(
      [
        '\uFEFF---',
        'name: review # of a change',
        'description: >-',
        '  Looks at a change',
        '  with care.',
        "Argument-Hint: '[file: one]'",
        'paths: ["src/**/*.{ts,tsx}", lib/**]',
        'tools:',
        '  - a',
        '- "b, c"',
        '---',
        '',
        'Body.',
      ].join('\r\n'),
    );
    assert.deepEqual(Object.fromEntries(matter.values), {
      name: ['review'],
      description: ['Looks at a change with care.'],
      'argument-hint': ['[file: one]'],
      paths: ['src/**/*.{ts,tsx}', 'lib/**'],
      tools: ['a', 'b, c'],
    });
    assert.equal(matter.body, 'Body.');
    assert.equal(wordsOf(matter, 'mode'), '');
  });

  it('T2: a comma in braces or quotes separates nothing', () => {
    assert.deepEqual(splitList('src/*.{ts,tsx}, "a, b" ,, lib/**'), ['src/*.{ts,tsx}', 'a, b', 'lib/**']);
  });

  it('T2: is none where it does not begin at the top or never ends', () => {
    for (const text of [
      'Text\n---\nname: a\n---',
      '---\nname: a\n',
      `---\n${'x: y\n'.repeat(300)}---\n`,
      '---',
    ]) {
      assert.deepEqual([...splitFrontMatter(text).values], []);
      assert.equal(splitFrontMatter(text).body, text);
    }
  });

  it('T2: takes anything, and never loses what follows it', () => {
    const line = fc.oneof(
      fc.string(),
      fc.constantFrom('---', 'paths:', '- a', 'a: [', "b: '", 'c: |', '  x', ':'),
    );
    fc.assert(
      fc.property(fc.array(line), fc.string(), (lines, body) => {
        const { values } = splitFrontMatter(['---', ...lines, '---', body].join('\n'));
        for (const entries of values.values()) assert.ok(entries.every((entry) => typeof entry === 'string'));
        const plain = `x${body.replaceAll(/[\r\uFEFF]/g, '')}`;
        const found = splitFrontMatter(`---\nname: a\n---\n${plain}`);
        assert.deepEqual([...found.values.keys()], ['name']);
        assert.equal(found.body, plain);
      }),
    );
  });

  it('T5: values that close nothing take no time', () => {
    const matter = (value: string) => splitFrontMatter(`---\npaths: ${value}\n---\nBody.`);
    assert.equal(cpuTime(() => matter(`[${'{'.repeat(100_000)}]`)) < 500, true);
    assert.equal(cpuTime(() => splitList('"\'{'.repeat(30_000))) < 500, true);
    assert.deepEqual(splitList('a{b,c}, "d,e", f\'g, {h, i'), ['a{b,c}', 'd,e', "f'g", '{h', 'i']);
  });
});
