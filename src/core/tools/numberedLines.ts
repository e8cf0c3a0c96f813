import { resultLimit } from './fitLines';

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
    const to = endOfCut(line, from + (isContinued ? resultLimit * 0.8 : lineLimit));
    const isCut = to < line.length;
    const length = options.isLengthUnknown ? '' : ` [${line.length} characters in this line]`;
    const text = `${lastLine + 1}\t${line.slice(from, to)}${isCut ? ` …${length}` : ''}`;
    if (shown.length > 0 && size + text.length > resultLimit) break;
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

/** Never between the two halves of a surrogate pair. */
function endOfCut(line: string, end: number): number {
  if (end >= line.length) return line.length;
  const unit = line.charCodeAt(end);
  return unit >= 0xdc00 && unit <= 0xdfff ? end - 1 : end;
}
