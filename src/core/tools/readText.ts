import { ToolError } from '../errors';
import type { AllowedPlace } from './paths/pathPolicy';
import type { Place, Workspace } from './workspace';

/** Above this a file is read line by line from disk and cannot be edited. */
export const wholeFileLimit = 16 * 1024 * 1024;

export interface WholeText {
  readonly text: string;
  readonly isUnsaved: boolean;
}

/** The whole text of a file, as the editor shows it. Throws ToolError for what is not text or is too large. */
export async function readWholeText(
  workspace: Workspace,
  { place, shown }: Pick<AllowedPlace, 'place' | 'shown'>,
  signal: AbortSignal,
): Promise<WholeText> {
  const unsaved = workspace.unsavedText(place);
  if (unsaved !== undefined) return { text: unsaved, isUnsaved: true };
  const { size } = await statFile(workspace, { place, shown }, signal);
  if (size > wholeFileLimit) {
    throw new ToolError(`${shown} is too large to be handled as a whole (${showSize(size)}).`);
  }
  const bytes = await workspace.readBytes(place, 0, size, signal);
  return { text: await decodeText(workspace, { place, shown }, bytes), isUnsaved: false };
}

/** Throws ToolError unless there is a regular file: pipes and devices could block or never end. */
export async function statFile(
  workspace: Workspace,
  { place, shown }: Pick<AllowedPlace, 'place' | 'shown'>,
  signal: AbortSignal,
): Promise<{ readonly size: number }> {
  const status = await workspace.stat(place, signal);
  if (status === undefined) {
    throw new ToolError(
      `${shown} does not exist. Paths are taken literally; find the right one with find_files or list_directory.`,
    );
  }
  if (status.kind === 'folder') throw new ToolError(`${shown} is a folder: use list_directory.`);
  if (status.kind === 'other') {
    throw new ToolError(`${shown} is not a regular file (a pipe, socket or device) and cannot be read.`);
  }
  return status;
}

/** A stray NUL among text is binary, unless a byte order mark says UTF-16. */
export function looksBinary(bytes: Uint8Array): boolean {
  return byteOrderMark(bytes) === undefined && bytes.subarray(0, 8192).includes(0);
}

async function decodeText(
  workspace: Workspace,
  { place, shown }: { readonly place: Place; readonly shown: string },
  bytes: Uint8Array,
): Promise<string> {
  if (looksBinary(bytes))
    throw new ToolError(`${shown} is a binary file (${showSize(bytes.length)}), not text.`);
  const encoding = byteOrderMark(bytes) ?? 'utf-8';
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    // Not UTF-8: the editor knows the person's encoding settings and how to guess.
    return workspace.decode(place, bytes);
  }
}

export function showSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  const units = ['KB', 'MB', 'GB', 'TB'];
  const power = Math.min(Math.floor(Math.log2(bytes) / 10), units.length);
  return `${(bytes / 1024 ** power).toFixed(1)} ${units[power - 1] ?? ''}`;
}

function byteOrderMark(bytes: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return undefined;
}
