import type { GuidanceFile, Shelf } from './shelf';

/** How deep files may import files (T2). */
const maxDepth = 5;
/** In one file. */
const maxImports = 30;
/** Of one file and all that it leads to. */
const maxFiles = 100;
/** Nothing that stands further down is ever sent. */
const maxChars = 40_000;
const maxPathChars = 1_000;

/** Both kinds of shelf, since files of the workspace may import some of the person's. */
export interface Shelves {
  readonly workspace: Shelf;
  readonly person: Shelf;
}

/**
 * A file and all that it imports with `@path`, each after the one that names it. Each file counts once, by whatever
 * names and circles it is reached: `seen` has those that counted before.
 */
export async function withImports(
  file: { readonly found: GuidanceFile; readonly path: string; readonly shelf: Shelf },
  { shelves, seen }: { readonly shelves: Shelves; readonly seen: Set<string> },
  signal: AbortSignal,
  { depth, room } = { depth: 0, room: { files: maxFiles } },
): Promise<readonly GuidanceFile[]> {
  const { found, path, shelf } = file;
  if (seen.has(found.key) || room.files === 0) return [];
  seen.add(found.key);
  room.files--;
  const files = [found];
  if (depth === maxDepth || room.files === 0) return files;
  // Side by side: on a file system that does not answer, the wait for all of them is the wait for one.
  const imported = await Promise.all(
    importsIn(found.text).map(async (named) => {
      const target = resolve(named, path, shelf, shelves);
      const read = target && (await target.shelf.read(target.path, signal));
      return target && read && { path: target.path, shelf: target.shelf, found: read };
    }),
  );
  for (const one of imported)
    if (one) files.push(...(await withImports(one, { shelves, seen }, signal, { depth: depth + 1, room })));
  return files;
}

/** The paths after `@`, in the order they stand there. What is code is no import. */
export function importsIn(text: string): readonly string[] {
  const prose = text
    .slice(0, maxChars)
    .replaceAll(/^ {0,3}(`{3,}(?!`)|~{3,}(?!~))[^\n]*\n[^]*?(?:^ {0,3}\1[^\n]*$|$(?![^]))/gm, '')
    .replaceAll(/(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)/g, '');
  const named = [...prose.matchAll(/(?<=^|[\s(])@((?:\\ |[^\s`])+)/g)].flatMap(([, path = '']) =>
    path.length > maxPathChars ? [] : [path.replaceAll('\\ ', ' ').replace(/[.,;:!?)]+$/, '')],
  );
  return [...new Set(named)].filter((path) => /^[~./\w]/.test(path)).slice(0, maxImports);
}

const personal = '~/.claude/';

/** Relative to the file that names it. The path policy of the shelf decides whether it may be read. */
function resolve(named: string, from: string, shelf: Shelf, { person }: Shelves) {
  if (named.startsWith(personal)) {
    const path = named.slice(personal.length);
    // What else is in there is of other projects and of other programs, and no business of a repository.
    return shelf.of === 'person' || /^[^/\\]+\.md$/i.test(path) ? { shelf: person, path } : undefined;
  }
  if (named.startsWith('~')) return undefined;
  if (named.startsWith('/')) return shelf.of === 'workspace' ? { shelf, path: named } : undefined;
  return { shelf, path: from.slice(0, from.lastIndexOf('/') + 1) + named };
}
