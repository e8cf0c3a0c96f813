import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ConversationHandle } from '../../core/conversation/memory/handle';
import { contentCount } from '../../core/conversation/reports/archiveReport';
import type { Conversation } from '../../core/conversation/turn';
import { inform } from '../notify';

/** Erases what is remembered, with an Undo for as long as the notification is open. */
export async function clearConversation(handle: ConversationHandle): Promise<void> {
  const erased = await handle.clear();
  const sentence = describeErased(erased?.conversation);
  if (!erased) {
    void inform(sentence);
    return;
  }
  const undo = l10n.t('Undo');
  const newChat = l10n.t('Delete VS Code’s Chats…');
  const choice = await inform(sentence, undo, newChat);
  if (choice === undo) {
    await handle.restore(erased);
    void inform(l10n.t('The conversation is back.'));
  }
  if (choice === newChat) await vscode.commands.executeCommand('workbench.action.chat.clearHistory');
}

/** What was erased, and what VS Code itself still holds. */
export function describeErased(erased: Conversation | undefined): string {
  if (!erased) return l10n.t('Nothing is remembered, so there is nothing to clear.');
  return l10n.t(
    'Erased {0}: Claude no longer knows this conversation. VS Code itself still keeps the chat and its pasted images.',
    contentCount(erased),
  );
}
