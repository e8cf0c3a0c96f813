import { diffLines, type DiffLine } from './diffLines';
import { shortenLongLines } from './longLines';
import { splitLines } from './numberedLines';

/**
 * What a person must see to judge a change: hunks with three lines of context, as `diff -u` writes them. Very long lines
 * show what changes in them.
 */
export function unifiedDiff(before: string, after: string): string {
  const isEndChanged = before !== '' && after !== '' && hasLastEnd(before) !== hasLastEnd(after);
  const lines = shortenLongLines(diffLines(toLines(before, isEndChanged), toLines(after, isEndChanged)));
  const out: string[] = [];
  let oldLine = 1;
  let newLine = 1;
  let shownTo = -1;
  for (const [at, line] of lines.entries()) {
    if (isNearChange(lines, at)) {
      if (at > shownTo + 1 || out.length === 0) out.push(`@@ -${oldLine} +${newLine} @@`);
      out.push(marks[line.kind] + line.text);
      shownTo = at;
    }
    if (line.kind !== 'added') oldLine++;
    if (line.kind !== 'removed') newLine++;
  }
  return out.join('\n');
}

const marks = { same: ' ', removed: '-', added: '+' } as const;
const contextLines = 3;

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

function isNearChange(lines: readonly DiffLine[], at: number): boolean {
  for (let near = at - contextLines; near <= at + contextLines; near++) {
    const kind = lines[near]?.kind;
    if (kind !== undefined && kind !== 'same') return true;
  }
  return false;
}
