import assert from 'node:assert/strict';
import { array, assert as assertProperty, constantFrom, property } from 'fast-check';
import { diffLines } from '../../../../src/core/tools/diffLines';
import { unifiedDiff } from '../../../../src/core/tools/unifiedDiff';
import { cpuTime } from '../../../support/cpuTime';

const someLines = array(constantFrom('a', 'b', 'c', 'd', ''), { maxLength: 30 });

describe('line diff', () => {
  it('holds both texts, whatever they are', () => {
    assertProperty(
      property(someLines, someLines, (before, after) => {
        const runs = diffLines(before, after);
        const side = (left: string) => runs.flatMap(({ kind, lines }) => (kind === left ? [] : lines));
        assert.deepEqual(side('added'), before);
        assert.deepEqual(side('removed'), after);
      }),
      { numRuns: 500 },
    );
  });

  it('finds the fewest changes', () => {
    const changed = diffLines(['a', 'b', 'c', 'a', 'b', 'b', 'a'], ['c', 'b', 'a', 'b', 'a', 'c']);
    assert.equal(changed.flatMap(({ kind, lines }) => (kind === 'same' ? [] : lines)).length, 5);
  });

  it('puts what is removed before what is added, and never two runs of one kind side by side', () => {
    assertProperty(
      property(someLines, someLines, (before, after) => {
        const kinds = diffLines(before, after).map(({ kind }) => kind);
        assert.doesNotMatch(kinds.join(' '), /added removed|same same|added added|removed removed/);
      }),
      { numRuns: 500 },
    );
  });

  it('shows hunks apart, with their line numbers', () => {
    const before = Array.from({ length: 30 }, (_, at) => `${at + 1}`);
    const after = before.toSpliced(4, 1, 'five').toSpliced(24, 1);
    assert.equal(
      unifiedDiff(before.join('\n'), after.join('\n')),
      '@@ -2 +2 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n@@ -22 +22 @@\n 22\n 23\n 24\n-25\n 26\n 27\n 28',
    );
  });

  it('shows a line end that is only there or gone at the very end', () => {
    assert.equal(unifiedDiff('a\nb', 'a\nb\n'), '@@ -1 +1 @@\n a\n b\n-\\ No newline at end of file');
    assert.equal(unifiedDiff('a\n', 'a'), '@@ -1 +1 @@\n a\n+\\ No newline at end of file');
    assert.equal(unifiedDiff('a', 'b'), '@@ -1 +1 @@\n-a\n+b');
  });

  describe('of very long lines', () => {
    const long = 'x'.repeat(3_000_000);

    it('shows what changes, a little around it, and how much is left out', () => {
      const before = `${long}const size = 1;${long}`;
      const diff = unifiedDiff(before, before.replace('size = 1', 'size = 2'));
      const x80 = 'x'.repeat(80);
      assert.ok(diff.length < 1_000);
      assert.match(diff, /^-⟨\d+ characters⟩x*const size = 1;x{79}⟨\d+ characters⟩$/m);
      assert.match(diff, /^\+⟨\d+ characters⟩x*const size = 2;x{79}⟨\d+ characters⟩$/m);
      assert.ok(diff.includes(x80.slice(1)));
    });

    it('shows every change of several', () => {
      const words = Array.from({ length: 20_000 }, (_, at) => `word${at}`).join(' ');
      const diff = unifiedDiff(
        words,
        words.replace('word40 ', 'first ').replace('word19000 ', 'last and more '),
      );
      assert.ok(diff.length < 2_000, String(diff.length));
      assert.match(diff, /^-.*word40 .*⟨\d+ characters⟩.*word19000 .*$/m);
      assert.match(diff, /^\+.*first .*⟨\d+ characters⟩.*last and more .*$/m);
    });

    it('shows all of what is new, and of lines around it the beginning', () => {
      const diff = unifiedDiff(`${long}\nb\n`, `${long}\n${'n'.repeat(5_000)}\nb\n`);
      assert.ok(diff.includes(`+${'n'.repeat(5_000)}\n`));
      assert.match(diff, /^ x{160}⟨2999840 characters⟩$/m);
    });

    it('S2: takes for sixty of them, written anew, hardly longer than for one', () => {
      const paragraph = (seed: number) =>
        Array.from({ length: 600 }, (_, at) => `w${(seed * 600 + at) * 7919}`).join(' ');
      const page = (first: number, count: number) =>
        Array.from({ length: count }, (_, at) => `${paragraph(first + at)}\n`).join('');
      const timeOf = (count: number) => {
        const [before, after] = [page(0, count), page(count, count)];
        return cpuTime(() => assert.ok(unifiedDiff(before, after).includes(`\n+${paragraph(count)}`)));
      };
      // Once for the compiler.
      timeOf(1);
      const [one, sixty] = [timeOf(1), timeOf(60)];
      assert.ok(sixty < 8 * one, `${sixty.toFixed(0)} ms, and ${one.toFixed(0)} ms for one`);
    });

    it('loses nothing that changes and cuts no character in two, whatever the lines are', () => {
      const text = array(constantFrom('a', ' ', '😀', 'é', '⟨', 'word '.repeat(40)), { maxLength: 60 });
      assertProperty(
        property(text, text, text, text, (start, a, b, end) => {
          const before = [...start, ...a, ...end].join('');
          const after = [...start, ...b, ...end].join('');
          if (before === after || before === '' || after === '') return;
          const diff = unifiedDiff(before, after);
          assert.doesNotMatch(diff, /\p{Surrogate}/u);
          const marks = diff.match(/⟨(\d+) characters⟩/g) ?? [];
          const left = marks.reduce((sum, mark) => sum + Number(/\d+/.exec(mark)?.[0]) - mark.length, 0);
          const shown = diff.split('\n').filter((line) => /^[-+]/.test(line));
          const length = shown.reduce((sum, line) => sum + line.length - 1, left);
          assert.equal(length, before.length + after.length);
        }),
        { numRuns: 500 },
      );
    });
  });

  it('stays quick when everything differs', () => {
    const lines = (mark: string) => Array.from({ length: 20_000 }, (_, at) => `${mark}${at}`);
    assert.equal(diffLines(lines('a'), lines('b')).flatMap((run) => run.lines).length, 40_000);
  });
});
