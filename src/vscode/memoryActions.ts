import * as vscode from 'vscode';
import type { ConversationHandle } from '../core/conversation/conversationHandle';
import type { ConversationMemory } from '../core/conversation/memory';
import { firstWords } from '../core/conversation/memoryReport';
import type { MemoryNode, MemorySubject } from '../core/conversation/memoryTree';
import type { Conversation } from '../core/conversation/turn';
import { summaryUri, turnUri } from './memoryFiles';
import type { MemoryView } from './memoryView';

type Row = Pick<MemoryNode, 'subject'>;
type Kind = MemorySubject['kind'];
type SubjectOf<K extends Kind> = Extract<MemorySubject, { kind: K }>;

/** What can be done with the rows of the Memory view (M19). */
export function registerMemoryActions(memory: ConversationMemory, view: MemoryView): vscode.Disposable {
  /** A command about a row: the one whose menu was opened or, by keyboard, the one that is selected. */
  const rowCommand = <K extends Kind>(name: string, kind: K, run: (subject: SubjectOf<K>) => unknown) =>
    vscode.commands.registerCommand(`assistant.${name}`, (row: Row | undefined = view.selected()) =>
      isAbout(row?.subject, kind) ? run(row.subject) : undefined,
    );
  const find = ({ conversation, turn: turnId }: SubjectOf<'turn'>) => {
    const handle = memory.forConversation(conversation);
    const turn = handle.snapshot()?.turns.find(({ id }) => id === turnId);
    return turn && { handle, turn };
  };

  return vscode.Disposable.from(
    vscode.commands.registerCommand('assistant.showMemory', () =>
      vscode.commands.executeCommand('assistant.memory.focus'),
    ),
    rowCommand('pinTurn', 'turn', (row) => find(row)?.handle.setPinned(row.turn, true)),
    rowCommand('unpinTurn', 'turn', (row) => find(row)?.handle.setPinned(row.turn, false)),
    rowCommand('openTurn', 'turn', async (row) => {
      const found = find(row);
      if (!found) return;
      await vscode.window.showTextDocument(turnUri(row.conversation, found.turn), { preview: true });
    }),
    rowCommand('forgetTurn', 'turn', async (row) => {
      const found = find(row);
      if (!found) return;
      const words = firstWords(found.turn, 40);
      await forget(
        found.handle,
        { turns: [row.turn] },
        vscode.l10n.t('Claude no longer knows the turn “{0}”.', words),
      );
    }),
    rowCommand('openSummary', 'summary', ({ conversation }) =>
      vscode.window.showTextDocument(summaryUri(conversation)),
    ),
    rowCommand('forgetSummary', 'summary', async ({ conversation }) => {
      const handle = memory.forConversation(conversation);
      const before = handle.snapshot();
      await handle.setSummary(undefined);
      await offerUndo(vscode.l10n.t('Claude no longer knows the summary.'), async () => {
        if (before?.summary) await handle.restore({ ...only(before, {}), summary: before.summary });
      });
    }),
    rowCommand('forgetValue', 'value', ({ conversation, name }) =>
      forget(
        memory.forConversation(conversation),
        { params: [name] },
        vscode.l10n.t('Claude no longer knows the value of {0}.', name),
      ),
    ),
    rowCommand('revealValue', 'value', (row) => view.setRevealed(row, true)),
    rowCommand('hideValue', 'value', (row) => view.setRevealed(row, false)),
    rowCommand('copyValue', 'value', async ({ conversation, name }) => {
      const value = memory.forConversation(conversation).params()[name];
      if (value === undefined) return;
      await vscode.env.clipboard.writeText(value);
      vscode.window.setStatusBarMessage(vscode.l10n.t('The value of {0} is copied.', name), 3000);
    }),
  );
}

function isAbout<K extends Kind>(subject: MemorySubject | undefined, kind: K): subject is SubjectOf<K> {
  return subject?.kind === kind;
}

/** Forgets, with an Undo for as long as the notification is open. */
async function forget(
  handle: ConversationHandle,
  what: { readonly turns?: readonly string[]; readonly params?: readonly string[] },
  sentence: string,
): Promise<void> {
  const before = handle.snapshot();
  await handle.forget(what);
  await offerUndo(sentence, async () => {
    if (before) await handle.restore(only(before, what));
  });
}

async function offerUndo(sentence: string, bringBack: () => Promise<void>): Promise<void> {
  const undo = vscode.l10n.t('Undo');
  if ((await vscode.window.showInformationMessage(sentence, undo)) === undo) await bringBack();
}

function only(
  { id, lastActive, turns, params, waitingRevision }: Conversation,
  what: { readonly turns?: readonly string[]; readonly params?: readonly string[] },
): Conversation {
  return {
    id,
    lastActive,
    waitingRevision,
    turns: turns.filter((turn) => what.turns?.includes(turn.id)),
    params: Object.fromEntries(Object.entries(params).filter(([name]) => what.params?.includes(name))),
  };
}
