import { excerpt } from '../../core/tools/excerpt';
import { compileGlob, staticPrefix } from '../../core/tools/paths/glob';
import type {
  FoundFiles,
  FoundText,
  Place,
  ScopedQuery,
  SearchEnd,
  TextLine,
  TextQuery,
} from '../../core/tools/workspace';
import { runRipgrep } from './ripgrep';
import { type MatchRecord, parseRecord } from './ripgrepOutput';

export interface RipgrepOptions {
  readonly executable: string;
  readonly timeLimitMs: number;
  /** What the person's settings leave out of a folder, as globs relative to it. */
  excludesOf(place: Place): { readonly globs: readonly string[]; readonly isIgnoreFilesUsed: boolean };
}

export async function findFiles(
  options: RipgrepOptions,
  query: ScopedQuery,
  signal: AbortSignal,
): Promise<FoundFiles> {
  const files: Place[] = [];
  let end: SearchEnd = 'complete';
  for (const { start, matches } of startsOf(query)) {
    if (end !== 'complete') break;
    end = await runRipgrep(
      {
        executable: options.executable,
        args: ['--files', ...scopeArguments(options, query, start), '--', pathArgument(start)],
        cwd: start.folder.root,
        timeLimitMs: options.timeLimitMs,
        onLine(line) {
          const path = toPath(line);
          if (matches(path)) files.push({ folder: start.folder, path });
          return files.length >= query.limit ? 'stop' : 'go-on';
        },
      },
      signal,
    );
  }
  return { files, end };
}

export async function searchText(
  options: RipgrepOptions,
  query: TextQuery,
  signal: AbortSignal,
): Promise<FoundText> {
  const lines: TextLine[] = [];
  let found = 0;
  let lastMatch = 0;
  let end: SearchEnd = 'complete';
  for (const { start, matches } of startsOf(query)) {
    if (end !== 'complete') break;
    end = await runRipgrep(
      {
        executable: options.executable,
        args: [
          ...textArguments(query),
          ...typeArguments(query.include),
          ...scopeArguments(options, query, start),
          '--',
          pathArgument(start),
        ],
        cwd: start.folder.root,
        timeLimitMs: options.timeLimitMs,
        onLine(output) {
          const record = parseRecord(output);
          if (record === undefined) return 'go-on';
          const path = toPath(record.path);
          if (!matches(path)) return 'go-on';
          // At the limit the context behind the last match is still to come.
          const isBehindLast =
            !record.isMatch && lines.at(-1)?.place.path === path && record.line > lastMatch;
          if (found >= query.limit && !(isBehindLast && record.line <= lastMatch + query.contextLines))
            return 'stop';
          const place = { folder: start.folder, path };
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
  return { lines: sortByPlace(lines), end };
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
      onLine(output) {
        const record = parseRecord(output);
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

export function sortByPlace(lines: readonly TextLine[]): readonly TextLine[] {
  return lines.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : Number(keyOf(a) > keyOf(b))));
}

function keyOf({ place }: TextLine): string {
  return `${place.folder.root}/${place.path}`;
}

type Matcher = (path: string) => boolean;

function compileIncludes({ include }: ScopedQuery): readonly Matcher[] {
  return include.map((glob) => compileGlob(glob, { isCaseSensitive: true }));
}

interface Start {
  readonly start: Place;
  readonly matches: Matcher;
}

/** A glob with a fixed beginning is looked for only there. */
function startsOf(query: ScopedQuery): readonly Start[] {
  const includes = compileIncludes(query);
  return query.within.map((within) => {
    const [glob] = query.include;
    const prefix = glob !== undefined && query.include.length === 1 ? staticPrefix(glob) : '';
    const path = [within.path, prefix].filter((part) => part !== '').join('/');
    return {
      start: { folder: within.folder, path },
      matches: (found) => isBelow(within, { folder: within.folder, path: found }, includes),
    };
  });
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
  const isBalanced = name.split('{').length === name.split('}').length && !/^[^{]*\}/.test(name);
  return isBalanced && glob?.includes('{') !== true
    ? ['--type-add', `wanted:${name}`, '--type', 'wanted']
    : [];
}

function scopeArguments(options: RipgrepOptions, query: ScopedQuery, start: Place): readonly string[] {
  const { globs, isIgnoreFilesUsed } = options.excludesOf(start);
  const isIgnoring = isIgnoreFilesUsed && !query.isIgnoredIncluded;
  return [
    // No configuration file: it could name a program to run (--pre) or switch anything here off.
    '--no-config',
    '--no-messages',
    '--hidden',
    '--max-filesize',
    '1G',
    ...(isIgnoring ? ['--no-require-git', '--no-ignore-parent', '--no-ignore-global'] : ['--no-ignore']),
    ...(query.isIgnoredIncluded ? [] : globs.flatMap((glob) => ['--glob', `!${rooted(glob)}`])),
    ...query.exclude.flatMap((glob) => ['--iglob', `!${rooted(glob)}`]),
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

function toLines(record: MatchRecord, place: Place): readonly TextLine[] {
  const texts = record.text.replace(/\r?\n$/, '').split(/\r?\n/);
  return texts.map((text, at) => ({
    place,
    line: record.line + at,
    text: excerpt(text, at === 0 ? record.start : 0),
    isMatch: record.isMatch,
  }));
}
