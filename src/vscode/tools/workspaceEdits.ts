import * as vscode from 'vscode';
import { diffLines } from '../../core/tools/diffLines';
import { hasMixedLineEnds, unixLines } from '../../core/tools/lineEnds';
import type { ChangeOutcome, Place, WorkspaceChange } from '../../core/tools/workspace';
import { isReachedWithoutLinks } from './diskFiles';
import { encodeFile } from './encodings';
import { uriOf } from './places';
import { unsavedDocumentAt } from './unsavedEditors';

/** How long an editor may take to notice that its file changed on disk. */
const reloadLimitMs = 3_000;

/** Each change is one step for Undo. */
export async function applyChange(change: WorkspaceChange, signal: AbortSignal): Promise<ChangeOutcome> {
  signal.throwIfAborted();
  return change.kind === 'edit' ? editText(change) : changeFile(change);
}

type TextChange = Extract<WorkspaceChange, { kind: 'edit' }>;

async function editText(change: TextChange): Promise<ChangeOutcome> {
  const document = (await unsavedDocumentAt(change.place)) ?? (await openForEdit(change));
  if (!(await isCaughtUp(document, change.before))) return textRefusal;
  if (!(await isStillItself(change.place))) return linkRefusal;
  const wasDirty = document.isDirty;
  const isUnified = document.getText() !== change.before || hasMixedLineEnds(change.after);
  if (isUnified && !wasDirty) return writeLineEnds(document, change);
  if (!(await replaceText(document, change.after))) {
    return { kind: 'refused', why: 'VS Code did not apply the edit' };
  }
  if (wasDirty) return { kind: 'left-unsaved' };
  // The way to the file is looked at once more, since saving writes through whatever is there now.
  if (!(await isStillItself(change.place))) return { kind: 'left-unsaved' };
  const isSaved = (await document.save()) || (await saveAfresh(document, change));
  const saved = document.getText();
  if (isSaved && change.isExact === true && saved !== change.after)
    return writeLineEnds(document, { ...change, before: saved });
  return { kind: isSaved ? 'saved' : 'left-unsaved' };
}

/**
 * An editor has one kind of line end and would save all lines with it. A file that has several is written directly, so
 * that lines which the edit does not touch stay as they are; the editor follows, and its Undo takes the edit back.
 */
async function writeLineEnds(document: vscode.TextDocument, change: TextChange): Promise<ChangeOutcome> {
  const { uri, encoding } = document;
  const [onDisk, before, after] = await Promise.all([
    vscode.workspace.fs.readFile(uri),
    encodeFile(uri, change.before, encoding),
    encodeFile(uri, change.after, encoding),
  ]);
  if (Buffer.compare(onDisk, before) !== 0) return textRefusal;
  if (!(await isStillItself(change.place))) return linkRefusal;
  try {
    await vscode.workspace.fs.writeFile(uri, after);
  } catch (error) {
    return { kind: 'refused', why: `the file cannot be written (${String(error)})` };
  }
  await isCaughtUp(document, change.after);
  return { kind: 'saved' };
}

/** In the encoding that the edit was made in: VS Code writes a document in the one that it was opened in. */
async function openForEdit({ place, encoding }: TextChange): Promise<vscode.TextDocument> {
  const document = await vscode.workspace.openTextDocument(uriOf(place));
  if (encoding === undefined || encoding === document.encoding) return document;
  return vscode.workspace.openTextDocument(uriOf(place), { encoding });
}

async function replaceText(document: vscode.TextDocument, after: string): Promise<boolean> {
  const edit = new vscode.WorkspaceEdit();
  for (const { range, text } of toTextEdits(document, after)) edit.replace(document.uri, range, text);
  return vscode.workspace.applyEdit(edit);
}

/**
 * VS Code refuses to save over a file that was written after the editor read it. When the text on disk is the one that
 * the edit was made for, nothing is lost by reading it again and making the edit there.
 */
async function saveAfresh(document: vscode.TextDocument, change: TextChange): Promise<boolean> {
  const bytes = await vscode.workspace.fs.readFile(document.uri);
  const onDisk = await vscode.workspace.decode(bytes, { encoding: document.encoding });
  if (unixLines(onDisk) !== unixLines(change.before)) return false;
  await vscode.window.showTextDocument(document);
  await vscode.commands.executeCommand('workbench.action.files.revert');
  return (await replaceText(document, change.after)) && document.save();
}

