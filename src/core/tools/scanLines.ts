import { splitLines } from './lines';

const chunkLength = 4 * 1024 * 1024;
/** How far a range is looked for; further on, search is the better tool. */
const reach = 512 * 1024 * 1024;
/** More than any result shows; a line without end must not fill the memory. */
const characterLimit = 200_000;

export interface LineRange {
  /** Of the file, in bytes. */
  readonly size: number;
  /** In the words of `TextDecoder`. */
  readonly encoding: string;
  readonly first: number;
  readonly last: number;
  /** Where to begin in the first line, counted from 1. */
  readonly firstCharacter: number;
}

/** Lines of a file that is too large to be held as a whole, read in chunks from its start. */
export async function scanLines(
  read: (start: number, length: number) => Promise<Uint8Array>,
  range: LineRange,
): Promise<{ readonly lines: readonly string[]; readonly isEnd: boolean }> {
  const decoder = new TextDecoder(range.encoding);
  const lines: string[] = [];
  let line = 1;
  let collected = 0;
  let rest = '';
  let skipped = 0;
  /** Takes off what stands before the first wanted character. */
  const skip = (text: string) => {
    const length = line === range.first ? Math.min(range.firstCharacter - 1 - skipped, text.length) : 0;
    skipped += length;
    return text.slice(length);
  };
  const take = (text: string) => {
    if (line >= range.first && line <= range.last && collected < characterLimit) {
      const wanted = skip(text);
      lines.push(wanted);
      collected += wanted.length + 1;
    }
    line++;
  };
  for (let start = 0; start < Math.min(range.size, reach); start += chunkLength) {
    const text = rest + decoder.decode(await read(start, chunkLength), { stream: true });
    // A chunk can end between the two characters of a line break.
    const half = text.endsWith('\r') ? '\r' : '';
    const pieces = splitLines(text.slice(0, text.length - half.length));
    const open = pieces.pop() ?? '';
    for (const piece of pieces) take(piece);
    if (line > range.last || collected >= characterLimit) return { lines, isEnd: false };
    rest = (line < range.first ? '' : skip(open)) + half;
    if (rest.length > characterLimit) {
      take(rest);
      return { lines, isEnd: false };
    }
  }
  if (rest !== '') take(rest);
  return { lines, isEnd: range.size <= reach };
}
