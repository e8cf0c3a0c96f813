import { anchorGlob, compileGlob } from '../paths/glob';
import { placeKey, type Place } from '../workspace';
import { splitFrontMatter, splitList } from './frontMatter';
import { withImports, type Shelves } from './imports';
import { isOfDependency, type GuidanceFile } from './shelf';

export const instructionFileNames: readonly string[] = ['CLAUDE.md', 'AGENTS.md'];

/** Rules of the workspace, one file each. */
export const rulesFolder = '.claude/rules';

/** What the team, and the person, want Claude to know of how to work, as it is when a turn begins (T1, T2). */
export interface Instructions {
  /** Counts from the first message on: the person's own first, the rules of the folders last. */
  readonly always: readonly GuidanceFile[];
  /** Counts once a tool has touched these files: rules that fit them, then outermost folder first, nearest last. */
  forFiles(files: readonly Place[], signal: AbortSignal): Promise<readonly GuidanceFile[]>;
}

/** Deeper ones are no folders that people work in. */
const maxFolders = 30;

export async function readInstructions(shelves: Shelves, signal: AbortSignal): Promise<Instructions> {
  const { workspace, person } = shelves;
  const seen = new Set<string>();
  const roots = workspace.files
    .folders()
    .flatMap((folder) => instructionFileNames.map((path) => workspace.policy.show({ folder, path })));
  const [own, team, rules] = await Promise.all([
    person.read('CLAUDE.md', signal),
    workspace.files.isTrusted() ? Promise.all(roots.map((path) => workspace.read(path, signal))) : [],
    readRules(shelves, signal),
  ]);
  const always: GuidanceFile[] = [];
  const add = async (found: GuidanceFile | undefined, path: string, shelf: Shelves[keyof Shelves]) => {
    if (found) always.push(...(await withImports({ found, path, shelf }, { shelves, seen }, signal)));
  };
  await add(own, 'CLAUDE.md', person);
  for (const [at, found] of team.entries()) await add(found, roots[at] ?? '', workspace);
  for (const { file, path, fits } of rules) if (fits === undefined) await add(file, path, workspace);

  /** By folder: within a turn a file is what it was when it was first read. */
  const nested = new Map<string, Promise<readonly GuidanceFile[]>>();
  const readFolder = async (folder: Place): Promise<readonly GuidanceFile[]> => {
    const known = new Set(seen);
    const files: GuidanceFile[] = [];
    for (const name of instructionFileNames) {
      const path = workspace.policy.show({ ...folder, path: `${folder.path}/${name}` });
      const found = await workspace.read(path, signal);
      if (found)
        files.push(
          ...(await withImports({ found, path, shelf: workspace }, { shelves, seen: known }, signal)),
        );
    }
    return files;
  };

  return {
    always,
    async forFiles(files, reading) {
      if (!workspace.files.isTrusted()) return [];
      const found = new Map<string, GuidanceFile>();
      for (const place of files) {
        if (isOfDependency(place)) continue;
        for (const { file, fits } of rules) if (fits?.(place)) found.set(file.key, file);
      }
      for (const folder of files.flatMap(foldersAbove)) {
        reading.throwIfAborted();
        const key = placeKey(folder);
        const known = nested.get(key) ?? readFolder(folder);
        nested.set(key, known);
        for (const file of await known) found.set(file.key, file);
      }
      return [...found.values()];
    },
  };
}

/** The folders that a file is in, outermost first, without the workspace folder itself. */
function foldersAbove(file: Place): readonly Place[] {
  if (isOfDependency(file)) return [];
  const names = file.path.split('/').slice(0, -1);
  return names
    .slice(0, maxFolders)
    .map((_, at) => ({ folder: file.folder, path: names.slice(0, at + 1).join('/') }));
}

interface Rule {
  /** Without its front matter. */
  readonly file: GuidanceFile;
  readonly path: string;
  /** Absent where it counts for all files. */
  readonly fits?: (place: Place) => boolean;
}

async function readRules({ workspace }: Shelves, signal: AbortSignal): Promise<readonly Rule[]> {
  if (!workspace.files.isTrusted()) return [];
  const inFolders = await Promise.all(
    workspace.files.folders().map(async (folder) => {
      const place = workspace.policy.show({ folder, path: rulesFolder });
      const names = (await workspace.list(place, signal)).filter((name) => /\.md$/i.test(name));
      const files = await Promise.all(
        names.map(async (name) => ({
          path: `${place}/${name}`,
          file: await workspace.read(`${place}/${name}`, signal),
        })),
      );
      return files.flatMap(({ path, file }) => (file ? [toRule(file, path, folder.root)] : []));
    }),
  );
  return inFolders.flat();
}

function toRule(file: GuidanceFile, path: string, root: string): Rule {
  const { values, body } = splitFrontMatter(file.text);
  const bare = { path, file: { ...file, text: body } };
  const globs = values.get('paths')?.flatMap(splitList);
  if (globs === undefined) return bare;
  const matchers = globs.map((glob) => compileGlob(anchorGlob(glob), { isCaseSensitive: true }));
  return {
    ...bare,
    fits: (place) => place.folder.root === root && matchers.some((matches) => matches(place.path)),
  };
}
