import * as vscode from 'vscode';

/** Changes a document as its user does. The extension host hears some time later that it is unsaved by it. */
export async function typeUnsaved(
  editor: vscode.TextEditor,
  change: (edit: vscode.TextEditorEdit) => void,
): Promise<void> {
  const { document } = editor;
  const unsaved = new Promise<void>((resolve) => {
    const watching = vscode.workspace.onDidChangeTextDocument(({ document: changed }) => {
      if (changed !== document || !document.isDirty) return;
      watching.dispose();
      resolve();
    });
  });
  await editor.edit(change);
  if (!document.isDirty) await unsaved;
}
