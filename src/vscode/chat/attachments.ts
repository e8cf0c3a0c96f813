import { sep } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Attachment } from '../../core/agent/attachments';
import { checkImage, looksLikeImage, looksLikePdf, type Refusal } from '../../core/media';
import { fileSize } from '../../core/text/figures';
import { isObject } from '../../core/text/json';
import { isGuidancePath, withoutGuidance } from '../../core/tools/guidance/hostIndex';
import { looksBinary, showSize } from '../../core/tools/readText';
import { followLinks } from '../tools/diskFiles';
import { decodeFile } from '../tools/encodings';
import { realPlaceOf } from '../tools/places';
import { unsavedDocumentAt } from '../tools/unsavedEditors';
import { wait } from '../wait';

/** Anything larger is neither text that fits nor an image or PDF that Claude accepts. */
const maxFileBytes = 32 * 1024 * 1024;

/** A file system that does not answer must not hold up the message for longer. A large image takes a busy machine long. */
const maxWaitMs = 60_000;

/** Reads what the user attached to a message. What cannot be read says so, and the rest is not affected. */
export async function readAttachments(
  references: readonly vscode.ChatPromptReference[],
  isSecret: (path: string) => boolean,
  signal: AbortSignal,
): Promise<readonly Attachment[]> {
  const done = new AbortController();
  const tooLong = wait(maxWaitMs, AbortSignal.any([signal, done.signal]));
  const attachments = await Promise.all(
    references.map((reference) =>
      Promise.race([read(reference, isSecret), tooLong.then(() => late(reference))]),
    ),
  );
  done.abort();
  signal.throwIfAborted();
  return attachments;
}

function late(reference: vscode.ChatPromptReference): Attachment {
  return {
    kind: 'unreadable',
    name: nameOf(reference),
    reason: 'it took too long to read',
    shown: l10n.t('it took too long to read'),
  };
}

async function read(
  reference: vscode.ChatPromptReference,
  isSecret: (path: string) => boolean,
): Promise<Attachment> {
  const name = nameOf(reference);
  const uri = reference.value instanceof vscode.Location ? reference.value.uri : reference.value;
  try {
    if (uri instanceof vscode.Uri && !isChosen(reference)) {
      const refusal = await whyWithheld(uri, isSecret);
      if (refusal) return { kind: 'unreadable', name, ...refusal };
    }
    return await readValue(reference, name);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    const shown = l10n.t('it cannot be read ({0})', why);
    return { kind: 'unreadable', name, reason: `it cannot be read (${why})`, shown };
  }
}

/** The attached files that were sent, without those that look like secrets. */
export function sentFiles(
  references: readonly vscode.ChatPromptReference[],
  attachments: readonly Attachment[],
  isSecret: (path: string) => boolean,
): readonly (vscode.Uri | vscode.Location)[] {
  return references.flatMap((reference, index) => {
    const { value } = reference;
    const uri = value instanceof vscode.Location ? value.uri : value;
    if (!(uri instanceof vscode.Uri) || !isOpenable(uri) || isSecret(pathOf(uri))) return [];
    const isSent = isChosen(reference) && attachments[index]?.kind !== 'unreadable';
    return isSent ? [value instanceof vscode.Location ? value : uri] : [];
  });
}

async function readValue(
  { value, modelDescription }: vscode.ChatPromptReference,
  name: string,
): Promise<Attachment> {
  if (typeof value === 'string') return { kind: 'text', name, text: value };
  if (value instanceof vscode.Location) return readRange(value);
  if (value instanceof vscode.Uri) {
    // Terminal output has a URI that cannot be opened, and comes as a description.
    if (modelDescription !== undefined && !isOpenable(value))
      return { kind: 'text', name, text: modelDescription };
    return readUri(value);
  }
  if (isImage(value)) return { kind: 'image', name, bytes: await value.data() };
  if (isProblems(value)) return { kind: 'text', name, text: value.diagnostics.flatMap(toLines).join('\n') };
  if (modelDescription !== undefined) return { kind: 'text', name, text: modelDescription };
  const reason = 'this kind of attachment is not known';
  return { kind: 'unreadable', name, reason, shown: l10n.t('this kind of attachment is not known') };
}

