import { constants, type Stats } from 'node:fs';
import { open, readdir, readlink, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { ToolError } from '../../core/errors';
import type { Entry, FileStatus } from '../../core/tools/workspace';

/** Files of this machine, without the round trip to the window that `workspace.fs` takes for each. */

const mostHops = 40;
/** Opening a pipe would wait for a writer; Windows knows neither. */
const nonBlocking = process.platform === 'win32' ? 0 : constants.O_NONBLOCK;

/** Where opening `path` would end. What does not exist is followed as far as it does, dangling links included. */
export async function followLinks(path: string, hops = 0): Promise<string> {
  const real = await orUndefined(realpath(path));
  if (real !== undefined) return real;
  if (hops > mostHops) throw new ToolError('The links on this path run in circles.');
  const parent = dirname(path);
  if (parent === path) return path;
  const here = join(await followLinks(parent, hops + 1), basename(path));
  const target = await orUndefined(readlink(here));
  return target === undefined ? here : followLinks(resolve(dirname(here), target), hops + 1);
}

/** Whether no link is on the way from a folder, whose own links are followed, to a path in it. */
export async function isReachedWithoutLinks(folder: string, path: string): Promise<boolean> {
  const [root, real] = await Promise.all([followLinks(folder), followLinks(join(folder, path))]);
  return real === join(root, path);
}

export async function statFile(path: string): Promise<FileStatus | undefined> {
  const stats = await orUndefined(stat(path));
  return stats && { kind: kindOf(stats), size: stats.size };
}

export async function listFolder(path: string): Promise<readonly Entry[]> {
  const entries = await readable(readdir(path, { withFileTypes: true }));
  return entries.map((entry) => ({
    name: entry.name,
    kind: entry.isSymbolicLink() ? 'link' : kindOf(entry),
  }));
}

export async function readBytes(path: string, start: number, length: number): Promise<Uint8Array> {
  const file = await readable(open(path, constants.O_RDONLY | nonBlocking));
  try {
    // Checked on what was opened, not on the name: a pipe put in its place would block for ever.
    if (!(await file.stat()).isFile()) throw new ToolError('This is not a regular file and cannot be read.');
    const bytes = Buffer.allocUnsafe(length);
    let filled = 0;
    while (filled < length) {
      const { bytesRead } = await file.read(bytes, filled, length - filled, start + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return bytes.subarray(0, filled);
  } finally {
    await file.close();
  }
}

function kindOf(entry: Pick<Stats, 'isFile' | 'isDirectory'>): FileStatus['kind'] {
  if (entry.isFile()) return 'file';
  return entry.isDirectory() ? 'folder' : 'other';
}

/** Undefined for what is not there (or, for `readlink`, is no link); the model can read all other failures. */
async function orUndefined<T>(promise: Promise<T>): Promise<T | undefined> {
  try {
    return await promise;
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EINVAL'].includes(codeOf(error))) return undefined;
    throw toToolError(error);
  }
}

async function readable<T>(promise: Promise<T>): Promise<T> {
  try {
    return await promise;
  } catch (error) {
    throw toToolError(error);
  }
}

function toToolError(error: unknown): ToolError {
  const reasons: Readonly<Record<string, string>> = {
    EACCES: 'The system does not permit it: tell the person.',
    EPERM: 'The system does not permit it: tell the person.',
    ENOENT: 'It does not exist (any more): look with list_directory.',
    ELOOP: 'The links on this path run in circles.',
    ENAMETOOLONG: 'The path is too long.',
    EBUSY: 'Another program holds the file: try again later.',
    EMFILE: 'Too many files are open: try again with fewer calls at once.',
  };
  const code = codeOf(error);
  return new ToolError(reasons[code] ?? `The file system failed (${code}).`, { cause: error });
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown error';
}
