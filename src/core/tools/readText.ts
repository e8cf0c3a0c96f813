import { ToolError } from '../errors';
import { visibleLine } from '../text/plainText';
import type { AllowedPlace } from './paths/pathPolicy';
import { type DecodedText, isSamePlace, type Place, type Workspace } from './workspace';

/** Above this a file is read line by line from disk and cannot be edited. */
export const wholeFileLimit = 16 * 1024 * 1024;

export interface WholeText extends DecodedText {
  readonly isUnsaved: boolean;
}

/** The whole text of a file, as the editor shows it. Throws ToolError for what is not text or is too large. */
export async function readWholeText(
  workspace: Workspace,
  { place, shown }: Pick<AllowedPlace, 'place' | 'shown'>,
  signal: AbortSignal,
): Promise<WholeText> {
  const unsaved = await unsavedText(workspace, place, signal);
  if (unsaved !== undefined) return { ...unsaved, isExact: true, isUnsaved: true };
  const { size } = await statFile(workspace, { place, shown }, signal);
  if (size > wholeFileLimit) {
    throw new ToolError(`${shown} is too large to be handled as a whole (${showSize(size)}).`);
  }
  const bytes = await workspace.readBytes(place, 0, size, signal);
  if (looksBinary(bytes))
    throw new ToolError(`${shown} is a binary file (${showSize(bytes.length)}), not text.`);
  return { ...(await workspace.decode(place, bytes)), isUnsaved: false };
}

/** The text of an editor with unsaved changes, by whatever path it was opened. */
export async function unsavedText(
  workspace: Workspace,
  place: Place,
  signal: AbortSignal,
): Promise<{ readonly text: string; readonly encoding: string } | undefined> {
  for (const editor of await workspace.unsavedEditors(signal)) {
    const { text, encoding = 'utf8' } = editor;
    if (text !== undefined && isSamePlace(editor.place, place)) return { text, encoding };
  }
  return undefined;
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

/** Throws ToolError for a text that would not be in the file as it is: an encoding writes `?` for what it does not have. */
export async function refuseUnwritable(
  workspace: Workspace,
  { place, shown }: AllowedPlace,
  { text, encoding }: { readonly text: string; readonly encoding?: string },
): Promise<void> {
  const unwritable = await workspace.findUnwritable(place, text, encoding);
  if (unwritable === undefined) return;
  throw new ToolError(
    `${shown} would be written in ${unwritable.encoding} (setting files.encoding), which does not have the character ` +
      `${visibleLine(unwritable.character)}. Use other characters, or ask the person to save the file with another encoding.`,
  );
}

/** A stray NUL among text is binary, unless it is half of a character of UTF-16. */
export function looksBinary(bytes: Uint8Array): boolean {
  return utf16Mark(bytes) === undefined && bytes.subarray(0, 8192).includes(0) && !looksLikeUtf16(bytes);
}

export function showSize(bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`;
  const units = ['KB', 'MB', 'GB', 'TB'];
  const power = Math.min(Math.floor(Math.log2(bytes) / 10), units.length);
  return `${(bytes / 1024 ** power).toFixed(1)} ${units[power - 1] ?? ''}`;
}

/** What a byte order mark says, in the words of `TextDecoder`. */
export function utf16Mark([first, second]: Uint8Array): 'utf-16le' | 'utf-16be' | undefined {
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  return first === 0xfe && second === 0xff ? 'utf-16be' : undefined;
}

/** As VS Code tells it without a byte order mark: every second byte is zero, and the others are text. */
function looksLikeUtf16(bytes: Uint8Array): boolean {
  const head = bytes.subarray(0, 512);
  return [0, 1].some((half) => head.every((byte, at) => (at % 2 === half ? byte === 0 : isTextByte(byte))));
}

function isTextByte(byte: number): boolean {
  return byte >= 0x20 || (byte >= 0x09 && byte <= 0x0d);
}
