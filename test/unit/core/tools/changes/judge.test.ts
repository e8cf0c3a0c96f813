import assert from 'node:assert/strict';
import { openTexts, textOf, type FileChange } from '../../../../../src/core/tools/changes/fileChange';
import { withHunks } from '../../../../../src/core/tools/changes/hunks';
import {
  openHunks,
  originalOf,
  spotsIn,
  takeOut,
  textWithout,
  withVerdict,
} from '../../../../../src/core/tools/changes/judge';
import { cpuTime } from '../../../../support/cpuTime';
import { seededRandom } from '../../../../support/random';

const place = { folder: { name: 'app', root: '/work/app' }, path: 'a.ts' };

function edit(before: string, after: string, more: Partial<FileChange> = {}): FileChange {
  return {
    ...{ id: 1, turnId: 'turn', words: '', at: 1, kind: 'edit', place, from: undefined },
    ...{ added: 0, removed: 0, canBeUndone: true, before, after, encoding: 'utf8', judged: [] },
    ...more,
  };
}

describe('judging a change', () => {
  it('C3: any order of keep and undo over any hunks gives the text with exactly the kept ones', () => {
    let judgedHunks = 0;
    for (let seed = 1; seed <= 400; seed++) {
      const random = seededRandom(seed);
      const [before, after] = someChange(random);
      let change = edit(before, after);
      let text = after;
      const verdicts = new Map<number, boolean>();
      const hunks = openHunks(change);
      judgedHunks += hunks.length;
      for (const hunk of hunks.toSorted(() => random() - 0.5)) {
        const isKept = random() < 0.5;
        verdicts.set(hunk, isKept);
        if (!isKept) {
          const { text: next, stuck } = takeOut(change, [hunk], text);
          assert.deepEqual(stuck, [], `seed ${seed}`);
          text = next;
        }
        change = edit(before, after, { judged: withVerdict(change, [hunk], isKept ? 'kept' : 'undone') });
      }
      const expected = withHunks(textOf(edit(before, after)), (hunk) => verdicts.get(hunk) === true);
      assert.equal(text, expected.lines.join(''), `seed ${seed}`);
      assert.deepEqual(openTexts(change), { before: text, after: text }, `seed ${seed}`);
    }
    assert.ok(judgedHunks > 1000, `only ${judgedHunks} hunks`);
  });

  it('C3: what the person wrote elsewhere since stays, wherever it moved the hunks to', () => {
    for (let seed = 1; seed <= 400; seed++) {
      const random = seededRandom(seed);
      const [before, after] = someChange(random);
      const change = edit(before, after);
      const all = openHunks(change);
      // At the very beginning, where no hunk begins.
      if (all.length === 0 || textOf(change).hunks[0]?.after.start === 0) continue;
      const own = 'written by the person\n'.repeat(1 + Math.floor(random() * 3));
      const { text, stuck } = takeOut(change, all, own + after);
      assert.deepEqual([text, stuck], [own + before, []], `seed ${seed}`);
    }
  });

  it('C3: a place that the person edited since is left alone, and the others are not', () => {
    const before = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n';
    const after = 'one\nTWO\nthree\nfour\nfive\nSIX\nseven\n';
    const edited = after.replace('TWO', 'Zwei');
    const change = edit(before, after);
    assert.deepEqual(takeOut(change, [0, 1], edited), {
      text: edited.replace('SIX', 'six'),
      taken: [1],
      stuck: [0],
    });
  });

  it('C3: the same words in another place are not taken for the place that was changed', () => {
    const change = edit('a\nx = 0;\nb\nc\nd\n', 'a\nx = 1;\nb\nc\nd\n');
    const moved = 'a\nb\nc\n// from above\nx = 1;\n// to here\nd\n';
    assert.deepEqual(takeOut(change, [0], moved), { text: moved, taken: [], stuck: [0] });
  });

  it('C3: joins no lines that are not one', () => {
    const change = edit('a\nb', 'a\nB\n');
    const longer = 'a\nB\nc\n';
    assert.deepEqual(takeOut(change, [0], longer), { text: longer, taken: [], stuck: [0] });
    assert.equal(takeOut(change, [0], 'a\nB\n').text, 'a\nb');
  });

  it('C1: the gutter compares with the text without open hunks, and with what the person wrote', () => {
    const first = edit('a\nb\nc\nd\ne\n', 'a\nB\nc\nd\ne\n');
    const second = edit('a\nB\nc\nd\ne\n', 'a\nB\nc\nd\nE\n', { id: 2, turnId: 'later' });
    const now = 'mine\na\nB\nc\nd\nE\n';
    const original = originalOf([first, second], now);
    assert.equal(original.text, 'mine\na\nb\nc\nd\ne\n');
    const found = (start: number, end: number) =>
      spotsIn(original, { text: now, range: { start, end }, shown: { start, end } }).map(
        ({ change, hunk }) => [change.id, hunk],
      );
    assert.deepEqual(found(2, 3), [[1, 0]]);
    assert.deepEqual(found(5, 6), [[2, 0]]);
    assert.deepEqual(found(0, 1), []);
  });

  it('C2: a diff over what is there now shows what is to be judged, and nothing kept of other turns or written since', () => {
    const change = edit('a\nb\nc\nd\ne\n', 'a\nB\nc\nd\nE\n', { judged: ['open', 'kept'] });
    assert.equal(textWithout(change, 'mine\na\nB\nc\nkept\nE\n'), 'mine\na\nb\nc\nkept\nE\n');
  });

  it('C3: a diff over a place that was changed since shows the text before', () => {
    const change = edit('a\nb\nc\n', 'a\nB\nc\n');
    assert.equal(textWithout(change, 'a\nmine\nc\n'), 'a\nb\nc\n');
  });

  it('C1: hundreds of hunks in a long file cost about as much as a few', () => {
    const lines = Array.from({ length: 60_000 }, (_, at) => `line ${at}\n`);
    const everyNth = (n: number) =>
      lines.map((line, at) => (at % n === 0 ? `changed ${at}\n` : line)).join('');
    const time = (after: string) =>
      cpuTime(() => assert.equal(originalOf([edit(lines.join(''), after)], after).text, lines.join('')));
    time(everyNth(30_000));
    const [few, many] = [time(everyNth(30_000)), time(everyNth(125))];
    assert.ok(many < 5 * few + 100, `${many} ms for 480 hunks, ${few} ms for 2`);
  });

  it('C1: a place that two turns changed is one hunk of both, the newer first', () => {
    const first = edit('a\nb\nc\n', 'a\nB\nc\n');
    const second = edit('a\nB\nc\n', 'a\nBB\nx\nc\n', { id: 2, turnId: 'later' });
    const text = 'a\nBB\nx\nc\n';
    const original = originalOf([first, second], text);
    assert.equal(original.text, 'a\nb\nc\n');
    assert.deepEqual(
      spotsIn(original, { text, range: { start: 1, end: 2 }, shown: { start: 1, end: 3 } }).map(
        ({ change }) => change.id,
      ),
      [2, 1],
    );
  });

  it('C1: the original holds whatever any two turns did, one after the other', () => {
    for (let seed = 1; seed <= 200; seed++) {
      const random = seededRandom(seed);
      const [before, after] = someChange(random);
      const last = changed(after, random);
      const changes = [edit(before, after), edit(after, last, { id: 2 })];
      assert.equal(originalOf(changes, last).text, before, `seed ${seed}`);
    }
  });
});

/** Lines that are often alike, with any line ends, some without the last one. */
function someChange(random: () => number): readonly [string, string] {
  const ends = ['\n', '\r\n', '\r'];
  const end = () => ends[Math.floor(random() * random() * 3)] ?? '\n';
  const lines = Array.from({ length: Math.floor(random() * 40) }, () => `${word(random)}${end()}`);
  const before = random() < 0.3 ? `${lines.join('')}last` : lines.join('');
  return [before, changed(before, random)];
}

function changed(text: string, random: () => number): string {
  const lines = text.match(/[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+$/g) ?? [];
  const next = lines.flatMap((line, at) => {
    if (random() > 0.2) return [line];
    const isLast = at === lines.length - 1;
    const added = Array.from({ length: Math.floor(random() * 3) }, () => `${word(random)}\n`);
    return isLast || random() < 0.5 ? added : added.toSpliced(0, 0, line);
  });
  return next.join('');
}

function word(random: () => number): string {
  return ['', '}', 'return;', 'if (a) {', `x = ${Math.floor(random() * 3)};`][Math.floor(random() * 5)] ?? '';
}
