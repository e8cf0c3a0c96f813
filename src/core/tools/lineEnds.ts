import { diffLines } from './diffLines';

/** Text with one kind of line end, which people and models compare by. */
export function unixLines(text: string): string {
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text;
}

export function hasMixedLineEnds(text: string): boolean {
  return new Set(text.match(lineEnd)).size > 1;
}

const lineEnd = /\r\n|\n|\r/g;

/** A text as `unixLines` gives it, with the way back to where something stands in the original. */
export interface UnixView {
  readonly text: string;
  readonly original: string;
  /** Where the last line end of the original stands; -1 when there is none. */
  readonly lastLineEnd: number;
  toOriginal(index: number): number;
}

export function viewAsUnix(original: string): UnixView {
  const text = unixLines(original);
  const lastLineEnd = Math.max(original.lastIndexOf('\n'), original.lastIndexOf('\r'));
  /** Where a line end stands that is one character longer in the original. */
  const longer: number[] = [];
  for (let at = original.indexOf('\r\n'); at !== -1; at = original.indexOf('\r\n', at + 2)) {
    longer.push(at - longer.length);
  }
  return { text, original, lastLineEnd, toOriginal: (index) => index + countBelow(longer, index) };
}

/**
 * A new text with the line ends of the piece of the original that it replaces: lines that stay keep theirs, others take
 * that of the line in whose place they stand, or of the nearest one.
 */
export function fitLineEnds(
  view: UnixView,
  range: { readonly start: number; readonly end: number },
  next: string,
): string {
  const { text, original } = view;
  if (!next.includes('\n') || text === original) return next;
  const replaced = original.slice(range.start, range.end);
  const ends: readonly string[] = replaced.match(lineEnd) ?? [];
  const usual = ends[0] ?? nearestLineEnd(view, range.end);
  if (ends.every((end) => end === usual)) return next.replaceAll('\n', usual);
  const fitted: string[] = [];
  let freed: readonly string[] = [];
  let line = 0;
  for (const { kind, lines } of diffLines(unixLines(replaced).split('\n'), next.split('\n'))) {
    const own = kind === 'added' ? freed : ends.slice(line, line + lines.length);
    freed = kind === 'removed' ? own : [];
    if (kind !== 'added') line += lines.length;
    if (kind === 'removed') continue;
    for (const [at, shown] of lines.entries()) fitted.push(shown, own[at] ?? usual);
  }
  // The end of the last line lies behind the piece.
  return fitted.slice(0, -1).join('');
}

/** The one that ends the line of a place, or else the last of all. */
function nearestLineEnd({ original, lastLineEnd }: UnixView, place: number): string {
  if (lastLineEnd === -1) return '\n';
  const expression = new RegExp(lineEnd);
  expression.lastIndex = lastLineEnd < place ? Math.max(0, lastLineEnd - 1) : place;
  return expression.exec(original)?.[0] ?? '\n';
}

/** How many of some ascending numbers are less than one. */
function countBelow(numbers: readonly number[], limit: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? 0) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
