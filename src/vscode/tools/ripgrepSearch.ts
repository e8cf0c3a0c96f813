import { excerpt } from '../../core/tools/lines';
import { compileGlob } from '../../core/tools/paths/glob';
import {
  isSamePlace,
  isWithin,
  placeKey,
  type FoundText,
  type Place,
  type ScopedQuery,
  type SearchEnd,
  type TextLine,
  type TextQuery,
} from '../../core/tools/workspace';
import { withIgnoreFiles } from './ignoreFiles';
import { runRipgrep, type RipgrepRun } from './ripgrep';
import { scopeArguments, textArguments, typeArguments, type Excludes } from './ripgrepArguments';
import { type MatchRecord, parseRecord } from './ripgrepOutput';

export interface RipgrepOptions {
  readonly executable: string;
  readonly timeLimitMs: number;
  excludesOf(place: Place): Excludes;
  /** What files of a folder are in, in ripgrep's words; undefined for UTF-8 and what ripgrep does not know. */
  encodingOf(place: Place): string | undefined;
}

export async function findFiles(
  options: RipgrepOptions,
  query: ScopedQuery,
  onFile: (file: Place) => void,
  signal: AbortSignal,
): Promise<SearchEnd> {
  let found = 0;
  const isIncluded = compileScope(query);
  return forEachStart(query, async (start) => {
    const onLine: RipgrepRun['onLine'] = (line) => {
      const place = { folder: start.folder, path: toPath(line) };
      if (!isIncluded(start, place)) return 'go-on';
      onFile(place);
      return ++found >= query.limit ? 'stop' : 'go-on';
    };
    return withIgnoreFiles(start, (ignoreFiles) => {
      const args = ['--files', ...scopeArguments(query, start, options.excludesOf(start), ignoreFiles)];
      return run(options, start, { args, onLine }, signal);
    });
  });
}

/** What stands in files, and in unsaved editors instead of their files. */
export async function searchText(
  options: RipgrepOptions,
  query: TextQuery,
  readUnsaved: () => Promise<readonly UnsavedText[]>,
  signal: AbortSignal,
): Promise<FoundText> {
  let onDisk: readonly FoundLine[] = [];
  const end = await forEachStart(query, async (start) => {
    const limit = query.limit - countMatches(onDisk);
    const found = await searchFrom(start, options, { ...query, limit }, signal);
    onDisk = [...onDisk, ...found.lines];
    return found.end;
  });
  // Only now: that an editor was changed is known a moment later than the change itself.
  const editors = (await readUnsaved()).filter(({ place }) => isInScope(query, place));
  const isStale = ({ place }: TextLine) => editors.some((editor) => isSamePlace(editor.place, place));
  const edited = await Promise.all(editors.map((editor) => searchUnsaved(options, query, editor, signal)));
  return { lines: sortByPlace([...onDisk.filter((line) => !isStale(line)), ...edited.flat()]), end };
}

interface UnsavedText {
  readonly place: Place;
  readonly text: string;
}

/** A line that was found, and whether it could not be read as UTF-8. */
interface FoundLine extends TextLine {
  readonly isGarbled: boolean;
}

interface Found {
  readonly lines: readonly FoundLine[];
  readonly end: SearchEnd;
}

/**
 * ripgrep finds text in UTF-8, and in UTF-16 by its byte order mark. Where the person's files are in another encoding, a
 * second run looks for that.
 */
async function searchFrom(
  start: Place,
  options: RipgrepOptions,
  query: TextQuery,
  signal: AbortSignal,
): Promise<Found> {
  const plain = await searchIn(undefined, start, options, query, signal);
  const encoding = plain.end === 'complete' ? options.encodingOf(start) : undefined;
  if (encoding === undefined) return plain;
  return mergeFound(plain, await searchIn(encoding, start, options, query, signal), query.limit);
}

async function searchIn(
  encoding: string | undefined,
  start: Place,
  options: RipgrepOptions,
  query: TextQuery,
  signal: AbortSignal,
): Promise<Found> {
  const lines: FoundLine[] = [];
  let found = 0;
  let lastMatch = 0;
  const isIncluded = compileScope(query);
  const args = [
    ...(encoding === undefined ? [] : ['--encoding', encoding]),
    ...textArguments(query),
    ...typeArguments(query.include),
  ];
  const onLine: RipgrepRun['onLine'] = (output, isSqueezed) => {
    const record = parseRecord(output, isSqueezed);
    if (record === undefined) return 'go-on';
    const place = { folder: start.folder, path: toPath(record.path) };
    if (!isIncluded(start, place)) return 'go-on';
    // At the limit the context behind the last match is still to come.
    const isBehindLast =
      !record.isMatch && lines.at(-1)?.place.path === place.path && record.line > lastMatch;
    if (found >= query.limit && !(isBehindLast && record.line <= lastMatch + query.contextLines))
      return 'stop';
    for (const line of toLines(record, place)) lines.push(line);
    if (record.isMatch) {
      found++;
      lastMatch = lines.at(-1)?.line ?? 0;
    }
    return 'go-on';
  };
  const end = await withIgnoreFiles(start, (ignoreFiles) => {
    const where = scopeArguments(query, start, options.excludesOf(start), ignoreFiles);
    return run(options, start, { args: [...args, ...where], onLine }, signal);
  });
  return { end, lines };
}

