import { diffLines } from '../diffLines';

/** Lines from `start` up to and without `end`, counted from 0. */
export interface LineRange {
  readonly start: number;
  readonly end: number;
}

/** Lines of one text that stand in the place of lines of another. */
export interface Hunk {
  readonly before: LineRange;
  readonly after: LineRange;
}

/** Each with its end, so that nothing but what differs is ever touched. */
export function linesWithEnds(text: string): readonly string[] {
  return text.match(/[^\r\n]*(?:\r\n|\n|\r)|[^\r\n]+$/g) ?? [];
}

/** What leads from one text to another, in order. Between two of them there is at least one line that stays. */
export function hunksBetween(before: readonly string[], after: readonly string[]): readonly Hunk[] {
  const hunks: Hunk[] = [];
  let [was, is] = [0, 0];
  let open: { readonly was: number; readonly is: number } | undefined;
  const close = () => {
    if (open) hunks.push({ before: { start: open.was, end: was }, after: { start: open.is, end: is } });
    open = undefined;
  };
  for (const { kind, lines } of diffLines(before, after)) {
    if (kind === 'same') close();
    else open ??= { was, is };
    if (kind !== 'added') was += lines.length;
    if (kind !== 'removed') is += lines.length;
  }
  close();
  return hunks;
}

/** A change of a text, which can be judged piece by piece. */
export interface TextChange {
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly hunks: readonly Hunk[];
}

export function textChange(before: string, after: string): TextChange {
  const [was, is] = [linesWithEnds(before), linesWithEnds(after)];
  return { before: was, after: is, hunks: hunksBetween(was, is) };
}

/** The text with some of the hunks made and the others not, and where in it each of them stands. */
export function withHunks(
  { before, after, hunks }: TextChange,
  isMade: (index: number) => boolean,
): { readonly lines: readonly string[]; readonly places: readonly LineRange[] } {
  const pieces: (readonly string[])[] = [];
  const places: LineRange[] = [];
  let [line, start] = [0, 0];
  for (const [index, hunk] of hunks.entries()) {
    const made = isMade(index) ? slice(after, hunk.after) : slice(before, hunk.before);
    start += hunk.before.start - line;
    pieces.push(before.slice(line, hunk.before.start), made);
    places.push({ start, end: start + made.length });
    start += made.length;
    line = hunk.before.end;
  }
  pieces.push(before.slice(line));
  return { lines: pieces.flat(), places };
}

/**
 * Where lines of a text stand in what became of it; undefined when something was done to them, or to what is around them
 * on both sides: then nobody can say that the same words are still the same place.
 */
export function follow(range: LineRange, since: readonly Hunk[]): LineRange | undefined {
  const isEmpty = range.start === range.end;
  let moved = 0;
  let [isTouchedAbove, isTouchedBelow] = [false, false];
  for (const { before, after } of since) {
    const isInsertion = before.start === before.end;
    if (isEmpty && isInsertion && before.start === range.start) return undefined;
    if (before.start >= range.end) {
      isTouchedBelow ||= before.start === range.end;
      continue;
    }
    if (before.end > range.start) return undefined;
    isTouchedAbove ||= before.end === range.start;
    moved += after.end - after.start - (before.end - before.start);
  }
  if (isTouchedAbove && isTouchedBelow) return undefined;
  return { start: range.start + moved, end: range.end + moved };
}

/** Whether lines would join with the one above, or the one below with them, so that two lines became one. */
export function wouldJoin(above: string | undefined, lines: readonly string[], isBelow: boolean): boolean {
  const isAboveJoined = (lines.length > 0 || isBelow) && !isEnded(above);
  return isAboveJoined || (isBelow && !isEnded(lines.at(-1)));
}

function isEnded(line = '\n'): boolean {
  return /[\r\n]$/.test(line);
}

export function slice(lines: readonly string[], { start, end }: LineRange): readonly string[] {
  return lines.slice(start, end);
}
