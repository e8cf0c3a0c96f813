import * as vscode from 'vscode';

/**
 * Opens the chat with `@assistant` filled in: a message without it would go to somebody else. A link may bring a
 * question, which waits for Enter; a menu brings the file it was opened on, which is no question.
 */
export async function openChat(question?: unknown): Promise<void> {
  const selection = selectedRange();
  await vscode.commands.executeCommand('workbench.action.chat.open', {
    query: `@assistant ${typeof question === 'string' ? question : ''}`,
    isPartialQuery: true,
    ...(selection && { attachFiles: [selection] }),
  });
}

/** The selection in the editor, in the form that the chat's own command takes: lines and columns from 1. */
function selectedRange(): { readonly uri: vscode.Uri; readonly range: object } | undefined {
  const editor = vscode.window.activeTextEditor;
  if (!editor || editor.selection.isEmpty) return undefined;
  const { start, end } = editor.selection;
  return {
    uri: editor.document.uri,
    range: {
      startLineNumber: start.line + 1,
      startColumn: start.character + 1,
      endLineNumber: end.line + 1,
      endColumn: end.character + 1,
    },
  };
}
