import assert from 'node:assert/strict';
import { anchorGlob, compileGlob, staticPrefix } from '../../../../../src/core/tools/paths/glob';
import { cpuTime } from '../../../../support/cpuTime';

describe('globs', () => {
  const cases: readonly (readonly [string, readonly string[], readonly string[]])[] = [
    ['*.ts', ['a.ts'], ['a.tsx', 'src/a.ts']],
    ['**/*.ts', ['a.ts', 'src/deep/a.ts'], ['a.js']],
    ['src/**', ['src', 'src/a', 'src/a/b'], ['srcs/a', 'lib/src/a']],
    ['src/**/test/*.ts', ['src/test/a.ts', 'src/x/y/test/a.ts'], ['src/test/x/a.ts']],
    ['{src,lib}/*.{ts,js}', ['src/a.ts', 'lib/a.js'], ['doc/a.ts', 'src/a.css']],
    ['a?.ts', ['ab.ts'], ['a.ts', 'a/.ts']],
    ['[ab].ts', ['a.ts', 'b.ts'], ['c.ts']],
    ['[!ab].ts', ['c.ts'], ['a.ts']],
    ['[slug].tsx', ['s.tsx'], ['[slug].tsx']],
    ['a+(b).ts', ['a+(b).ts'], ['ab.ts']],
    ['[z-a', ['[z-a'], ['z']],
    ['{a', ['{a'], ['a']],
    ['**', ['a', 'a/b/c'], []],
    ['{*.{c,h},make*}', ['a.c', 'a.h', 'makefile'], ['a.cc', 'x/a.c']],
    ['a{b,}c', ['abc', 'ac'], ['abbc']],
    ['*a*b*.ts', ['xaxbx.ts', 'ab.ts'], ['ba.ts', 'a/b.ts']],
    ['*ab*ab', ['abab', 'xabxab', 'aabab'], ['ab', 'xab']],
    ['**/a*/**/b/**/*.ts', ['a1/b/x.ts', 'x/a/y/b/z/q.ts', 'a/a/b/b/c.ts'], ['a/x.ts', 'b/a/x.ts']],
    ['src**x/*', ['srcx/a', 'src-x/a'], ['src/x/a']],
    ['**/src/**', ['src', 'a/src', 'a/src/b'], ['asrc']],
    ['a/**/**/b', ['a/b', 'a/x/y/b'], ['ab']],
    ['{a{b,c}', ['{ab', '{ac'], ['ab']],
    ['a}{b,c}', ['a}b', 'a}c'], ['ab']],
    ['{a}', ['a'], ['{a}']],
    ['{a,{b,{c,d}e}f}', ['a', 'bf', 'cef', 'def'], ['b', 'c']],
  ];
  for (const [glob, inside, outside] of cases) {
    it(glob, () => {
      const matches = compileGlob(glob, { isCaseSensitive: true });
      assert.deepEqual(inside.filter(matches), inside);
      assert.deepEqual(outside.filter(matches), []);
    });
  }

  it('A21: are matched in a moment, however many ways there seem to be', () => {
    const name = 'a'.repeat(250);
    const path = Array.from({ length: 1_000 }, () => 'a').join('/');
    for (const glob of [
      `${'*a'.repeat(60)}*b`,
      `${'*{a,aa}'.repeat(8)}*b`,
      `${'**/a/'.repeat(60)}b`,
      `${'**/*a*/'.repeat(30)}b`,
      `${'a**'.repeat(60)}b`,
      `${'{a,b}'.repeat(100)}c`,
    ]) {
      const matches = compileGlob(glob, { isCaseSensitive: false });
      assert.deepEqual([matches(name), matches(path)], [false, false], glob);
    }
  });

  for (const [name, glob] of [
    ['braces that are never closed', '{'.repeat(9_000)],
    ['braces inside braces', `${'{'.repeat(4_500)}a${'}'.repeat(4_500)}`],
    ['commas without end', `{${','.repeat(9_000)}}`],
    ['brackets that are never closed', '['.repeat(9_000)],
    ['ranges that make no sense', `${'[z-a'.repeat(2_000)}]`],
    ['many choices of long names', `${'{a,b}'.repeat(8)}${'*c'.repeat(2_000)}`],
    [
      'many choices with many folders',
      `{${Array.from({ length: 500 }, (_, at) => at).join()}}/${'**/x/'.repeat(100)}`,
    ],
    ['more than any path has', '{'.repeat(1_000_000)],
  ] as const) {
    it(`A21: are read in a moment: ${name}`, () => {
      const elapsed = cpuTime(() => assert.equal(compileGlob(glob, { isCaseSensitive: true })('z/y'), false));
      assert.ok(elapsed < 400, `${elapsed.toFixed(0)} ms`);
    });
  }

  it('are anchored as people mean them', () => {
    assert.deepEqual(['*.ts', 'src/', 'src/*.ts', './a.ts', '/a.ts'].map(anchorGlob), [
      '**/*.ts',
      'src/**',
      'src/*.ts',
      'a.ts',
      'a.ts',
    ]);
  });

  it('have a fixed beginning to start from', () => {
    assert.deepEqual(['src/a/*.ts', '**/*.ts', 'src/{a,b}/c', 'src/a.ts'].map(staticPrefix), [
      'src/a',
      '',
      'src',
      'src',
    ]);
  });
});