/** Whole lines: half a line of code says little. */
async function readRange({ uri, range }: vscode.Location): Promise<Attachment> {
  const document = await vscode.workspace.openTextDocument(uri);
  const last = document.lineAt(document.validatePosition(range.end));
  const text = document.getText(new vscode.Range(new vscode.Position(range.start.line, 0), last.range.end));
  const lines = { first: range.start.line + 1, last: last.lineNumber + 1 };
  return { kind: 'text', name: pathOf(uri), text, lines, hint: 'Use read_file for the rest.' };
}

async function readUri(uri: vscode.Uri): Promise<Attachment> {
  const name = pathOf(uri);
  const hint = 'Use read_file for the rest.';
  const open = await unsavedDocument(uri);
  if (open) return { kind: 'text', name, text: open.getText(), hint };
  const { type, size } = await vscode.workspace.fs.stat(uri);
  if ((type & vscode.FileType.Directory) !== 0) {
    const entries = await vscode.workspace.fs.readDirectory(uri);
    return { kind: 'folder', name, entries: entries.map(toEntry).toSorted() };
  }
  if (size > maxFileBytes) {
    const shown = l10n.t('it is too large ({0})', fileSize(size));
    return { kind: 'unreadable', name, reason: `it is too large (${showSize(size)})`, shown };
  }
  const bytes = await vscode.workspace.fs.readFile(uri);
  if (looksLikeImage(bytes)) return { kind: 'image', name, bytes: await scaledToFit(bytes) };
  if (looksLikePdf(bytes)) return { kind: 'pdf', name, bytes };
  if (looksBinary(bytes)) {
    const reason = `it is neither text nor an image nor a PDF (${showSize(size)})`;
    const shown = l10n.t('it is neither text nor an image nor a PDF ({0})', fileSize(size));
    return { kind: 'unreadable', name, reason, shown };
  }
  return { kind: 'text', name, text: (await decodeFile(uri, bytes)).text, hint };
}

/**
 * VS Code scales pasted images down, and can do so for a file that is too large for Claude. The command is internal:
 * where it is missing or fails, the image stays as it is and is refused with the reason.
 */
async function scaledToFit(bytes: Uint8Array): Promise<Uint8Array> {
  if (checkImage(bytes).type === 'accepted') return bytes;
  try {
    // The bytes come back as an object with a property for each of them.
    const scaled = await vscode.commands.executeCommand<Record<number, number>>('_chat.resizeImage', bytes);
    return Uint8Array.from(Object.values(scaled));
  } catch {
    return bytes;
  }
}

/** What is open in an editor may be unsaved, or exist nowhere else. */
async function unsavedDocument(uri: vscode.Uri): Promise<vscode.TextDocument | undefined> {
  const open = vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
  const isOnlyThere = vscode.workspace.fs.isWritableFileSystem(uri.scheme) === undefined;
  if (open?.isDirty === true || isOnlyThere) return open;
  const place = await realPlaceOf(uri);
  return place && unsavedDocumentAt(place);
}

/** A pasted or dropped image. Its class is not part of the stable API, so its shape decides. */
interface ImageValue {
  readonly mimeType: string;
  data(): Thenable<Uint8Array>;
}

function isImage(value: unknown): value is ImageValue {
  if (!isObject(value)) return false;
  const { mimeType, data } = value;
  return typeof mimeType === 'string' && mimeType.startsWith('image/') && typeof data === 'function';
}

type Problems = readonly [vscode.Uri, readonly vscode.Diagnostic[]];

