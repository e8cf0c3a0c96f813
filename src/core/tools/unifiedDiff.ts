import { characterEnd, characterStart } from '../text/cutText';
import { diffLines, effortLimit, type DiffRun } from './diffLines';
import { splitLines } from './lines';

const contextLines = 3;
const marks = { same: ' ', removed: '-', added: '+' } as const;

/**
 * What a person must see to judge a change: hunks with three lines of context, as `diff -u` writes them. Very long lines
 * show what changes in them.
 */
export function unifiedDiff(before: string, after: string): string {
  const isEndChanged = before !== '' && after !== '' && hasLastEnd(before) !== hasLastEnd(after);
  const runs = shortenLongLines(diffLines(toLines(before, isEndChanged), toLines(after, isEndChanged)));
  const out: string[] = [];
  let oldLine = 1;
  let newLine = 1;
  for (const [at, { kind, lines }] of runs.entries()) {
    // Of lines that stay, those are shown that follow upon a change or lead to one.
    const afterChange = kind === 'same' ? (at > 0 ? contextLines : 0) : lines.length;
    const beforeChange = kind === 'same' && at < runs.length - 1 ? lines.length - contextLines : lines.length;
    const isGap = kind === 'same' && beforeChange > afterChange;
    for (const [index, line] of lines.entries()) {
      const isShown = index < afterChange || index >= beforeChange;
      const startsHunk = out.length === 0 || (isGap && index === beforeChange);
      if (isShown && startsHunk) out.push(`@@ -${oldLine} +${newLine} @@`);
      if (isShown) out.push(marks[kind] + line);
      if (kind !== 'added') oldLine++;
      if (kind !== 'removed') newLine++;
    }
  }
  return out.join('\n');
}

function toLines(text: string, isEndShown: boolean): string[] {
  if (text === '') return [];
  const lines = splitLines(text);
  if (lines.at(-1) === '') lines.pop();
  else if (isEndShown) lines.push('\\ No newline at end of file');
  return lines;
}

function hasLastEnd(text: string): boolean {
  return text.endsWith('\n') || text.endsWith('\r');
}

/** A line up to this length is shown as it is. */
const longLine = 500;
/** What is shown of the unchanged parts around a change in a longer one. */
const around = 80;
/** In longer stretches only their two ends are compared. */
const comparedLength = 500_000;

/** Leaves out of very long lines what a change does not touch, and says how much that is. All that changes is shown. */
function shortenLongLines(runs: readonly DiffRun[]): readonly DiffRun[] {
  // A removed line is compared with the added one that stands in its place.
  const pairs = runs.map(({ kind, lines }, at) => {
    const added = kind === 'removed' && runs[at + 1]?.kind === 'added' ? runs[at + 1] : undefined;
    return (added?.lines.slice(0, lines.length) ?? []).map(
      (after, index) => [lines[index] ?? '', after] as const,
    );
  });
  // What it takes grows with the square of the effort: all lines together take as long as one.
  const effort = Math.floor(effortLimit / Math.sqrt(Math.max(1, pairs.flat().filter(isLongPair).length)));
  const shortened = pairs.map((own) => own.map((pair) => shortenPair(pair, effort)));
  return runs.map(({ kind, lines }, at) => {
    if (kind === 'same') return { kind, lines: lines.map(shortenEnd) };
    const isRemoved = kind === 'removed';
    const own = shortened[isRemoved ? at : at - 1] ?? [];
    return {
      kind,
      lines: lines.map((line, index) => own[index]?.[isRemoved ? 'before' : 'after'] ?? line),
    };
  });
}

type Pair = readonly [before: string, after: string];

function isLongPair([before, after]: Pair): boolean {
  return before.length > longLine || after.length > longLine;
}

function shortenPair(pair: Pair, effort: number): { readonly before: string; readonly after: string } {
  const [before, after] = pair;
  if (!isLongPair(pair)) return { before, after };
  const start = commonStart(before, after);
  const end = commonEnd(before, after, start);
  const [from, to] = [before.slice(start, before.length - end), after.slice(start, after.length - end)];
  const middle: readonly DiffRun[] =
    from.length + to.length <= comparedLength
      ? diffLines(toWords(from), toWords(to), effort)
      : [
          { kind: 'removed', lines: [from] },
          { kind: 'added', lines: [to] },
        ];
  const side = (kind: DiffRun['kind']) =>
    [
      shortenMiddle(before.slice(0, start), 0, around),
      ...middle.map((run) => {
        if (run.kind === 'same') return shortenMiddle(run.lines.join(''), around, around);
        return run.kind === kind ? run.lines.join('') : '';
      }),
      shortenMiddle(before.slice(before.length - end), around, 0),
    ].join('');
  return { before: side('removed'), after: side('added') };
}

function commonStart(a: string, b: string): number {
  let length = 0;
  while (length < a.length && length < b.length && a[length] === b[length]) length++;
  return Math.min(characterStart(a, length), characterStart(b, length));
}

function commonEnd(a: string, b: string, start: number): number {
  const most = Math.min(a.length, b.length) - start;
  let length = 0;
  while (length < most && a[a.length - 1 - length] === b[b.length - 1 - length]) length++;
  return a.length - characterEnd(a, a.length - length);
}

function toWords(text: string): readonly string[] {
  return text.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? [];
}

function shortenEnd(text: string): string {
  return text.length <= longLine ? text : shortenMiddle(text, 2 * around, 0);
}

function shortenMiddle(text: string, atStart: number, atEnd: number): string {
  if (text.length - atStart - atEnd <= around) return text;
  const start = characterStart(text, atStart);
  const end = characterEnd(text, text.length - atEnd);
  return `${text.slice(0, start)}⟨${end - start} characters⟩${text.slice(end)}`;
}
