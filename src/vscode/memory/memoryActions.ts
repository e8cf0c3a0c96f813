import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ConversationArchive } from '../../core/conversation/archive/archive';
import { firstWords, ownWordsIn } from '../../core/conversation/firstWords';
import type { ConversationHandle, Forgotten } from '../../core/conversation/memory/handle';
import type { ConversationMemory } from '../../core/conversation/memory/memory';
import { shortened, type MemoryNode, type MemorySubject } from '../../core/conversation/reports/memoryRow';
import { valuesOf, type Conversation } from '../../core/conversation/turn';
import type { Log } from '../../core/ports';
import { paragraph } from '../../core/text/joined';
import type { Notes } from '../../core/tools/notes/notes';
import { titleOf } from '../../core/tools/plans/plan';
import type { Plans } from '../../core/tools/plans/plans';
import { createRegisterCommand } from '../commands';
import { offer } from '../notify';
import type { PlanFiles } from '../plans/planFiles';
import type { ArchivePreview } from './archivePreview';
import { foundUri, summaryUri, turnUri } from './memoryFiles';
import type { MemoryView } from './memoryView';
import { editNote, forgetNote } from './noteActions';

type Kind = MemorySubject['kind'];
type SubjectOf<K extends Kind> = Extract<MemorySubject, { readonly kind: K }>;
/** What is done with a row, by what it is about. */
type Actions = { readonly [K in Kind]?: (subject: SubjectOf<K>) => unknown };

/** What can be done with the rows of the Memory view (M19). */
export function registerMemoryActions(options: {
  readonly memory: ConversationMemory;
  readonly archive: ConversationArchive;
  readonly view: MemoryView;
  readonly preview: ArchivePreview;
  readonly notes: Notes;
  readonly plans: Pick<Plans, 'get' | 'erase' | 'restore'>;
  readonly planFiles: PlanFiles;
  readonly log: Log;
}): vscode.Disposable {
  const { memory, archive, view, preview, notes } = options;
  const command = createRegisterCommand(options.log);

  /** About the row whose menu was opened or, by keyboard, the one with the focus. */
  const rowCommand = (name: string, actions: Actions) =>
    command(name, async (row?: Pick<MemoryNode, 'subject'>) => {
      const subject = row?.subject ?? (await view.focused())?.subject;
      if (subject) await perform(actions, subject);
    });
  const find = ({ conversation, turn: turnId }: SubjectOf<'turn'>) => {
    const handle = memory.forConversation(conversation);
    const turn = handle.snapshot()?.turns.find(({ id }) => id === turnId);
    return turn && { handle, turn };
  };
  const setPinned = (row: SubjectOf<'turn'>, isPinned: boolean) =>
    memory.forConversation(row.conversation).setPinned(row.turn, isPinned);
  const removeArchived = async ({ id }: SubjectOf<'archived'>) => {
    const archived = await archive.get(id);
    if (!archived) return;
    const bringBack = await archive.remove(archived);
    view.refresh();
    await offer(l10n.t('“{0}” is deleted from the archive.', archived.title), l10n.t('Undo'), async () => {
      await bringBack();
      view.refresh();
    });
  };

  return vscode.Disposable.from(
    command('showMemory', () => vscode.commands.executeCommand('assistant.memory.focus')),
    command('refreshMemory', () => view.refresh()),
    rowCommand('pinTurn', { turn: (row) => setPinned(row, true) }),
    rowCommand('unpinTurn', { turn: (row) => setPinned(row, false) }),
    rowCommand('togglePin', { turn: (row) => setPinned(row, !row.isPinned) }),
    rowCommand('openRow', {
      turn: (row) => {
        const found = find(row);
        return found && vscode.window.showTextDocument(turnUri(row.conversation, found.turn));
      },
      summary: ({ conversation }) => vscode.window.showTextDocument(summaryUri(conversation)),
      plan: ({ id }) => options.planFiles.show({ id }),
      archived: async ({ id }) => {
        const archived = await archive.get(id);
        if (archived) await preview.show(archived);
      },
    }),
    rowCommand('editSummary', {
      conversation: ({ conversation }) => vscode.window.showTextDocument(summaryUri(conversation)),
    }),
    rowCommand('forgetRow', {
      turn: async (row) => {
        const found = find(row);
        const words = found && firstWords(found.turn, 40);
        const sentence = l10n.t('Forgot the turn “{0}”.', words ?? '');
        if (found) await forget(found.handle, { turns: [row.turn] }, sentence);
      },
      value: ({ conversation, name }) => {
        const handle = memory.forConversation(conversation);
        const known = handle.stored();
        const source = known && valuesOf(known).get(name)?.turnId;
        const sentences = [
          l10n.t('Forgot the value of {0}.', name),
          ...(known?.turns.some(({ id }) => id === source)
            ? [l10n.t('The turn it came from still speaks of it, until that goes, too.')]
            : []),
        ];
        return forget(handle, { params: [name] }, paragraph(sentences));
      },
      summary: ({ conversation }) => forgetSummary(memory.forConversation(conversation)),
      note: ({ id }) => forgetNote(notes, id),
      plan: async ({ id }) => {
        const erased = await options.plans.erase([id]);
        const words = shortened(titleOf(erased[0]?.text ?? ''), 40);
        if (erased.length > 0)
          await offer(l10n.t('Forgot the plan “{0}”.', words), l10n.t('Undo'), () =>
            options.plans.restore(erased),
          );
      },
      archived: removeArchived,
    }),
    rowCommand('editNote', { note: ({ id }) => editNote(notes, id) }),
    rowCommand('openNoteTurn', {
      note: async ({ turn }) => {
        const found = await memory.search((search) => {
          const place = turn === undefined ? undefined : search.place(turn);
          return place && search.kept(place);
        });
        if (found) await vscode.window.showTextDocument(foundUri(found));
      },
    }),
    rowCommand('deleteArchived', { archived: removeArchived }),
    rowCommand('resumeArchived', {
      archived: ({ id }) => vscode.commands.executeCommand('assistant.resumeConversation', id),
    }),
    rowCommand('revealValue', { value: (row) => view.setRevealed(row, true) }),
    rowCommand('hideValue', { value: (row) => view.setRevealed(row, false) }),
    rowCommand('copyRow', {
      turn: (row) => {
        const found = find(row);
        return copy(found && ownWordsIn(found.turn));
      },
      summary: ({ conversation }) => copy(memory.forConversation(conversation).snapshot()?.summary?.text),
      note: async ({ id }) => copy((await notes.list()).find((note) => note.id === id)?.text),
      plan: async ({ id }) => copy((await options.plans.get(id))?.text),
      question: ({ conversation }) => copy(memory.forConversation(conversation).waiting()?.question),
      value: ({ conversation, name }) => copy(memory.forConversation(conversation).params()[name]),
    }),
  );
}

