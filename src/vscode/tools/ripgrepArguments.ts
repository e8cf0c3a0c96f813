import type { Place, ScopedQuery, TextQuery } from '../../core/tools/workspace';

/** What VS Code's own settings leave out of searches in a folder, as globs relative to it. */
export interface Excludes {
  readonly globs: readonly string[];
  readonly isIgnoreFilesUsed: boolean;
}

/** What to look for. */
export function textArguments(query: TextQuery): readonly string[] {
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
export function typeArguments(include: readonly string[]): readonly string[] {
  const [glob] = include;
  const name = include.length === 1 ? glob?.split('/').at(-1) : undefined;
  if (name === undefined || name.includes('**')) return [];
  const isPlain = isRipgrepGlob(name) && glob?.includes('{') !== true;
  return isPlain ? ['--type-add', `wanted:${name}`, '--type', 'wanted'] : [];
}

/** Where to look. `ignoreFiles`: of what is further up. */
export function scopeArguments(
  query: ScopedQuery,
  { path }: Place,
  { globs, isIgnoreFilesUsed }: Excludes,
  ignoreFiles: readonly string[],
): readonly string[] {
  const isIgnoring = isIgnoreFilesUsed && !query.isIgnoredIncluded;
  return [
    '--no-messages',
    '--hidden',
    '--max-filesize',
    '1G',
    ...(isIgnoring
      ? [
          ...['--no-require-git', '--no-ignore-parent', '--no-ignore-global'],
          ...ignoreFiles.flatMap((file) => ['--ignore-file', file]),
        ]
      : ['--no-ignore']),
    ...(query.isIgnoredIncluded ? [] : globs)
      .filter(isRipgrepGlob)
      .flatMap((glob) => ['--glob', `!${rooted(glob)}`]),
    ...query.exclude.filter(isRipgrepGlob).flatMap((glob) => ['--iglob', `!${rooted(glob)}`]),
    '--glob',
    '!**/.git',
    '--',
    path === '' ? './' : `./${path}`,
  ];
}

/** VS Code anchors a glob at the folder, ripgrep one without a slash anywhere. */
function rooted(glob: string): string {
  return glob.startsWith('**/') || glob.startsWith('/') ? glob : `/${glob}`;
}

/**
 * Whether ripgrep can read a glob. VS Code is more lenient, and ripgrep refuses a whole search for one that it cannot
 * read: a workspace with such a setting would have no search at all.
 */
export function isRipgrepGlob(glob: string): boolean {
  let depth = 0;
  for (let at = 0; at < glob.length; at++) {
    const character = glob.charAt(at);
    if (character === '\\') {
      if (++at >= glob.length) return false;
    } else if (character === '[') {
      const end = endOfClass(glob, at);
      if (end === undefined) return false;
      at = end;
    } else if (character === '{') depth++;
    else if (character === '}' && --depth < 0) return false;
  }
  return depth === 0;
}

/** Where a class such as `[a-z]` ends; undefined when it does not, or has a range that runs backwards. */
function endOfClass(glob: string, start: number): number | undefined {
  const isNegated = glob.charAt(start + 1) === '!' || glob.charAt(start + 1) === '^';
  const first = start + (isNegated ? 2 : 1);
  // A bracket right at the start stands for itself.
  const end = glob.indexOf(']', first + 1);
  if (end === -1) return undefined;
  const ranges = glob.slice(first, end).matchAll(/(.)-(.)/gsu);
  for (const [, from = '', to = ''] of ranges) if (from > to) return undefined;
  return end;
}
