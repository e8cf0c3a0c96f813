import { excerpt } from '../../core/tools/excerpt';
import { compileGlob } from '../../core/tools/paths/glob';
import type {
  FoundText,
  Place,
  ScopedQuery,
  SearchEnd,
  TextLine,
  TextQuery,
} from '../../core/tools/workspace';
import { runRipgrep } from './ripgrep';
import { isRipgrepGlob } from './ripgrepGlobs';
import { type MatchRecord, parseRecord } from './ripgrepOutput';

export interface RipgrepOptions {
  readonly executable: string;
  readonly timeLimitMs: number;
  /** What the person's settings leave out of a folder, as globs relative to it. */
  excludesOf(place: Place): { readonly globs: readonly string[]; readonly isIgnoreFilesUsed: boolean };
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
  let end: SearchEnd = 'complete';
  const includes = compileIncludes(query);
  for (const start of query.within) {
    if (end !== 'complete') break;
    end = await runRipgrep(
      {
        executable: options.executable,
        args: ['--files', ...scopeArguments(options, query, start), '--', pathArgument(start)],
        cwd: start.folder.root,
        timeLimitMs: options.timeLimitMs,
        onLine(line) {
          const place = { folder: start.folder, path: toPath(line) };
          if (!isBelow(start, place, includes)) return 'go-on';
          onFile(place);
          return ++found >= query.limit ? 'stop' : 'go-on';
        },
      },
      signal,
    );
  }
  return end;
}

/**
 * ripgrep finds text in UTF-8, and in UTF-16 by its byte order mark. Where the person's files are in another encoding, a
 * second run looks for that.
 */
export async function searchText(
  options: RipgrepOptions,
  query: TextQuery,
  signal: AbortSignal,
): Promise<FoundText> {
  const lines: FoundLine[] = [];
  let end: SearchEnd = 'complete';
  for (const start of query.within) {
    if (end !== 'complete') break;
    const scope = { ...query, within: [start], limit: query.limit - countMatches(lines) };
    const plain = await searchOnce(options, scope, undefined, signal);
    const encoding = plain.end === 'complete' ? options.encodingOf(start) : undefined;
    const encoded = encoding === undefined ? undefined : await searchOnce(options, scope, encoding, signal);
    const merged = encoded === undefined ? plain : mergeFound(plain, encoded, scope.limit);
    lines.push(...merged.lines);
    end = merged.end;
  }
  return { lines: sortByPlace(lines), end };
}

/** A line that was found, and whether it could not be read as UTF-8. */
interface FoundLine extends TextLine {
  readonly isGarbled: boolean;
}

interface Found {
  readonly lines: readonly FoundLine[];
  readonly end: SearchEnd;
}

async function searchOnce(
  options: RipgrepOptions,
  query: TextQuery,
  encoding: string | undefined,
  signal: AbortSignal,
): Promise<Found> {
  const lines: FoundLine[] = [];
  let found = 0;
  let lastMatch = 0;
  let end: SearchEnd = 'complete';
  const includes = compileIncludes(query);
  for (const start of query.within) {
    if (end !== 'complete') break;
    end = await runRipgrep(
      {
        executable: options.executable,
        args: [
          ...(encoding === undefined ? [] : ['--encoding', encoding]),
          ...textArguments(query),
          ...typeArguments(query.include),
          ...scopeArguments(options, query, start),
          '--',
          pathArgument(start),
        ],
        cwd: start.folder.root,
        timeLimitMs: options.timeLimitMs,
        onLine(output, isSqueezed) {
          const record = parseRecord(output, isSqueezed);
          if (record === undefined) return 'go-on';
          const place = { folder: start.folder, path: toPath(record.path) };
          if (!isBelow(start, place, includes)) return 'go-on';
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
        },
      },
      signal,
    );
  }
  return { lines, end };
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
  return countMatches(sorted) <= limit
    ? { lines: sorted, end: encoded.end }
    : { lines: sorted.slice(0, endOfMatches(sorted, limit)), end: 'limit' };
}

function countMatches(lines: readonly TextLine[]): number {
  return lines.filter(({ isMatch }) => isMatch).length;
}

/** Where the match after so many stands. */
function endOfMatches(lines: readonly TextLine[], limit: number): number {
  let matches = 0;
  return lines.findIndex(({ isMatch }) => isMatch && ++matches > limit);
}

