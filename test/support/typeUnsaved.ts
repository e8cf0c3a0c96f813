import type * as vscode from 'vscode';
import { until } from './until';

/** Changes a document as its user does. The extension host hears some time later that it is unsaved by it. */
export async function typeUnsaved(
  editor: vscode.TextEditor,
  change: (edit: vscode.TextEditorEdit) => void,
): Promise<void> {
  // Refused when the file was just read again.
  await until(async () => editor.edit(change));
  await until(() => editor.document.isDirty);
}
