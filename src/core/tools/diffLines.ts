import { diffArrays } from 'diff';

/** Neighbouring lines that stay, go or come. */
export interface DiffRun {
  readonly kind: 'same' | 'removed' | 'added';
  readonly lines: readonly string[];
}

/** More differences than this are shown as one block replaced by another: true, only less fine. */
export const effortLimit = 1_000;

/** The fewest lines to remove and add that lead from one text to another; what is removed comes before what is added. */
export function diffLines(
  before: readonly string[],
  after: readonly string[],
  effort = effortLimit,
): readonly DiffRun[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let end = 0;
  const most = Math.min(before.length, after.length) - start;
  while (end < most && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
  const runs: readonly DiffRun[] = [
    { kind: 'same', lines: before.slice(0, start) },
    ...diffMiddle(before.slice(start, before.length - end), after.slice(start, after.length - end), effort),
    { kind: 'same', lines: before.slice(before.length - end) },
  ];
  return runs.filter(({ lines }) => lines.length > 0);
}

function diffMiddle(before: string[], after: string[], effort: number): readonly DiffRun[] {
  const changes = diffArrays(before, after, { maxEditLength: effort }) ?? [
    { value: before, removed: true, added: false },
    { value: after, removed: false, added: true },
  ];
  return changes.map(({ value, removed, added }) => ({
    kind: removed ? 'removed' : added ? 'added' : 'same',
    lines: value,
  }));
}
