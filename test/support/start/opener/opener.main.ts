/** Runs beside our extension in `npm start`: the folder's README on the left, on the right a chat with `@assistant`. */
import * as vscode from 'vscode';

export async function activate(): Promise<void> {
  const [readme] = await vscode.workspace.findFiles('README.md', null, 1);
  // Not by Markdown's own command: once its page has loaded, that takes the focus away from the chat.
  if (readme)
    await vscode.commands.executeCommand('vscode.openWith', readme, 'vscode.markdown.preview.editor', {
      preserveFocus: true,
    });
  await vscode.commands.executeCommand('assistant.ask');
}
