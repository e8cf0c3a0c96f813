import * as vscode from 'vscode';
import { inform } from '../notify';
import type { Tools } from './tools';

/** Claude asks again about every tool of others. What VS Code remembers is VS Code's own, and named with a way there. */
export async function resetToolApprovals(tools: Pick<Tools, 'resetApprovals'>): Promise<void> {
  const { t } = vscode.l10n;
  const count = await tools.resetApprovals();
  const done =
    count === 0
      ? t('No tool of another extension was allowed for longer than one call.')
      : t('Claude asks again before it uses tools of other extensions ({0} were allowed).', count);
  const manage = t('Manage VS Code’s Approvals…');
  const sentence = `${done} ${t('What you allowed in cards of VS Code itself, VS Code remembers.')}`;
  if ((await inform(sentence, manage)) === manage) {
    await vscode.commands.executeCommand('workbench.action.chat.editToolApproval');
  }
}
