import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { FileChange, Judged } from '../../src/core/tools/changes/fileChange';
import { linesWithEnds, textChange, withHunks } from '../../src/core/tools/changes/hunks';
import { openHunks, originalOf, takeOut, withVerdict } from '../../src/core/tools/changes/judge';
import { inShortTime } from './mutations';
import { fuzzTarget, type FuzzTarget } from './target';

/** Two texts, and hunks between them that are kept and undone in any order, also after somebody has edited. */
export function hunksTarget(): FuzzTarget {
  return fuzzTarget({
    name: 'hunks',
    share: 6,
    input: fc.record({
      before: text,
      after: text,
      verdicts: fc.array(fc.tuple(fc.nat(), fc.boolean()), { maxLength: 12 }),
      more: text,
    }),
    holds: async (given) => inShortTime(() => judge(given)),
  });
}

const line = fc.constantFrom('a', 'b', 'c', '', '  a', '}', 'é', '\ud800', '\u2028', 'x'.repeat(300));
const end = fc.constantFrom('\n', '\n', '\n', '\r\n', '\r');
const text = fc
  .tuple(fc.array(fc.tuple(line, end), { maxLength: 14 }), fc.option(line, { nil: '' }))
  .map(([lines, last]) => lines.flat().join('') + last);

function judge(given: {
  readonly before: string;
  readonly after: string;
  readonly verdicts: readonly (readonly [number, boolean])[];
  readonly more: string;
}): void {
  const { before, after, more } = given;
  assert.equal(linesWithEnds(before).join(''), before);
  const whole = textChange(before, after);
  const made = (isMade: (index: number) => boolean) => withHunks(whole, isMade).lines.join('');
  assert.deepEqual([made(() => true), made(() => false)], [after, before], 'all hunks, and none');

  const judged = (verdicts: Judged): FileChange => ({
    ...{ id: 1, turnId: 't', words: '', at: 0, kind: 'edit', from: undefined, added: 0, removed: 0 },
    ...{ place: { folder: { name: 'app', root: '/app' }, path: 'a' }, canBeUndone: true },
    ...{ before, after, encoding: undefined, judged: verdicts },
  });
  let change = judged([]);
  let shown = after;
  for (const [number, isKept] of given.verdicts) {
    const open = openHunks(change);
    if (open.length === 0) break;
    const hunk = open[number % open.length]!;
    if (!isKept) {
      const taken = takeOut(change, [hunk], shown);
      // Only where two lines would become one.
      if (taken.stuck.length > 0) continue;
      shown = taken.text;
    }
    change = judged(withVerdict(change, [hunk], isKept ? 'kept' : 'undone'));
  }
  assert.equal(
    shown,
    made((index) => change.judged[index] !== 'undone'),
    'exactly the hunks that were not undone',
  );

  // Somebody has written above: that is never touched.
  const own = linesWithEnds(more).map((_, index) => `// ${index}\n`);
  const edited = [...own, '//\n', shown].join('');
  const { text: left } = takeOut(change, openHunks(change), edited);
  assert.ok(left.includes([...own, '//\n'].join('')), 'words of a person are still there');
  const original = originalOf([change], edited);
  assert.ok(original.spots.every(({ place }) => place.start <= place.end && place.start >= 0));
}