async function copy(text: string | undefined): Promise<void> {
  if (text === undefined) return;
  await vscode.env.clipboard.writeText(text);
  // Nothing else shows it, and of a hidden value nothing is seen at all.
  vscode.window.setStatusBarMessage(l10n.t('Copied'), 3000);
}

async function perform<K extends Kind>(actions: Actions, subject: SubjectOf<K>): Promise<void> {
  const action: ((subject: SubjectOf<K>) => unknown) | undefined = actions[subject.kind];
  await action?.(subject);
}

async function forget(handle: ConversationHandle, what: Forgotten, sentence: string): Promise<void> {
  const before = handle.snapshot();
  const branches = await handle.forget(what);
  if (before)
    await offer(sentence, l10n.t('Undo'), () =>
      handle.restore({ conversation: only(before, what), branches }),
    );
}

async function forgetSummary(handle: ConversationHandle): Promise<void> {
  const before = handle.snapshot();
  const summary = before?.summary;
  if (!summary) return;
  const branches = await handle.setSummary(undefined);
  const conversation = { ...only(before, {}), summary, summarized: before.summarized };
  await offer(l10n.t('Forgot the summary.'), l10n.t('Undo'), () =>
    handle.restore({ conversation, branches }),
  );
}

function only(
  { turns, params, ...conversation }: Conversation,
  { turns: turnIds = [], params: names = [] }: Forgotten,
): Conversation {
  const { summary: _summary, waiting: _waiting, ...rest } = conversation;
  return {
    ...rest,
    turns: turns.filter((turn) => turnIds.includes(turn.id)),
    summarized: [],
    params: params.filter(({ name }) => names.includes(name)),
  };
}
