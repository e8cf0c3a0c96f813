import { ToolError } from '../errors';
import { anchorGlob } from './paths/glob';
import type { PathPolicy } from './paths/pathPolicy';
import type { EntryKind, Place, Workspace } from './workspace';

/** Where a search looks, and with which glob relative to that. */
export interface Scope {
  readonly within: readonly Place[];
  readonly include: readonly string[];
}

/** Without a path all folders are meant; with several folders a glob may start with a folder's name. */
export async function resolveScope(
  { workspace, policy }: { readonly workspace: Workspace; readonly policy: PathPolicy },
  request: { readonly path: string | undefined; readonly glob: string | undefined },
  signal: AbortSignal,
): Promise<Scope> {
  const glob = request.glob === undefined ? undefined : checkGlob(request.glob);
  const folders = workspace.folders();
  if (request.path === undefined || (isRoot(request.path) && folders.length > 1)) {
    if (folders.length <= 1) return { within: [await root('.')], include: anchored(glob) };
    const [first = '', ...rest] = glob?.split('/') ?? [];
    const named = folders.find(({ name }) => name === first);
    if (named !== undefined && rest.length > 0) {
      return { within: [await root(named.name)], include: [rest.join('/')] };
    }
    return { within: await Promise.all(folders.map(({ name }) => root(name))), include: anchored(glob) };
  }
  return { within: [await root(request.path)], include: anchored(glob) };

  async function root(path: string): Promise<Place> {
    const { place, shown, isSecret } = await policy.forReading(path, signal);
    if (isSecret) {
      throw new ToolError(
        `${shown} looks like it holds secrets, which search skips: read_file asks the person.`,
      );
    }
    const kind: EntryKind | undefined = (await workspace.stat(place, signal))?.kind;
    if (kind === undefined)
      throw new ToolError(`${shown} does not exist. Find the right path with list_directory.`);
    if (kind === 'other') throw new ToolError(`${shown} is a pipe, socket or device and cannot be searched.`);
    return place;
  }
}

export function isRoot(path: string): boolean {
  return ['', '.', './', '/'].includes(path.trim());
}

function anchored(glob: string | undefined): readonly string[] {
  return glob === undefined ? [] : [anchorGlob(glob)];
}

function checkGlob(glob: string): string {
  const slashed = glob.trim().replaceAll('\\', '/');
  const isForeign = /^([a-z]:|~\/|\/\/|[a-z][a-z0-9+.-]+:\/)/i.test(slashed) || slashed.includes('\0');
  if (slashed === '' || isForeign || slashed.split('/').includes('..')) {
    throw new ToolError(
      `${JSON.stringify(glob)} is not a glob inside the workspace. Write it relative to the folder, such as src/**/*.ts.`,
    );
  }
  return slashed;
}
