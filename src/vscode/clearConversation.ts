import * as vscode from 'vscode';
import type { ConversationHandle } from '../core/conversation/conversationHandle';

/** Erases what is remembered, with an Undo for as long as the notification is open. */
export async function clearConversation(handle: ConversationHandle): Promise<void> {
  const erased = await handle.clear();
  if (!erased) {
    void vscode.window.showInformationMessage(
      vscode.l10n.t('Nothing is remembered, so there is nothing to clear.'),
    );
    return;
  }
  const undo = vscode.l10n.t('Undo');
  const newChat = vscode.l10n.t('Delete VS Code’s Chats…');
  const params = Object.keys(erased.params).length;
  const sentence = vscode.l10n.t(
    'Erased {0} turns and {1} remembered values: Claude no longer knows them. VS Code itself still keeps this chat and its pasted images in its own history.',
    erased.turns.length,
    params,
  );
  const choice = await vscode.window.showInformationMessage(sentence, undo, newChat);
  if (choice === undo) {
    await handle.restore(erased);
    void vscode.window.showInformationMessage(vscode.l10n.t('The conversation is back.'));
  }
  if (choice === newChat) await vscode.commands.executeCommand('workbench.action.chat.clearHistory');
}
