import { ToolError } from '../../errors';
import type { Folder, Place } from '../workspace';

/**
 * Reads a path as the model wrote it and says which place it names, by its letters alone: links are a matter of the
 * path policy. Throws ToolError for every form that leaves the workspace folders.
 */
export function parsePath(path: string, folders: readonly Folder[]): Place {
  const first = firstFolder(folders);
  const named = folders.length > 1 ? splitFolderName(path, folders) : undefined;
  const inside = named && resolveDots(named.rest);
  if (named !== undefined && inside !== undefined) {
    refuseHiddenForms(named.rest);
    return { folder: named.folder, path: inside.join('/') };
  }
  refuseHiddenForms(path);
  refuseForeignBeginnings(path);
  if (isAbsolute(path)) return parseAbsolute(path, folders);
  const segments = resolveDots(path);
  if (segments === undefined) throw outside(path);
  if (folders.length === 1) return { folder: first, path: segments.join('/') };
  const resolved = splitFolderName(segments.join('/'), folders);
  if (resolved === undefined) {
    throw new ToolError(
      `The workspace has several folders. Start the path with one of them: ${folders.map(({ name }) => `${name}/`).join(', ')}`,
    );
  }
  return { folder: resolved.folder, path: resolved.rest };
}

/** Throws ToolError in a window without a folder (P9). */
export function firstFolder([first]: readonly Folder[]): Folder {
  if (first) return first;
  throw new ToolError(
    'No folder is open in this window, so there are no files. Tell the person to open one.',
  );
}

/**
 * The folder whose name a path or glob starts with. A name can be anything, `packages/api` or `~` too, so that it is
 * looked for before the path is taken apart; of `packages` and `packages/api` the longer one is meant.
 */
export function splitFolderName(
  path: string,
  folders: readonly Folder[],
): { readonly folder: Folder; readonly rest: string } | undefined {
  const [folder] = folders
    .filter(({ name }) => path === name || path.startsWith(`${name}/`) || path.startsWith(`${name}\\`))
    .toSorted((a, b) => b.name.length - a.name.length);
  return folder && { folder, rest: path.slice(folder.name.length + 1) };
}

/** How a place is written for the model and the person; `parsePath` reads it back. */
export function showPlace(place: Place, folders: readonly Folder[]): string {
  if (folders.length === 1) return place.path === '' ? '.' : place.path;
  return place.path === '' ? place.folder.name : `${place.folder.name}/${place.path}`;
}

/** Relative path of `path` below `root`, segment by segment: `/app-secrets` is not below `/app`. */
export function relativeTo(root: string, path: string): string | undefined {
  const base = root.replace(/\/+$/, '');
  if (path === base || path === `${base}/`) return '';
  return path.startsWith(`${base}/`) ? path.slice(base.length + 1) : undefined;
}

const hint = 'Use a path relative to the workspace folder, such as src/index.ts.';

function refuseForeignBeginnings(path: string): void {
  if (/^[\\/]{2}/.test(path))
    throw new ToolError(`Network and device paths are outside the workspace. ${hint}`);
  if (/^~[\w.-]*([\\/]|$)/.test(path)) {
    throw new ToolError(`Home folders are outside the workspace. ${hint}`);
  }
  if (/^(file:|[a-z][a-z0-9+.-]+:[\\/])/i.test(path)) throw new ToolError(`URLs are not taken here. ${hint}`);
}

function refuseHiddenForms(path: string): void {
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  if (/[\u0000-\u001f\u007f]/.test(path)) throw new ToolError(`The path holds control characters. ${hint}`);
  refuseEncodedForms(path);
}

/** Paths are taken as they are, never decoded; a path that hides separators or dots means to deceive somebody. */
function refuseEncodedForms(path: string): void {
  let decoded = path;
  for (let pass = 0; pass < 3 && /%[0-9a-f]{2}/i.test(decoded); pass++) {
    decoded = decoded.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
    const hidesSomething = decoded.split(/[\\/]/).length !== path.split(/[\\/]/).length;
    if (hidesSomething || decoded.includes('\0') || hasDots(decoded) !== hasDots(path)) {
      throw new ToolError(`The path is percent-encoded; paths are taken as they are. ${hint}`);
    }
  }
}

function hasDots(path: string): boolean {
  return path.split(/[\\/]/).some((segment) => segment === '..' || segment === '.');
}

function isAbsolute(path: string): boolean {
  return /^([\\/]|[a-z]:)/i.test(path);
}

function parseAbsolute(path: string, folders: readonly Folder[]): Place {
  const [drive = ''] = /^[a-z]:/i.exec(path) ?? [];
  const segments = resolveDots(path.slice(drive.length));
  if (segments === undefined) throw outside(path);
  const absolute = `${drive}/${segments.join('/')}`;
  const places = folders.flatMap((folder) => {
    const relative =
      drive === ''
        ? relativeTo(folder.root, absolute)
        : relativeTo(folder.root.toLowerCase(), absolute.toLowerCase());
    return relative === undefined
      ? []
      : [{ folder, path: relative === '' ? '' : absolute.slice(-relative.length) }];
  });
  // Of nested folders the innermost, whose relative path is the shortest.
  const [place] = places.toSorted((a, b) => a.path.length - b.path.length);
  if (place === undefined) throw outside(path);
  return place;
}

/** The segments of a path without dots; undefined when it leads above where it starts. */
function resolveDots(path: string): string[] | undefined {
  const segments: string[] = [];
  for (const segment of path.split(/[\\/]/)) {
    if (segment === '..') {
      if (segments.pop() === undefined) return undefined;
    } else if (segment !== '' && segment !== '.') segments.push(segment);
  }
  return segments;
}

function outside(path: string): ToolError {
  return new ToolError(
    `${path} is outside the workspace folders, and tools reach only what is inside. ${hint}`,
  );
}
