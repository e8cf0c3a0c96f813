export interface DiffLine {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
}

/** More differences than this are shown as one block replaced by another: true, only less fine. */
const effortLimit = 1_000;

/** The fewest lines to remove and add that lead from one text to another. */
export function diffLines(before: readonly string[], after: readonly string[]): readonly DiffLine[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let end = 0;
  const most = Math.min(before.length, after.length) - start;
  while (end < most && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
  const same = (texts: readonly string[]) => texts.map((text): DiffLine => ({ kind: 'same', text }));
  const a = before.slice(start, before.length - end);
  const b = after.slice(start, after.length - end);
  return [...same(before.slice(0, start)), ...diffMiddle(a, b), ...same(before.slice(before.length - end))];
}

/** How far each diagonal was followed; diagonal 0 stands in the middle. */
type Reach = Int32Array;
const middle = effortLimit + 1;

/** Myers' algorithm: the furthest reach on each diagonal for a growing number of differences. */
function diffMiddle(a: readonly string[], b: readonly string[]): readonly DiffLine[] {
  const reach: Reach = new Int32Array(2 * effortLimit + 3);
  const trace: Reach[] = [];
  for (let differences = 0; differences <= Math.min(a.length + b.length, effortLimit); differences++) {
    trace.push(reach.slice());
    for (let diagonal = -differences; diagonal <= differences; diagonal += 2) {
      let x = isDown(reach, diagonal, differences)
        ? reachOn(reach, diagonal + 1)
        : reachOn(reach, diagonal - 1) + 1;
      while (x < a.length && x - diagonal < b.length && a[x] === b[x - diagonal]) x++;
      reach[middle + diagonal] = x;
      if (x >= a.length && x - diagonal >= b.length) return walkBack(a, b, trace);
    }
  }
  return [
    ...a.map((text): DiffLine => ({ kind: 'removed', text })),
    ...b.map((text): DiffLine => ({ kind: 'added', text })),
  ];
}

function walkBack(a: readonly string[], b: readonly string[], trace: readonly Reach[]): DiffLine[] {
  const lines: DiffLine[] = [];
  let x = a.length;
  let y = b.length;
  for (let differences = trace.length - 1; differences >= 0; differences--) {
    const reach = trace[differences] ?? new Int32Array();
    const diagonal = x - y;
    const down = isDown(reach, diagonal, differences);
    const fromX = reachOn(reach, down ? diagonal + 1 : diagonal - 1);
    const fromY = fromX - (down ? diagonal + 1 : diagonal - 1);
    while (x > fromX && y > fromY && x > 0 && y > 0) {
      lines.push({ kind: 'same', text: a[--x] ?? '' });
      y--;
    }
    if (differences === 0) break;
    lines.push(down ? { kind: 'added', text: b[--y] ?? '' } : { kind: 'removed', text: a[--x] ?? '' });
  }
  return lines.toReversed();
}

function isDown(reach: Reach, diagonal: number, differences: number): boolean {
  if (diagonal === -differences) return true;
  return diagonal !== differences && reachOn(reach, diagonal - 1) < reachOn(reach, diagonal + 1);
}

function reachOn(reach: Reach, diagonal: number): number {
  return reach[middle + diagonal] ?? 0;
}
