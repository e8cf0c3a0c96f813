import assert from 'node:assert/strict';
import { capLines, excerpt, fitLines, numberLines, resultLimit } from '../../../../src/core/tools/lines';

describe('lines in a result', () => {
  it('L11: are as many of the first as fit, each with its line break', () => {
    const lines = ['aaaa', 'bbbb', 'cc'];
    assert.deepEqual(fitLines(lines, 13), lines);
    assert.deepEqual(fitLines(lines, 12), ['aaaa', 'bbbb']);
    assert.deepEqual(fitLines(lines, 10), ['aaaa', 'bbbb']);
    assert.deepEqual(fitLines(lines, 9), ['aaaa']);
    assert.deepEqual(fitLines(lines, 4), []);
    const note = (shown: number, all: number): string => `[${shown} of ${all}]`;
    assert.equal(capLines(lines, note, 13), 'aaaa\nbbbb\ncc');
    assert.equal(capLines(lines, note, 12), 'aaaa\nbbbb\n[2 of 3]');
  });

  it('L11: are numbered until the result is full', () => {
    assert.deepEqual(numberLines([], { firstLine: 7 }), { text: '', lastLine: 6, cut: undefined });
    // With its number and a tab, each of these takes 1,000 characters and a line break.
    const line = 'x'.repeat(998);
    const full = numberLines(
      Array.from({ length: 9 }, () => line),
      { firstLine: 1 },
    );
    assert.deepEqual([full.lastLine, full.text.split('\n').length, full.cut], [9, 9, undefined]);
    const many = numberLines(
      Array.from({ length: 100 }, () => line),
      { firstLine: 1 },
    );
    assert.equal(many.lastLine, 24);
    assert.ok(many.text.length <= resultLimit);
    const whole = numberLines(['y'.repeat(1_000), 'z'], { firstLine: 1, firstCharacter: 1 });
    assert.equal(whole.text, `1\t${'y'.repeat(1_000)}\n2\tz`);
  });

  it('L11: fill the result to its last character', () => {
    // With number, tab and line break, the first eleven take 2,000 characters each, and the next one what is asked for.
    const first = Array.from({ length: 11 }, (_, index) => 'x'.repeat(index < 9 ? 1_997 : 1_996));
    const shown = (last: number) => {
      const lines = [...first, 'y'.repeat(996), 'z'.repeat(last - '13\t'.length), 'more'];
      return numberLines(lines, { firstLine: 1 }).lastLine;
    };
    assert.deepEqual([shown(resultLimit - 23_000), shown(resultLimit - 23_000 + 1)], [13, 12]);
  });

  it('are cut around what was found where they are long', () => {
    const line = `${'a'.repeat(1_000)}HIT${'b'.repeat(1_000)}`;
    assert.equal(excerpt('short', 2), 'short');
    assert.equal(excerpt('x'.repeat(500), 400), 'x'.repeat(500));
    assert.match(excerpt(line, 1_000), /a{120,125}HITb{370,375}/);
    assert.match(excerpt(line, 0), /^a{490,500}/);
    assert.match(excerpt(line, 2_002), /b{490,500}$/);
  });
});
