import { ToolError } from '../errors';
import { fitLineEnds, unixLines, viewAsUnix } from './lineEnds';
import { splitLines } from './lines';

export interface Replacement {
  readonly old_text: string;
  readonly new_text: string;
  readonly replace_all?: boolean;
}

/**
 * Applies all replacements, each to what the one before left, or throws ToolError and applies none. Line ends are not
 * compared, and those that no replacement touches stay what they are.
 */
export function replaceText(
  text: string,
  replacements: readonly Replacement[],
  options: { readonly shown: string; readonly isSecret: boolean },
): string {
  let current = text;
  for (const [at, replacement] of replacements.entries()) {
    const label = replacements.length > 1 ? `Edit ${at + 1} of ${replacements.length}: ` : '';
    current = replaceOne(current, replacement, { ...options, label });
  }
  return current;
}

function replaceOne(
  original: string,
  replacement: Replacement,
  options: { readonly shown: string; readonly isSecret: boolean; readonly label: string },
): string {
  const view = viewAsUnix(original);
  const { text } = view;
  const wanted = unixLines(replacement.old_text);
  const next = unixLines(replacement.new_text);
  const refuse = (why: string) => new ToolError(`${options.label}${why} Nothing was changed.`);
  if (wanted === next) throw refuse('old_text and new_text are the same.');
  if (wanted === '') {
    if (text === '') return next;
    throw refuse('old_text is empty: give the exact text to replace, with lines around it where you insert.');
  }
  const starts = indexesOf(text, wanted);
  if (starts.length === 0) {
    throw refuse(
      `old_text does not occur in ${options.shown}. ${options.isSecret ? '' : explainMiss(text, wanted)}`,
    );
  }
  if (starts.length > 1 && replacement.replace_all !== true) {
    const lines = starts.slice(0, 10).map((start) => lineAt(text, start));
    const more = starts.length > lines.length ? ' …' : '';
    throw refuse(
      `old_text occurs ${starts.length} times in ${options.shown}, at lines ${lines.join(', ')}${more}: ` +
        'add lines around the one you mean, or set replace_all.',
    );
  }
  const pieces: string[] = [];
  let from = 0;
  for (const at of starts) {
    const start = view.toOriginal(at);
    const end = view.toOriginal(at + wanted.length);
    pieces.push(original.slice(from, start), fitLineEnds(view, { start, end }, next));
    from = end;
  }
  return pieces.join('') + original.slice(from);
}

/** Without overlaps. */
function indexesOf(text: string, wanted: string): readonly number[] {
  const starts: number[] = [];
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length))
    starts.push(at);
  return starts;
}

/** What the model most likely meant: the usual slips first, else the lines that look most alike. */
function explainMiss(text: string, wanted: string): string {
  const withoutNumbers = wanted.replace(/^\d+\t/gm, '');
  if (withoutNumbers !== wanted && text.includes(withoutNumbers)) {
    return 'It starts with the line numbers of read_file: leave them and the tab out.';
  }
  const lines = splitLines(text);
  const wantedLines = splitLines(wanted);
  const loose = findLoosely(lines, wantedLines);
  if (loose !== undefined) {
    const actual = lines.slice(loose, loose + wantedLines.length);
    return `Lines ${loose + 1}–${loose + actual.length} differ only in white space; they read:\n${quote(actual)}\n`;
  }
  const first = wantedLines.find((line) => line.trim() !== '') ?? '';
  const near = nearest(lines, first);
  if (near.length === 0) return 'Read the file again and copy the text exactly.';
  const shown = near.map(({ line, text: similar }) => `${line}\t${similar.slice(0, 300)}`).join('\n');
  return `The nearest lines are:\n${shown}\nRead the file again and copy the text exactly.`;
}

function findLoosely(lines: readonly string[], wanted: readonly string[]): number | undefined {
  const squeezed = lines.map(squeeze);
  const pattern = wanted.map(squeeze);
  if (pattern.every((line) => line === '')) return undefined;
  const at = squeezed.findIndex((_, start) =>
    pattern.every((line, offset) => squeezed[start + offset] === line),
  );
  return at === -1 ? undefined : at;
}

const nearLimit = 3;
const leastLikeness = 0.5;
const linesCompared = 20_000;

function nearest(lines: readonly string[], wanted: string) {
  const pairs = pairsOf(wanted);
  return lines
    .slice(0, linesCompared)
    .map((text, at) => ({ line: at + 1, text, likeness: likeness(pairsOf(text), pairs) }))
    .filter((candidate) => candidate.likeness >= leastLikeness)
    .toSorted((a, b) => b.likeness - a.likeness || a.line - b.line)
    .slice(0, nearLimit);
}

/** Sørensen–Dice over pairs of letters: cheap, and good at typing slips. */
function likeness(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0 || b.size === 0) return 0;
  let common = 0;
  for (const pair of a) if (b.has(pair)) common++;
  return (2 * common) / (a.size + b.size);
}

function pairsOf(line: string): ReadonlySet<string> {
  const text = squeeze(line).slice(0, 300);
  return new Set(Array.from({ length: Math.max(0, text.length - 1) }, (_, at) => text.slice(at, at + 2)));
}

function squeeze(line: string): string {
  return line.trim().replace(/\s+/g, ' ');
}

function quote(lines: readonly string[]): string {
  return lines.join('\n').slice(0, 3_000);
}

function lineAt(text: string, index: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at !== -1 && at < index; at = text.indexOf('\n', at + 1)) line++;
  return line;
}
