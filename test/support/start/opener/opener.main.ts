/** Runs beside our extension in `npm start`: the folder's README on the left, on the right a chat with `@assistant`. */
import * as vscode from 'vscode';

export async function activate(): Promise<void> {
  const [readme] = await vscode.workspace.findFiles('README.md', null, 1);
  if (readme) await vscode.commands.executeCommand('markdown.showPreview', readme);
  await vscode.commands.executeCommand('assistant.ask');
}
