import { characterStart, cutOut } from '../text/cutText';

/** Stays below the cap that the loop puts on every result, so that our own hint on how to go on survives. */
export const resultLimit = 25_000;

/** As many of the first lines as fit, into one result unless told otherwise. */
export function fitLines(lines: readonly string[], limit: number = resultLimit): readonly string[] {
  let size = 0;
  const end = lines.findIndex((line) => (size += line.length + 1) > limit);
  return end === -1 ? lines : lines.slice(0, end);
}

/** All lines in one text, or as many as fit and below them what `noteOf` says of how many there are. */
export function capLines(
  lines: readonly string[],
  noteOf: (shown: number, all: number) => string,
  limit: number = resultLimit,
): string {
  const shown = fitLines(lines, limit);
  const isAll = shown.length === lines.length;
  return (isAll ? lines : [...shown, noteOf(shown.length, lines.length)]).join('\n');
}

const lineLimit = 2_000;

export interface NumberedLines {
  readonly text: string;
  /** The last line shown, counted from 1; one less than `firstLine` when there was none. */
  readonly lastLine: number;
  /** Set when a line was cut: where to go on. */
  readonly cut: { readonly line: number; readonly character: number; readonly length: number } | undefined;
}

/** Lines with their numbers, as many as fit; very long ones are cut. */
export function numberLines(
  lines: Iterable<string>,
  options: {
    readonly firstLine: number;
    readonly firstCharacter?: number | undefined;
    /** True where lines may be longer than what is handed in. */
    readonly isLengthUnknown?: boolean;
  },
): NumberedLines {
  const shown: string[] = [];
  let size = 0;
  let lastLine = options.firstLine - 1;
  let cut: NumberedLines['cut'];
  for (const line of lines) {
    const isContinued = shown.length === 0 && options.firstCharacter !== undefined;
    const from = isContinued ? Math.max(0, (options.firstCharacter ?? 1) - 1) : 0;
    const to = characterStart(line, from + (isContinued ? resultLimit * 0.8 : lineLimit));
    const isCut = to < line.length;
    const length = options.isLengthUnknown ? '' : ` [${line.length} characters in this line]`;
    const text = `${lastLine + 1}\t${line.slice(from, to)}${isCut ? ` …${length}` : ''}`;
    if (size + text.length > resultLimit) break;
    if (isCut) cut ??= { line: lastLine + 1, character: to + 1, length: line.length };
    shown.push(text);
    size += text.length + 1;
    lastLine++;
  }
  return { text: shown.join('\n'), lastLine, cut };
}

export function splitLines(text: string): string[] {
  return text.split(/\r\n|\n|\r/);
}

const excerptLength = 500;

/** A line as search shows it: a very long one is cut around the match at `start`. */
export function excerpt(line: string, start: number): string {
  if (line.length <= excerptLength) return line;
  const from = Math.max(0, Math.min(start - excerptLength / 4, line.length - excerptLength));
  return cutOut(line, from, from + excerptLength);
}