/** What UTF-8 could read counts as it is; what it could not, as the other encoding reads it. */
function mergeFound(plain: Found, encoded: Found, limit: number): Found {
  const lines = new Map(plain.lines.map((line) => [`${line.place.path}\0${line.line}`, line]));
  for (const line of encoded.lines) {
    const key = `${line.place.path}\0${line.line}`;
    const known = lines.get(key);
    const shown = known === undefined || known.isGarbled ? line : known;
    lines.set(key, { ...shown, isMatch: line.isMatch || known?.isMatch === true });
  }
  const sorted = sortByPlace([...lines.values()]);
  let matches = 0;
  const end = sorted.findIndex(({ isMatch }) => isMatch && ++matches > limit);
  return end === -1 ? { lines: sorted, end: encoded.end } : { lines: sorted.slice(0, end), end: 'limit' };
}

/** The same search over the text of one unsaved editor. */
async function searchUnsaved(
  options: RipgrepOptions,
  query: TextQuery,
  { place, text }: UnsavedText,
  signal: AbortSignal,
): Promise<readonly TextLine[]> {
  const lines: TextLine[] = [];
  const onLine: RipgrepRun['onLine'] = (output, isSqueezed) => {
    const record = parseRecord(output, isSqueezed);
    if (record !== undefined) for (const line of toLines(record, place)) lines.push(line);
    return 'go-on';
  };
  await run(options, place, { args: [...textArguments(query), '--', '-'], input: text, onLine }, signal);
  return lines;
}

function run(
  { executable, timeLimitMs }: RipgrepOptions,
  { folder }: Place,
  what: Pick<RipgrepRun, 'args' | 'input' | 'onLine'>,
  signal: AbortSignal,
): Promise<SearchEnd> {
  return runRipgrep({ executable, timeLimitMs, cwd: folder.root, ...what }, signal);
}

/** Until one of them does not come to its end. */
async function forEachStart(
  { within }: ScopedQuery,
  search: (start: Place) => Promise<SearchEnd>,
): Promise<SearchEnd> {
  for (const start of within) {
    const end = await search(start);
    if (end !== 'complete') return end;
  }
  return 'complete';
}

/** Whether a place is in the scope of a query, ignore files and settings aside. */
function isInScope(query: ScopedQuery, place: Place): boolean {
  const isIncluded = compileScope(query);
  const isExcluded = query.exclude.some((glob) => compileGlob(glob, { isCaseSensitive: false })(place.path));
  return !isExcluded && query.within.some((start) => isIncluded(start, place));
}

/** Whether a place is below where the search starts, and fits what is to be included there. */
function compileScope({ include }: ScopedQuery): (start: Place, place: Place) => boolean {
  const includes = include.map((glob) => compileGlob(glob, { isCaseSensitive: true }));
  return (start, place) => {
    if (!isWithin(start, place)) return false;
    if (includes.length === 0) return true;
    const from = start.path === place.path ? place.path.lastIndexOf('/') + 1 : startOf(start);
    const relative = place.path.slice(from);
    return includes.some((matches) => matches(relative));
  };
}

function startOf({ path }: Place): number {
  return path === '' ? 0 : path.length + 1;
}

function countMatches(lines: readonly TextLine[]): number {
  return lines.filter(({ isMatch }) => isMatch).length;
}

function sortByPlace<Line extends TextLine>(lines: readonly Line[]): readonly Line[] {
  return lines.toSorted((a, b) => {
    const [one, other] = [placeKey(a.place), placeKey(b.place)];
    if (one === other) return a.line - b.line;
    return one < other ? -1 : 1;
  });
}

function toPath(printed: string): string {
  const slashed = process.platform === 'win32' ? printed.replaceAll('\\', '/') : printed;
  // Without expressions: for a listing of 50,000 files they took as long as half of ripgrep's own work.
  const start = slashed.startsWith('./') ? 2 : 0;
  return slashed.slice(start, slashed.endsWith('\r') ? -1 : undefined);
}

function toLines(record: MatchRecord, place: Place): readonly FoundLine[] {
  const texts = record.text.replace(/\r?\n$/, '').split(/\r?\n/);
  return texts.map((text, at) => ({
    place,
    line: record.line + at,
    text: excerpt(text, at === 0 ? record.start : 0),
    isMatch: record.isMatch,
    isGarbled: record.isGarbled,
  }));
}
