/** Runs beside our extension in `npm start`: the folder's README on the left, on the right a chat with `@assistant`. */
import { writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { modelsAreThere } from '../../modelsAreThere';

export async function activate(): Promise<void> {
  // After a reload, what was open is.
  const isFresh = vscode.window.tabGroups.all.every(({ tabs }) => tabs.length === 0);
  const [readme] = await vscode.workspace.findFiles('README.md', null, 1);
  // Not by Markdown's own command: once its page has loaded, that takes the focus away from the chat.
  if (readme && isFresh)
    await vscode.commands.executeCommand('vscode.openWith', readme, 'vscode.markdown.preview.editor', {
      preserveFocus: true,
    });
  await vscode.commands.executeCommand('assistant.ask');
  const question = process.env['START_QUESTION'];
  if (question) await answerAndQuit(question, process.env['START_ANSWER'] ?? '');
}

/** For a start that nobody watches. */
async function answerAndQuit(question: string, file: string): Promise<void> {
  await modelsAreThere();
  const query = `@assistant ${question}`;
  const options = { query, blockOnResponse: true };
  const result: unknown = await vscode.commands.executeCommand('workbench.action.chat.open', options);
  writeFileSync(file, JSON.stringify(result ?? 'nothing'));
  await vscode.commands.executeCommand('workbench.action.quit');
}
