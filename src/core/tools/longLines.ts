import { diffLines, type DiffLine } from './diffLines';

/** A line up to this length is shown as it is. */
const longLine = 500;
/** What is shown of the unchanged parts around a change in a longer one. */
const around = 80;
/** In longer stretches only their two ends are compared. */
const comparedLength = 500_000;

/** Leaves out of very long lines what a change does not touch, and says how much that is. All that changes is shown. */
export function shortenLongLines(lines: readonly DiffLine[]): readonly DiffLine[] {
  if (lines.every(({ text }) => text.length <= longLine)) return lines;
  return inBlocks(lines).flatMap(shortenBlock);
}

/** A removed line is compared with the added one that stands in its place. */
function shortenBlock(block: readonly DiffLine[]): readonly DiffLine[] {
  if (block[0]?.kind === 'same') return block.map(({ kind, text }) => ({ kind, text: shortenEnd(text) }));
  const removed = block.filter(({ kind }) => kind === 'removed');
  const added = block.filter(({ kind }) => kind === 'added');
  const pairs = removed.map(({ text }, at) => {
    const partner = added[at];
    return partner === undefined ? undefined : shortenPair(text, partner.text);
  });
  return [
    ...removed.map(({ kind, text }, at) => ({ kind, text: pairs[at]?.before ?? text })),
    ...added.map(({ kind, text }, at) => ({ kind, text: pairs[at]?.after ?? text })),
  ];
}

/** Runs of lines that stay, and of lines that do not. */
function inBlocks(lines: readonly DiffLine[]): readonly (readonly DiffLine[])[] {
  const blocks: DiffLine[][] = [];
  let last: DiffLine | undefined;
  for (const line of lines) {
    if (last === undefined || (last.kind === 'same') !== (line.kind === 'same')) blocks.push([]);
    blocks.at(-1)?.push(line);
    last = line;
  }
  return blocks;
}

function shortenPair(before: string, after: string): { readonly before: string; readonly after: string } {
  if (before.length <= longLine && after.length <= longLine) return { before, after };
  const start = commonStart(before, after);
  const end = commonEnd(before, after, start);
  const middleBefore = before.slice(start, before.length - end);
  const middleAfter = after.slice(start, after.length - end);
  const isComparable = middleBefore.length + middleAfter.length <= comparedLength;
  const parts: readonly DiffLine[] = [
    { kind: 'same', text: before.slice(0, start) },
    ...(isComparable
      ? joinParts(diffLines(toWords(middleBefore), toWords(middleAfter)))
      : ([
          { kind: 'removed', text: middleBefore },
          { kind: 'added', text: middleAfter },
        ] as const)),
    { kind: 'same', text: before.slice(before.length - end) },
  ];
  const side = (kind: DiffLine['kind']) =>
    parts
      .map((part, at) => {
        if (part.kind !== 'same') return part.kind === kind ? part.text : '';
        return shortenMiddle(part.text, at > 0 ? around : 0, at < parts.length - 1 ? around : 0);
      })
      .join('');
  return { before: side('removed'), after: side('added') };
}

function commonStart(a: string, b: string): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length++;
  return isLowSurrogate(a, length) || isLowSurrogate(b, length) ? length - 1 : length;
}

function commonEnd(a: string, b: string, start: number): number {
  const most = Math.min(a.length, b.length) - start;
  let length = 0;
  while (length < most && a[a.length - 1 - length] === b[b.length - 1 - length]) length++;
  return isLowSurrogate(a, a.length - length) ? length - 1 : length;
}

function isLowSurrogate(text: string, at: number): boolean {
  const unit = text.charCodeAt(at);
  return unit >= 0xdc00 && unit <= 0xdfff;
}

function toWords(text: string): readonly string[] {
  return text.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? [];
}

/** Neighbours of one kind as one. */
function joinParts(words: readonly DiffLine[]): readonly DiffLine[] {
  const parts: { kind: DiffLine['kind']; texts: string[] }[] = [];
  for (const { kind, text } of words) {
    const last = parts.at(-1);
    if (last?.kind === kind) last.texts.push(text);
    else parts.push({ kind, texts: [text] });
  }
  return parts.map(({ kind, texts }) => ({ kind, text: texts.join('') }));
}

function shortenEnd(text: string): string {
  return text.length <= longLine ? text : shortenMiddle(text, 2 * around, 0);
}

function shortenMiddle(text: string, atStart: number, atEnd: number): string {
  const left = text.length - atStart - atEnd;
  if (left <= around) return text;
  const start = isLowSurrogate(text, atStart) ? atStart - 1 : atStart;
  const end = isLowSurrogate(text, text.length - atEnd) ? text.length - atEnd + 1 : text.length - atEnd;
  return `${text.slice(0, Math.max(0, start))}⟨${end - start} characters⟩${text.slice(end)}`;
}
