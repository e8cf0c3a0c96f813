import * as vscode from 'vscode';

/**
 * Shows a document of ours as a page: tables are for reading as tables. VS Code 1.110 takes two documents for one when
 * their paths are the same, whatever else tells them apart, so the id has to stand in the path. Where VS Code's own
 * preview is switched off, the text is shown.
 */
export async function openMarkdown(scheme: string, id: string, title: string): Promise<void> {
  const uri = vscode.Uri.from({ scheme, path: `/${id}/${title}.md`, query: id });
  try {
    await vscode.commands.executeCommand('markdown.showPreview', uri);
  } catch {
    await vscode.window.showTextDocument(uri, { preview: true });
  }
}
