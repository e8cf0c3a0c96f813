import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { inform } from '../notify';
import type { Tools } from './tools';

/** Claude asks again about every tool of others. What VS Code remembers is VS Code's own, and named with a way there. */
export async function resetToolApprovals(tools: Pick<Tools, 'resetApprovals'>): Promise<void> {
  const count = await tools.resetApprovals();
  const done =
    count === 0
      ? l10n.t('No tool of another extension was allowed for longer than one call.')
      : l10n.t('Claude asks again before it uses tools of other extensions ({0} were allowed).', count);
  const manage = l10n.t('Manage VS Code’s Approvals…');
  const sentence = `${done} ${l10n.t('What you allowed in cards of VS Code itself, VS Code remembers.')}`;
  if ((await inform(sentence, manage)) === manage) {
    await vscode.commands.executeCommand('workbench.action.chat.editToolApproval');
  }
}
