import { ToolError } from '../errors';
import { anchorGlob, isTooLarge, staticPrefix } from './paths/glob';
import { splitFolderName } from './paths/parsePath';
import type { PathPolicy } from './paths/pathPolicy';
import type { Place, Workspace } from './workspace';
import { touching, unlessRefused, type Preparation } from './workspaceTool';

/** Where a search looks, and with which glob relative to that. */
export interface Scope {
  readonly within: readonly Place[];
  readonly include: readonly string[];
}

export interface ScopeRequest {
  readonly path: string | undefined;
  readonly glob: string | undefined;
  /** Names of secrets may be listed, their contents are not searched (S4). */
  readonly secrets: 'listed' | 'refused';
}

/**
 * Without a path all folders are meant; with several folders a glob may start with a folder's name. The fixed beginning
 * of a glob is a path like any other: a search that starts there passes the path policy first.
 */
export async function resolveScope(
  { workspace, policy }: { readonly workspace: Workspace; readonly policy: PathPolicy },
  request: ScopeRequest,
  signal: AbortSignal,
): Promise<Scope> {
  const { starts, glob } = startsOf(request, workspace);
  if (glob === undefined) return { within: await Promise.all(starts.map(startAt)), include: [] };
  const beginning = staticPrefix(glob);
  if (beginning === '') return { within: await Promise.all(starts.map(startAt)), include: [glob] };
  const found = await Promise.all(
    starts.map(async (start) => {
      await startAt(start);
      return placeAt(`${start}/${beginning}`);
    }),
  );
  return { within: found.flatMap((place) => place ?? []), include: [glob.slice(beginning.length + 1)] };

  async function startAt(path: string): Promise<Place> {
    const place = await placeAt(path);
    if (place === undefined) {
      const { shown } = await policy.forReading(path, signal);
      throw new ToolError(`${shown} does not exist. Find the right path with list_directory.`);
    }
    return place;
  }

  /** Undefined when nothing is there. */
  async function placeAt(path: string): Promise<Place | undefined> {
    const { place, shown, isSecret } = await policy.forReading(path, signal);
    if (isSecret && request.secrets === 'refused') {
      throw new ToolError(
        `${shown} looks like it holds secrets, which search skips: read_file asks the person.`,
      );
    }
    const status = await workspace.stat(place, signal);
    if (status?.kind === 'other')
      throw new ToolError(`${shown} is a pipe, socket or device and cannot be searched.`);
    return status && place;
  }
}

/** What a search names, for the rules about places (R2): its path, and the fixed beginning of its glob. */
export async function touchingScope(
  { workspace, policy }: { readonly workspace: Workspace; readonly policy: PathPolicy },
  request: Pick<ScopeRequest, 'path' | 'glob'>,
  signal: AbortSignal,
): Promise<Pick<Preparation, 'touches'>> {
  const named = await Promise.all(
    namedIn(request, workspace).map((path) => unlessRefused(policy.forReading(path, signal))),
  );
  const places = named.flatMap((place) => place ?? []);
  return places.length > 0 ? { touches: touching(...places) } : {};
}

/** None of a glob with which something is wrong: that is said when the search runs. */
function namedIn(request: Pick<ScopeRequest, 'path' | 'glob'>, workspace: Workspace): readonly string[] {
  const { path } = request;
  const own = path === undefined ? [] : [path];
  try {
    const { starts, glob = '' } = startsOf(request, workspace);
    // One without a wildcard is a path itself.
    const beginning = /[*?[\]{}]/.test(glob) ? staticPrefix(glob) : glob;
    return beginning === '' ? own : [...own, ...starts.map((start) => `${start}/${beginning}`)];
  } catch (error) {
    if (error instanceof ToolError) return own;
    throw error;
  }
}

export function isRoot(path: string): boolean {
  return ['', '.', './', '/'].includes(path.trim());
}

/**
 * Of what other extensions report about files, all that tools may show, each under the place that is really there:
 * nothing behind a link that leaves the workspace, and nothing of secrets, which are often quoted (S1, S4).
 */
export async function keepShowable<Item extends { readonly place: Place }>(
  items: readonly Item[],
  policy: PathPolicy,
  signal: AbortSignal,
): Promise<readonly Item[]> {
  const places = new Map<string, Promise<Place | undefined>>();
  const kept = await Promise.all(
    items.map(async (item) => {
      const name = policy.show(item.place);
      const place = places.get(name) ?? showablePlace(name, policy, signal);
      places.set(name, place);
      const found = await place;
      return found === undefined ? [] : [{ ...item, place: found }];
    }),
  );
  return kept.flat();
}

async function showablePlace(
  name: string,
  policy: PathPolicy,
  signal: AbortSignal,
): Promise<Place | undefined> {
  const allowed = await unlessRefused(policy.forReading(name, signal));
  return allowed?.isSecret === false ? allowed.place : undefined;
}

/** The paths to start from, and the glob relative to each. */
function startsOf(
  { path, glob }: Pick<ScopeRequest, 'path' | 'glob'>,
  workspace: Workspace,
): { readonly starts: readonly string[]; readonly glob: string | undefined } {
  const folders = workspace.folders();
  const isEverywhere = path === undefined || isRoot(path);
  const named = isEverywhere && folders.length > 1 ? splitFolderName(glob?.trim() ?? '', folders) : undefined;
  if (named !== undefined && named.rest !== '') {
    return { starts: [named.folder.name], glob: anchorGlob(`/${checkGlob(named.rest)}`) };
  }
  const anchored = glob === undefined ? undefined : anchorGlob(checkGlob(glob));
  if (!isEverywhere) return { starts: [path], glob: anchored };
  return { starts: folders.length > 1 ? folders.map(({ name }) => name) : ['.'], glob: anchored };
}

function checkGlob(glob: string): string {
  const slashed = glob.trim().replaceAll('\\', '/');
  const isForeign = /^([a-z]:|~\/|\/\/|[a-z][a-z0-9+.-]+:\/)/i.test(slashed) || slashed.includes('\0');
  if (slashed === '' || isForeign || slashed.split('/').includes('..')) {
    throw new ToolError(
      `${JSON.stringify(glob)} is not a glob inside the workspace. Write it relative to the folder, such as src/**/*.ts.`,
    );
  }
  if (isTooLarge(slashed)) {
    throw new ToolError('The glob is too long, or its braces stand for too much: make several calls of it.');
  }
  return slashed;
}