async function changeFile(change: Exclude<WorkspaceChange, { kind: 'edit' }>): Promise<ChangeOutcome> {
  const edit = new vscode.WorkspaceEdit();
  /** What must not have become a link. What is moved or deleted may be one: then the link itself is. */
  const ways: Place[] = [];
  switch (change.kind) {
    case 'create':
      ways.push(change.place);
      edit.createFile(uriOf(change.place), {
        contents: await encodeFile(uriOf(change.place), change.text, change.encoding),
      });
      break;
    case 'rename':
      ways.push(parentOf(change.from), change.to);
      edit.renameFile(uriOf(change.from), uriOf(change.to));
      break;
    case 'delete':
      ways.push(parentOf(change.place));
      edit.deleteFile(uriOf(change.place), { recursive: true });
      break;
  }
  for (const place of ways) if (!(await isStillItself(place))) return linkRefusal;
  if (await vscode.workspace.applyEdit(edit)) return { kind: 'saved' };
  return { kind: 'refused', why: 'VS Code did not do it; look with list_directory what is there' };
}

const textRefusal: ChangeOutcome = {
  kind: 'refused',
  why: 'its text is no longer the one that the edit was made for',
};

const linkRefusal: ChangeOutcome = {
  kind: 'refused',
  why: 'a link has taken its place or that of a folder above it',
};

/** A place has all links followed. When following them leads elsewhere now, somebody put one there. */
async function isStillItself(place: Place): Promise<boolean> {
  const folder = uriOf({ ...place, path: '' });
  return folder.scheme !== 'file' || isReachedWithoutLinks(folder.fsPath, place.path);
}

function parentOf(place: Place): Place {
  return { folder: place.folder, path: place.path.slice(0, Math.max(0, place.path.lastIndexOf('/'))) };
}

/** An editor without unsaved changes follows its file, a little later. */
async function isCaughtUp(document: vscode.TextDocument, text: string): Promise<boolean> {
  const wanted = unixLines(text);
  const isThere = () => unixLines(document.getText()) === wanted;
  if (isThere() || document.isDirty) return isThere();
  const subscriptions: vscode.Disposable[] = [];
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<boolean>((resolve) => {
      timer = setTimeout(() => resolve(isThere()), reloadLimitMs);
      subscriptions.push(vscode.workspace.onDidChangeTextDocument(() => isThere() && resolve(true)));
    });
  } finally {
    clearTimeout(timer);
    for (const subscription of subscriptions) subscription.dispose();
  }
}

/** Only the lines that differ, so that cursors, folds and breakpoints elsewhere stay where they are. */
function toTextEdits(document: vscode.TextDocument, after: string) {
  const edits: { readonly range: vscode.Range; readonly text: string }[] = [];
  const runs = diffLines(unixLines(document.getText()).split('\n'), unixLines(after).split('\n'));
  let line = 0;
  for (const [at, { kind, lines }] of runs.entries()) {
    const start = line;
    if (kind !== 'added') line += lines.length;
    const next = runs[at + 1];
    if (kind === 'removed' && next?.kind !== 'added') edits.push(replaceLines(document, start, line, []));
    if (kind !== 'added') continue;
    const before = runs[at - 1];
    const replaced = before?.kind === 'removed' ? before.lines.length : 0;
    edits.push(replaceLines(document, start - replaced, start, lines));
  }
  return edits;
}

function replaceLines(document: vscode.TextDocument, start: number, end: number, lines: readonly string[]) {
  const text = lines.join('\n');
  if (end < document.lineCount) {
    return { range: new vscode.Range(start, 0, end, 0), text: lines.length > 0 ? `${text}\n` : '' };
  }
  const last = document.lineAt(document.lineCount - 1).range.end;
  if (start === 0) return { range: new vscode.Range(new vscode.Position(0, 0), last), text };
  const from = document.lineAt(start - 1).range.end;
  return { range: new vscode.Range(from, last), text: lines.length > 0 ? `\n${text}` : '' };
}
