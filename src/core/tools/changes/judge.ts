import { isOpen, openTexts, textOf, type FileChange, type Judged } from './fileChange';
import { follow, hunksBetween, linesWithEnds, slice, withHunks, wouldJoin, type LineRange } from './hunks';

/** A text without some hunks of a change, as if they had never been made. */
export interface TakenOut {
  readonly text: string;
  readonly taken: readonly number[];
  /** Their place was changed by somebody since, so that it was left alone (C3). */
  readonly stuck: readonly number[];
}

export function takeOut(change: FileChange, hunks: readonly number[], text: string): TakenOut {
  const { lines, taken } = takeOutLines(change, hunks, linesWithEnds(text));
  const isTaken = (hunk: number) => taken.some((one) => one.hunk === hunk);
  return {
    text: lines.join(''),
    taken: hunks.filter(isTaken),
    stuck: hunks.filter((hunk) => !isTaken(hunk)),
  };
}

/**
 * What a diff over the text that is there now compares it with: what was kept of other turns, and what people wrote
 * since, is no difference. Where the same place was changed since, it is the text before, to show why that is stuck.
 */
export function textWithout(change: FileChange, text: string): string {
  const { text: rest, stuck } = takeOut(change, openHunks(change), text);
  return stuck.length === 0 ? rest : openTexts(change).before;
}

function takeOutLines(change: FileChange, wanted: readonly number[], text: readonly string[]) {
  const whole = textOf(change);
  const left = withHunks(whole, (index) => change.judged[index] !== 'undone');
  const since = hunksBetween(left.lines, text);
  const taken: Taken[] = [];
  /** From the last one on, too. */
  const pieces: (readonly string[])[] = [];
  let rest = text.length;
  let isBelow = false;
  // From the last one on, so that the others stay where they are.
  for (const hunk of wanted.toSorted((a, b) => b - a)) {
    const [known, was] = [whole.hunks[hunk], left.places[hunk]];
    const place = was && follow(was, since);
    if (!known || !place) continue;
    const before = slice(whole.before, known.before);
    if (wouldJoin(text[place.start - 1], before, isBelow || place.end < rest)) continue;
    isBelow ||= place.end < rest || before.length > 0;
    pieces.push(text.slice(place.end, rest), before);
    rest = place.start;
    taken.push({ hunk, was: place, size: before.length });
  }
  pieces.push(text.slice(0, rest));
  return { lines: pieces.toReversed().flat(), taken: taken.toReversed() };
}

/** In order. */
interface Taken {
  readonly hunk: number;
  /** Where it stood in the text that it was taken out of. */
  readonly was: LineRange;
  /** The lines that are there now. */
  readonly size: number;
}

/** Where lines of a text stand when some hunks were taken out of it; those inside of one stand for it as a whole. */
function placeWithout(range: LineRange, taken: readonly Taken[]): LineRange {
  let moved = 0;
  for (const { was, size } of taken) {
    if (was.start >= range.end && was.start > range.start) break;
    const start = was.start + moved;
    if (was.end > range.start || was.start === range.start) return { start, end: start + size };
    moved += size - (was.end - was.start);
  }
  return { start: range.start + moved, end: range.end + moved };
}

/** The text that the gutter compares with: without all that is still to be judged, and with all that people did since. */
export interface Original {
  readonly text: string;
  readonly spots: readonly Spot[];
}

/** One hunk, and where in that text it would be. Newer changes come first. */
export interface Spot {
  readonly change: FileChange;
  readonly hunk: number;
  readonly place: LineRange;
}

/** Takes the changes to one file, oldest first. */
export function originalOf(changes: readonly FileChange[], text: string): Original {
  let lines = linesWithEnds(text);
  let spots: readonly Spot[] = [];
  for (const change of changes.toReversed()) {
    const { lines: next, taken } = takeOutLines(change, openHunks(change), lines);
    spots = [
      ...spots.map((spot) => ({ ...spot, place: placeWithout(spot.place, taken) })),
      ...taken.map(({ hunk, was }) => ({ change, hunk, place: placeWithout(was, taken) })),
    ];
    lines = next;
  }
  return { text: lines.join(''), spots };
}

/** A hunk as the editor shows it: lines of the original, and what stands in their place in its own text. */
export interface ShownHunk {
  readonly text: string;
  readonly range: LineRange;
  readonly shown: LineRange;
}

/** Those that a hunk of the editor is about: it may join several of ours that are next to each other. */
export function spotsIn({ text: original, spots }: Original, hunk: ShownHunk): readonly Spot[] {
  const { range } = hunk;
  const touched = spots.filter(({ place }) => place.start <= range.end && range.start <= place.end);
  if (touched.length > 0) return touched;
  // Where lines next to it are alike, the same hunk can stand in several places, and VS Code may have chosen another.
  const { first, last } = slides(original.split(lineEnd), hunk);
  const size = range.end - range.start;
  return spots.filter(({ place: { start, end } }) => end - start === size && start >= first && start <= last);
}

const lineEnd = /\r\n|\n|\r/;

/** Where lines that came, or went, can begin in the original, so that the same text comes of it. */
function slides(
  original: readonly string[],
  { text, range, shown }: ShownHunk,
): { readonly first: number; readonly last: number } {
  const lines = text.split(lineEnd);
  const isInserted = range.start === range.end;
  if (!isInserted && shown.start !== shown.end) return { first: range.start, last: range.start };
  const [all, { start, end }] = isInserted ? [lines, shown] : [original, range];
  /** Whether the lines `by` from the hunk are the same in both texts, so that it is no other hunk. */
  const isSame = (by: number) => {
    const [was, is] = by < 0 ? [range.start, shown.start] : [range.end, shown.end];
    return original[was + by] !== undefined && original[was + by] === lines[is + by];
  };
  let [up, down] = [0, 0];
  while (isSame(-up - 1) && all[start - up - 1] === all[end - up - 1]) up++;
  while (isSame(down) && all[start + down] === all[end + down]) down++;
  return { first: range.start - up, last: range.start + down };
}

export function withVerdict(
  change: FileChange,
  hunks: readonly number[],
  verdict: 'kept' | 'undone',
): Judged {
  return textOf(change).hunks.map((_, index) =>
    hunks.includes(index) ? verdict : (change.judged[index] ?? 'open'),
  );
}

export function openHunks(change: FileChange): readonly number[] {
  return textOf(change).hunks.flatMap((_, index) => (isOpen(change.judged, index) ? [index] : []));
}
