import assert from 'node:assert/strict';
import { array, assert as assertProperty, constantFrom, property } from 'fast-check';
import { diffLines, unifiedDiff } from '../../../../src/core/tools/lineDiff';

const someLines = array(constantFrom('a', 'b', 'c', 'd', ''), { maxLength: 30 });

describe('line diff', () => {
  it('holds both texts, whatever they are', () => {
    assertProperty(
      property(someLines, someLines, (before, after) => {
        const lines = diffLines(before, after);
        const side = (left: string) => lines.filter(({ kind }) => kind !== left).map(({ text }) => text);
        assert.deepEqual(side('added'), before);
        assert.deepEqual(side('removed'), after);
      }),
      { numRuns: 500 },
    );
  });

  it('finds the fewest changes', () => {
    const changed = diffLines(['a', 'b', 'c', 'a', 'b', 'b', 'a'], ['c', 'b', 'a', 'b', 'a', 'c']);
    assert.equal(changed.filter(({ kind }) => kind !== 'same').length, 5);
  });

  it('shows hunks apart, with their line numbers', () => {
    const before = Array.from({ length: 30 }, (_, at) => `${at + 1}`);
    const after = before.toSpliced(4, 1, 'five').toSpliced(24, 1);
    assert.equal(
      unifiedDiff(before.join('\n'), after.join('\n')),
      '@@ -2 +2 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n@@ -22 +22 @@\n 22\n 23\n 24\n-25\n 26\n 27\n 28',
    );
  });

  it('stays quick when everything differs', () => {
    const lines = (mark: string) => Array.from({ length: 20_000 }, (_, at) => `${mark}${at}`);
    assert.equal(diffLines(lines('a'), lines('b')).length, 40_000);
  });
});
