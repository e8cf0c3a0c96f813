import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ConversationHandle } from '../../core/conversation/memory/handle';
import { contentCount } from '../../core/conversation/reports/archiveReport';
import type { Conversation } from '../../core/conversation/turn';
import { paragraph, wordList } from '../../core/text/joined';
import { inform } from '../notify';
import { askWhatGoes, eraseLasting, presentIn, type Lasting } from './lasting';

/** Erases what is remembered, with an Undo for as long as the notification is open. */
export async function clearConversation(
  handle: ConversationHandle,
  lasting: readonly Lasting[],
  hasDamaged: () => boolean,
): Promise<void> {
  const present = await presentIn(lasting);
  const goes = present.length === 0 ? [] : await askAbout(present);
  if (!goes) return;
  const erased = await handle.clear();
  const bringBack = await eraseLasting(goes);
  const words = present.flatMap((one) => (goes.includes(one.kind) ? [one.words] : []));
  const sentence = describeErased(erased?.conversation, hasDamaged(), words);
  if (!erased && goes.length === 0) {
    void inform(sentence);
    return;
  }
  const undo = l10n.t('Undo');
  const newChat = l10n.t('Delete VS Code’s Chats…');
  const choice = await inform(sentence, undo, newChat);
  if (choice === undo) {
    if (erased) await handle.restore(erased);
    await bringBack();
    void inform(erased ? l10n.t('The conversation is back.') : l10n.t('What was erased is back.'));
  }
  if (choice === newChat) await vscode.commands.executeCommand('workbench.action.chat.clearHistory');
}

function askAbout(present: Awaited<ReturnType<typeof presentIn>>): Promise<readonly Lasting[] | undefined> {
  const there = wordList(present.map(({ words }) => words));
  return askWhatGoes(
    'clear',
    {
      question: l10n.t('Clear the conversation?'),
      detail: l10n.t('Kept beyond conversations: {0}. They stay unless you erase them, too.', there),
      plain: l10n.t('Clear'),
    },
    present.map(({ kind }) => kind),
  );
}

/** What was erased, and where it may still be. `besides`: what else went with it. */
export function describeErased(
  erased: Conversation | undefined,
  hasDamaged: boolean,
  besides: readonly string[] = [],
): string {
  if (!erased && besides.length === 0) return l10n.t('Nothing is remembered, so there is nothing to clear.');
  const more = besides.length === 0 ? [] : [l10n.t('Erased, too: {0}.', wordList(besides))];
  if (!erased) return paragraph(more);
  const sentence = l10n.t(
    'Erased {0}: Claude no longer knows this conversation. VS Code itself still keeps the chat and its pasted images.',
    contentCount(erased),
  );
  const damaged = l10n.t(
    'Damaged data that was set aside may still hold it; Delete All Conversations… erases that, too.',
  );
  return paragraph([sentence, ...(hasDamaged ? [damaged] : []), ...more]);
}
