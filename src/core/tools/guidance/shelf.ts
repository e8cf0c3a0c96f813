import { ToolError } from '../../errors';
import type { Log, Wait } from '../../ports';
import type { PathPolicy } from '../paths/pathPolicy';
import { looksBinary } from '../readText';
import type { Place, Workspace } from '../workspace';

/** What the team's words need of the workspace. The person's own `.claude` folder is another one of the kind. */
export type GuidanceFolder = Pick<
  Workspace,
  'folders' | 'isTrusted' | 'realPath' | 'stat' | 'list' | 'readBytes' | 'decode'
>;

/** A file of the team's own words, or of the person's. */
export interface GuidanceFile {
  /** As it is named to people and to Claude. */
  readonly path: string;
  /** The same for the same file, whatever names lead to it. */
  readonly key: string;
  readonly text: string;
  /** The person's own: a path is no proof, since a folder of a workspace can have any name. */
  readonly isPersonal?: boolean;
}

/** One place that such files come from. They are sent without asking, so that the path policy decides on each. */
export interface Shelf {
  readonly of: 'workspace' | 'person';
  /** A path below each of its folders, as `read` and `list` take it; none while nothing of it counts (T5). */
  inFolders(path: string): readonly string[];
  /** Undefined where it is not there or may not be read: nobody asked for it. */
  read(path: string, signal: AbortSignal): Promise<GuidanceFile | undefined>;
  /** Names of what is in a folder, in the order of the alphabet; none where it is none. */
  list(path: string, signal: AbortSignal): Promise<readonly string[]>;
  readonly files: GuidanceFolder;
  readonly policy: PathPolicy;
}

/** More than ever goes into a request of one. */
const maxBytes = 256 * 1024;
const maxEntries = 200;
/** A file system that does not answer must not hold up the message for longer. */
const maxWaitMs = 3_000;

export function createShelf(options: {
  readonly of: Shelf['of'];
  readonly files: GuidanceFolder;
  readonly policy: PathPolicy;
  /** Goes before all paths that are shown. */
  readonly prefix: string;
  readonly wait: Wait;
  readonly log: Log;
}): Shelf {
  const { of, files, policy, prefix, log } = options;

  async function allowed(path: string, signal: AbortSignal) {
    const found = await policy.forReading(path, signal);
    return found.isSecret || found.spellings.some(isOfDependency) ? undefined : found;
  }

  /** What may not be read, or does not answer, is skipped. */
  async function orSkip<T>(job: () => Promise<T | undefined>, signal: AbortSignal): Promise<T | undefined> {
    const done = new AbortController();
    const tooLong = options.wait(maxWaitMs, AbortSignal.any([signal, done.signal])).then(() => {
      throw new Error('It took too long.');
    });
    try {
      return await Promise.race([job(), tooLong]);
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ToolError)) log.error('an instruction file could not be read', error);
      return undefined;
    } finally {
      done.abort();
      tooLong.catch(() => undefined);
    }
  }

  return {
    of,
    files,
    policy,
    inFolders: (path) =>
      files.isTrusted() ? files.folders().map((folder) => policy.show({ folder, path })) : [],
    read: (path, signal) =>
      orSkip(async () => {
        const found = await allowed(path, signal);
        const status = found && (await files.stat(found.place, signal));
        if (found === undefined || status?.kind !== 'file') return undefined;
        const bytes = await files.readBytes(found.place, 0, Math.min(status.size, maxBytes), signal);
        if (looksBinary(bytes)) return undefined;
        const { text } = await files.decode(found.place, bytes);
        const [named = found.place] = found.spellings;
        const isPersonal = of === 'person';
        return { path: prefix + policy.show(named), key: `${of} ${found.shown}`, text, isPersonal };
      }, signal),
    async list(path, signal) {
      const names = await orSkip(async () => {
        const found = await allowed(path, signal);
        const status = found && (await files.stat(found.place, signal));
        if (found === undefined || status?.kind !== 'folder') return undefined;
        const entries = await files.list(found.place, signal);
        return entries.map(({ name }) => name).toSorted();
      }, signal);
      return names?.slice(0, maxEntries) ?? [];
    },
  };
}

/** Folders of code that somebody else wrote: what it says of how to work was not meant for this team. */
const dependencyFolders = new Set(
  (
    'node_modules bower_components jspm_packages vendor third_party .git .hg .svn .yarn .pnpm-store .venv venv ' +
    'site-packages dist-packages __pycache__ .tox .cargo .gradle .m2 pods carthage deps'
  ).split(' '),
);

export function isOfDependency({ path }: Place): boolean {
  return path.split('/').some((name) => dependencyFolders.has(name.toLowerCase()));
}
