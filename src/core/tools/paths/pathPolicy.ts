import { ToolError } from '../../errors';
import { isSamePlace, type Folder, type Place, type Workspace } from '../workspace';
import { caseFoldPath } from './caseFold';
import { parsePath, relativeTo, showPlace } from './parsePath';
import { whyProtected } from './protectedPlaces';
import type { SecretFiles } from './secretFiles';

/** A place that may be touched, and what must be asked before. */
export interface AllowedPlace {
  /** With all links followed: what is read and written. */
  readonly place: Place;
  /** All that it can be called: as it was named, and as what is read and written. */
  readonly spellings: readonly Place[];
  /** The same for the model and the person. */
  readonly shown: string;
  /** Looks like a secret: read only after the person agreed (S4). */
  readonly isSecret: boolean;
  /** Why a change here always needs the person's word (S5). */
  readonly protectedBecause: string | undefined;
}

/** The one place that decides whether a path may be touched, and whether to ask. It remembers nothing. */
export interface PathPolicy {
  /** Throws ToolError when the place may not be read. */
  forReading(path: string, signal: AbortSignal): Promise<AllowedPlace>;
  /** Throws ToolError when the place may not be written. Asked again right before the write. */
  forWriting(path: string, signal: AbortSignal): Promise<AllowedPlace>;
  /** As `forWriting`, for what is moved or deleted itself: a link stands for itself, not for its target. */
  forMoving(path: string, signal: AbortSignal): Promise<AllowedPlace>;
  /** What looks like a secret, by the settings as they are now: read once for all that a call looks at. */
  secrets(): { readonly globs: readonly string[]; has(place: Place): boolean };
  /** Whether a change here always needs the person's word (S5). */
  protects(place: Place): boolean;
  show(place: Place): string;
}

export function createPathPolicy(options: {
  readonly workspace: Pick<Workspace, 'folders' | 'isTrusted' | 'list' | 'realPath'>;
  /** As the settings say now. */
  readonly secretFiles: () => SecretFiles;
}): PathPolicy {
  const { workspace, secretFiles } = options;
  const secrets = () => {
    const files = secretFiles();
    const has = (place: Place) => files.has(place.path) || files.has(fromRoot(place));
    return { globs: files.globs, has };
  };

  async function allow(path: string, signal: AbortSignal): Promise<AllowedPlace & { readonly named: Place }> {
    const folders = workspace.folders();
    const named = parsePath(path, folders);
    const place = await followLinks(named, folders, signal);
    if (place === undefined) {
      throw new ToolError(
        `${showPlace(named, folders)} is a link that leaves the workspace folders (or leads through one), and tools ` +
          'reach only what is inside. Work without it, or ask the person.',
      );
    }
    return {
      named,
      place,
      spellings: [named, place],
      shown: showPlace(place, folders),
      // A harmless name can link to a guarded place, and a guarded name to a harmless one: both spellings count.
      isSecret: [named, place].some(secrets().has),
      protectedBecause: whyProtected(fromRoot(named)) ?? whyProtected(fromRoot(place)),
    };
  }

  async function followLinks(
    named: Place,
    folders: readonly Folder[],
    signal: AbortSignal,
  ): Promise<Place | undefined> {
    const real = await workspace.realPath(named, signal);
    const places = await Promise.all(
      folders.map(async (folder) => {
        const path = relativeTo(await workspace.realPath({ folder, path: '' }, signal), real);
        return path === undefined ? [] : [{ folder, path }];
      }),
    );
    return places.flat().toSorted((a, b) => a.path.length - b.path.length)[0];
  }

  /**
   * The entry of a folder that this name means, which leads to `target`. A Mac and Windows know it by other letters, too;
   * what is no entry in any letters is a short name of Windows.
   */
  async function entryAt(parent: Place, name: string, target: Place, signal: AbortSignal): Promise<Place> {
    const at = (entry: string): Place => ({
      folder: parent.folder,
      path: parent.path === '' ? entry : `${parent.path}/${entry}`,
    });
    if (target.path === at(name).path) return at(name);
    const names = (await workspace.list(parent, signal)).map((entry) => entry.name);
    if (names.includes(name)) return at(name);
    for (const entry of names.filter((one) => caseFoldPath(one) === caseFoldPath(name))) {
      const found = await followLinks(at(entry), workspace.folders(), signal);
      if (found && isSamePlace(found, target)) return at(entry);
    }
    return target;
  }

  async function allowWriting(path: string, signal: AbortSignal) {
    if (!workspace.isTrusted()) {
      throw new ToolError(
        'The person has not trusted this workspace, so files can only be read. Say what you would change instead.',
      );
    }
    const { named, ...allowed } = await allow(path, signal);
    if (allowed.place.path === '') throw new ToolError('A workspace folder itself cannot be changed.');
    return { named, allowed };
  }

  return {
    async forReading(path, signal) {
      const { named: _, ...allowed } = await allow(path, signal);
      return allowed;
    },
    async forWriting(path, signal) {
      return (await allowWriting(path, signal)).allowed;
    },
    async forMoving(path, signal) {
      const { named, allowed } = await allowWriting(path, signal);
      if (named.path === '') throw new ToolError('A workspace folder itself cannot be changed.');
      const folders = workspace.folders();
      const slash = named.path.lastIndexOf('/');
      const parent = { folder: named.folder, path: named.path.slice(0, Math.max(slash, 0)) };
      const realParent = await followLinks(parent, folders, signal);
      if (realParent === undefined)
        throw new ToolError(`${path} leads through a link that leaves the workspace.`);
      const name = named.path.slice(slash + 1);
      const place = await entryAt(realParent, name, allowed.place, signal);
      return {
        ...allowed,
        place,
        spellings: [...allowed.spellings, place],
        shown: showPlace(place, folders),
        isSecret: allowed.isSecret || secrets().has(place),
        protectedBecause: allowed.protectedBecause ?? whyProtected(fromRoot(place)),
      };
    },
    secrets,
    protects: (place) => whyProtected(fromRoot(place)) !== undefined,
    show: (place) => showPlace(place, workspace.folders()),
  };
}

/** With the name of the folder itself: somebody may have opened `.vscode`, or have it as one of several folders. */
function fromRoot({ folder, path }: Place): string {
  return `${folder.root.split('/').at(-1) ?? ''}/${path}`;
}
