import { ToolError } from '../../errors';
import type { Folder, Place } from '../workspace';

/**
 * Reads a path as the model wrote it and says which place it names, by its letters alone: links are a matter of the
 * path policy. Throws ToolError for every form that leaves the workspace folders.
 */
export function parsePath(path: string, folders: readonly Folder[]): Place {
  const [first] = folders;
  if (first === undefined) {
    throw new ToolError(
      'No folder is open in this window, so there are no files. Tell the person to open one.',
    );
  }
  refuseForeignForms(path);
  const slashed = path.replaceAll('\\', '/');
  if (isAbsolute(slashed)) return parseAbsolute(path, slashed, folders);
  const segments = resolveDots(slashed, path);
  if (folders.length === 1) return { folder: first, path: segments.join('/') };
  const folder = folders.find(({ name }) => name === segments[0]);
  if (folder === undefined) {
    throw new ToolError(
      `The workspace has several folders. Start the path with one of them: ${folders.map(({ name }) => `${name}/`).join(', ')}`,
    );
  }
  return { folder, path: segments.slice(1).join('/') };
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

function refuseForeignForms(path: string): void {
  // oxlint-disable-next-line no-control-regex -- control characters are what is looked for
  if (/[\u0000-\u001f\u007f]/.test(path)) throw new ToolError(`The path holds control characters. ${hint}`);
  if (/^[\\/]{2}/.test(path))
    throw new ToolError(`Network and device paths are outside the workspace. ${hint}`);
  if (/^~[\w.-]*([\\/]|$)/.test(path)) {
    throw new ToolError(`Home folders are outside the workspace. ${hint}`);
  }
  if (/^(file:|[a-z][a-z0-9+.-]+:[\\/])/i.test(path)) throw new ToolError(`URLs are not taken here. ${hint}`);
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

function isAbsolute(slashed: string): boolean {
  return slashed.startsWith('/') || /^[a-z]:/i.test(slashed);
}

function parseAbsolute(path: string, slashed: string, folders: readonly Folder[]): Place {
  const [drive = ''] = /^[a-z]:/i.exec(slashed) ?? [];
  const absolute = `${drive}/${resolveDots(slashed.slice(drive.length), path).join('/')}`;
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

function resolveDots(slashed: string, path: string): string[] {
  const segments: string[] = [];
  for (const segment of slashed.split('/')) {
    if (segment === '..') {
      if (segments.pop() === undefined) throw outside(path);
    } else if (segment !== '' && segment !== '.') segments.push(segment);
  }
  return segments;
}

function outside(path: string): ToolError {
  return new ToolError(
    `${path} is outside the workspace folders, and tools reach only what is inside. ${hint}`,
  );
}