/** The same search over the text of one unsaved editor. */
export async function searchUnsaved(
  options: RipgrepOptions,
  query: TextQuery,
  unsaved: { readonly place: Place; readonly text: string },
  signal: AbortSignal,
): Promise<readonly TextLine[]> {
  const lines: TextLine[] = [];
  await runRipgrep(
    {
      executable: options.executable,
      args: [...textArguments(query), '--', '-'],
      cwd: unsaved.place.folder.root,
      timeLimitMs: options.timeLimitMs,
      input: unsaved.text,
      onLine(output, isSqueezed) {
        const record = parseRecord(output, isSqueezed);
        if (record !== undefined) for (const line of toLines(record, unsaved.place)) lines.push(line);
        return 'go-on';
      },
    },
    signal,
  );
  return lines;
}

/** Whether a place is in the scope of a query, ignore files and settings aside. */
export function isInScope(query: ScopedQuery, place: Place): boolean {
  const isExcluded = query.exclude.some((glob) => compileGlob(glob, { isCaseSensitive: false })(place.path));
  if (isExcluded) return false;
  const includes = compileIncludes(query);
  return query.within.some(
    (within) => within.folder.root === place.folder.root && isBelow(within, place, includes),
  );
}

export function sortByPlace<Line extends TextLine>(lines: readonly Line[]): readonly Line[] {
  return lines.toSorted((a, b) => {
    if (keyOf(a) === keyOf(b)) return a.line - b.line;
    return keyOf(a) < keyOf(b) ? -1 : 1;
  });
}

function keyOf({ place }: TextLine): string {
  return `${place.folder.root}/${place.path}`;
}

type Matcher = (path: string) => boolean;

function compileIncludes({ include }: ScopedQuery): readonly Matcher[] {
  return include.map((glob) => compileGlob(glob, { isCaseSensitive: true }));
}

function isBelow(within: Place, place: Place, includes: readonly Matcher[]): boolean {
  const isSame = within.path === place.path;
  const isInside = within.path === '' || isSame || place.path.startsWith(`${within.path}/`);
  if (!isInside) return false;
  if (includes.length === 0) return true;
  const name = place.path.slice(place.path.lastIndexOf('/') + 1);
  const relative = isSame ? name : place.path.slice(within.path === '' ? 0 : within.path.length + 1);
  return includes.some((matches) => matches(relative));
}

function textArguments(query: TextQuery): readonly string[] {
  return [
    '--json',
    '--crlf',
    ...(query.isLiteral ? ['--fixed-strings'] : []),
    query.isCaseSensitive ? '--case-sensitive' : '--ignore-case',
    ...(query.contextLines > 0 ? ['--context', String(query.contextLines)] : []),
    // One file alone can reach the limit; one more tells that there are more.
    '--max-count',
    String(query.limit + 1),
    ...(/\n|\\n/.test(query.pattern) ? ['--multiline'] : []),
    '-e',
    query.pattern,
  ];
}

/** File types narrow without overruling ignore files, as ripgrep's own include globs would. They know names only. */
function typeArguments(include: readonly string[]): readonly string[] {
  const [glob] = include;
  const name = include.length === 1 ? glob?.split('/').at(-1) : undefined;
  if (name === undefined || name.includes('**')) return [];
  const isPlain = isRipgrepGlob(name) && glob?.includes('{') !== true;
  return isPlain ? ['--type-add', `wanted:${name}`, '--type', 'wanted'] : [];
}

function scopeArguments(options: RipgrepOptions, query: ScopedQuery, start: Place): readonly string[] {
  const { globs, isIgnoreFilesUsed } = options.excludesOf(start);
  const isIgnoring = isIgnoreFilesUsed && !query.isIgnoredIncluded;
  return [
    '--no-messages',
    '--hidden',
    '--max-filesize',
    '1G',
    ...(isIgnoring ? ['--no-require-git', '--no-ignore-parent', '--no-ignore-global'] : ['--no-ignore']),
    ...(query.isIgnoredIncluded ? [] : globs)
      .filter(isRipgrepGlob)
      .flatMap((glob) => ['--glob', `!${rooted(glob)}`]),
    ...query.exclude.filter(isRipgrepGlob).flatMap((glob) => ['--iglob', `!${rooted(glob)}`]),
    '--glob',
    '!**/.git',
  ];
}

/** VS Code anchors a glob at the folder, ripgrep one without a slash anywhere. */
function rooted(glob: string): string {
  return glob.startsWith('**/') || glob.startsWith('/') ? glob : `/${glob}`;
}

function pathArgument({ path }: Place): string {
  return path === '' ? './' : `./${path}`;
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
