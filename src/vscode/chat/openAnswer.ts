import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { inform } from '../notify';
import type { RecentTexts } from './recentTexts';

/** Opens an answer that is too long for the panel as a document. */
export async function openAnswer(answers: RecentTexts, turnId: string): Promise<void> {
  const content = answers.get(turnId);
  if (content === undefined) {
    void inform(l10n.t('This answer is no longer at hand as a document. It can be copied from the chat.'));
    return;
  }
  await vscode.window.showTextDocument(
    await vscode.workspace.openTextDocument({ content, language: 'markdown' }),
  );
}
