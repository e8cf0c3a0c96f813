import { splitLines } from './numberedLines';

const chunkLength = 4 * 1024 * 1024;
/** How far a range is looked for; further on, search is the better tool. */
const reach = 512 * 1024 * 1024;
/** More than any result shows; a line without end must not fill the memory. */
const characterLimit = 200_000;

/** Lines `first` to `last` of a file that is too large to be held as a whole, read in chunks from its start. */
export async function scanLines(
  read: (start: number, length: number) => Promise<Uint8Array>,
  range: { readonly size: number; readonly first: number; readonly last: number },
): Promise<{ readonly lines: readonly string[]; readonly isEnd: boolean }> {
  const decoder = new TextDecoder();
  const lines: string[] = [];
  let line = 1;
  let collected = 0;
  let rest = '';
  const take = (text: string) => {
    if (line >= range.first && line <= range.last && collected < characterLimit) {
      lines.push(text);
      collected += text.length + 1;
    }
    line++;
  };
  for (let start = 0; start < Math.min(range.size, reach); start += chunkLength) {
    const text = rest + decoder.decode(await read(start, chunkLength), { stream: true });
    // A chunk can end between the two characters of a line break.
    const half = text.endsWith('\r') ? '\r' : '';
    const pieces = splitLines(text.slice(0, text.length - half.length));
    rest = (pieces.pop() ?? '') + half;
    for (const piece of pieces) take(piece);
    if (line > range.last || collected >= characterLimit) return { lines, isEnd: false };
    if (rest.length > characterLimit) rest = rest.slice(0, characterLimit);
  }
  if (rest !== '') take(rest);
  return { lines, isEnd: range.size <= reach };
}
