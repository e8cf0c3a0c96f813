import { sep } from 'node:path';
import * as vscode from 'vscode';
import { diffLines } from '../../core/tools/lineDiff';
import type { ChangeOutcome, Place, WorkspaceChange } from '../../core/tools/workspace';
import { followLinks } from './diskFiles';
import { uriOf } from './places';

/** How long an editor may take to notice that its file changed on disk. */
const reloadLimitMs = 3_000;

/** Each change is one step for Undo. */
export async function applyChange(change: WorkspaceChange, signal: AbortSignal): Promise<ChangeOutcome> {
  signal.throwIfAborted();
  return change.kind === 'edit' ? editText(change) : changeFile(change);
}

type TextChange = Extract<WorkspaceChange, { kind: 'edit' }>;

async function editText(change: TextChange): Promise<ChangeOutcome> {
  const document = await vscode.workspace.openTextDocument(uriOf(change.place));
  if (!(await isCaughtUp(document, change.before))) {
    return { kind: 'refused', why: 'its text is no longer the one that the edit was made for' };
  }
  if (!(await isStillItself(change.place))) return linkRefusal;
  const wasDirty = document.isDirty;
  if (!(await replaceText(document, change.after))) {
    return { kind: 'refused', why: 'VS Code did not apply the edit' };
  }
  if (wasDirty) return { kind: 'left-unsaved' };
  // The way to the file is looked at once more, since saving writes through whatever is there now.
  if (!(await isStillItself(change.place))) return { kind: 'left-unsaved' };
  const isSaved = (await document.save()) || (await saveAfresh(document, change));
  return { kind: isSaved ? 'saved' : 'left-unsaved' };
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
  const onDisk = await vscode.workspace.decode(bytes, { uri: document.uri });
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
      edit.createFile(uriOf(change.place), { contents: new TextEncoder().encode(change.text) });
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

const linkRefusal: ChangeOutcome = {
  kind: 'refused',
  why: 'a link has taken its place or that of a folder above it',
};

/** A place has all links followed. When following them leads elsewhere now, somebody put one there. */
async function isStillItself(place: Place): Promise<boolean> {
  const uri = uriOf(place);
  if (uri.scheme !== 'file') return true;
  const [root, real] = await Promise.all([
    followLinks(uriOf({ ...place, path: '' }).fsPath),
    followLinks(uri.fsPath),
  ]);
  const expected = place.path === '' ? root : `${root}${sep}${place.path.replaceAll('/', sep)}`;
  return real === expected;
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
  const before = unixLines(document.getText()).split('\n');
  let line = 0;
  let removed = 0;
  let added: string[] = [];
  const flush = () => {
    if (removed > 0 || added.length > 0) edits.push(replaceLines(document, line - removed, line, added));
    removed = 0;
    added = [];
  };
  for (const { kind, text } of diffLines(before, unixLines(after).split('\n'))) {
    if (kind === 'same') flush();
    if (kind === 'added') added.push(text);
    else line++;
    if (kind === 'removed') removed++;
  }
  flush();
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

function unixLines(text: string): string {
  return text.replace(/\r\n?/g, '\n');
}