function isProblems(value: unknown): value is { readonly diagnostics: readonly Problems[] } {
  return isObject(value) && Array.isArray(value['diagnostics']);
}

function toLines([uri, problems]: Problems): readonly string[] {
  return problems.map(({ range, severity, message, source }) => {
    const place = `${pathOf(uri)}:${range.start.line + 1}:${range.start.character + 1}`;
    const from = source === undefined ? '' : ` (${source})`;
    return `${place}: ${vscode.DiagnosticSeverity[severity].toLowerCase()}: ${message}${from}`;
  });
}

function toEntry([entry, type]: readonly [string, vscode.FileType]): string {
  return (type & vscode.FileType.Directory) !== 0 ? `${entry}/` : entry;
}

function isOpenable({ scheme }: vscode.Uri): boolean {
  return vscode.workspace.fs.isWritableFileSystem(scheme) !== undefined || scheme === 'untitled';
}

function pathOf(uri: vscode.Uri): string {
  return vscode.workspace.asRelativePath(uri);
}

/** False for what VS Code adds by itself: what is open in the editor, and instruction files of the workspace. */
function isChosen({ id }: vscode.ChatPromptReference): boolean {
  return !id.startsWith('vscode.implicit') && !isInstructionId(id);
}

/** What the user did not choose to send must not be a secret, nor be reached through a link out of the workspace. */
async function whyWithheld(
  uri: vscode.Uri,
  isSecret: (path: string) => boolean,
): Promise<Refusal | undefined> {
  const isOnDisk = uri.scheme === 'file';
  const real = isOnDisk ? await followLinks(uri.fsPath) : uri.path;
  if (isSecret(pathOf(uri)) || isSecret(real.replaceAll('\\', '/').replace(/^\/+/, ''))) {
    return {
      reason: 'it looks like a secret, and it was only open, not attached',
      shown: l10n.t('it looks like a secret, and it was only open, not attached'),
    };
  }
  if (!isOnDisk || !vscode.workspace.getWorkspaceFolder(uri)) return undefined;
  const folders = vscode.workspace.workspaceFolders ?? [];
  const roots = await Promise.all(folders.map((folder) => followLinks(folder.uri.fsPath)));
  const isInside = roots.some((root) => real === root || real.startsWith(root.replace(/[\\/]*$/, sep)));
  if (isInside) return undefined;
  const reason = 'it is a link that leaves the workspace';
  return { reason, shown: l10n.t('it is a link that leaves the workspace') };
}

/** The label in the panel is not in the stable typings. */
function nameOf(reference: vscode.ChatPromptReference): string {
  if (reference.value instanceof vscode.Uri) return pathOf(reference.value);
  if ('name' in reference && typeof reference.name === 'string' && reference.name !== '')
    return reference.name;
  return reference.id;
}

/**
 * VS Code attaches instruction files to every message, whether the workspace is trusted or not. Those that
 * we read by ourselves would be there twice, and those of an untrusted workspace are ignored. The user's own stay.
 */
export function withoutInstructionFiles(
  references: readonly vscode.ChatPromptReference[],
): readonly vscode.ChatPromptReference[] {
  return references.flatMap((reference) => {
    const { id, value } = reference;
    if (!isInstructionId(id)) return [reference];
    if (value instanceof vscode.Uri) {
      if (!vscode.workspace.getWorkspaceFolder(value)) return [reference];
      return vscode.workspace.isTrusted && !isGuidancePath(value.path) ? [reference] : [];
    }
    if (!vscode.workspace.isTrusted) return [];
    if (typeof value !== 'string') return [reference];
    const index = withoutGuidance(value);
    return index === undefined ? [] : [index === value ? reference : { ...reference, value: index }];
  });
}

/** Files as instructions and, as text, an index of them: the ids of VS Code 1.110 and of 1.139. */
function isInstructionId(id: string): boolean {
  return /^vscode\.((prompt\.)?instructions|customizations)\b/.test(id);
}
