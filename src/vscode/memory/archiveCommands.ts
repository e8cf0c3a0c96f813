import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ConversationArchive, SomeTurn } from '../../core/conversation/archive/archive';
import { isEmpty } from '../../core/conversation/changes';
import { firstWords } from '../../core/conversation/firstWords';
import type { ConversationHandle } from '../../core/conversation/memory/handle';
import type { ConversationMemory } from '../../core/conversation/memory/memory';
import {
  describeLeft,
  emptyArchive,
  hasTurns,
  turnCount,
} from '../../core/conversation/reports/archiveReport';
import type { MemoryNode } from '../../core/conversation/reports/memoryRow';
import type { ArchivedHeader } from '../../core/conversation/store';
import type { ArchivedId } from '../../core/conversation/turn';
import type { Ledger } from '../../core/ledger/ledger';
import type { Log } from '../../core/ports';
import { paragraph, wordList } from '../../core/text/joined';
import type { Plans } from '../../core/tools/plans/plans';
import { createRegisterCommand } from '../commands';
import { inform, offerLater } from '../notify';
import type { ArchivePreview } from './archivePreview';
import { pickConversation } from './conversationPicker';
import { exportConversation, type ExportChoice } from './exportConversation';
import { importConversation } from './importConversation';
import { askWhatGoes, eraseLasting, presentIn, type Lasting } from './lasting';
import { mayLeave } from './mayLeave';
import { foundUri, turnOf } from './memoryFiles';

export interface ArchiveCommandOptions {
  readonly memory: ConversationMemory;
  readonly archive: ConversationArchive;
  readonly ledger: Pick<Ledger, 'clear'>;
  readonly preview: ArchivePreview;
  readonly plans: Pick<Plans, 'open' | 'add'>;
  /** Besides conversations; some of it is deleted with all of them only where the person says so. */
  readonly lasting: readonly Lasting[];
  /** The conversation that a command means. */
  readonly current: () => ConversationHandle;
  readonly nameOfModel: (id: string) => string;
  /** Must not be in an export, wherever they were said. */
  readonly secrets: () => Promise<readonly string[]>;
  readonly log: Log;
}

/** What a button below an answer hands over; nothing when the user runs the command. */
export interface FromButton {
  readonly conversationId?: string;
  readonly keepThread?: string;
}

/** The commands that move conversations between memory, archive and files (M20, M21). */
export function registerArchiveCommands(options: ArchiveCommandOptions): vscode.Disposable {
  const { memory, archive, preview } = options;
  const command = createRegisterCommand(options.log);
  const conversation = (id: string | undefined) =>
    id === undefined ? options.current() : memory.forConversation(id);

  /** Whether it is fresh now. */
  async function startFresh({ conversationId, keepThread }: FromButton = {}): Promise<boolean> {
    const handle = conversation(conversationId);
    if (!(await mayLeave(options, handle))) return false;
    const was = await archive.startFresh(handle.id, keepThread === undefined ? {} : { keepThread });
    const { left, archivedAs } = was;
    const sentence = describeLeft(was);
    const undo = l10n.t('Undo');
    // Pressed later, when another chat may be the present one.
    if (archivedAs !== undefined)
      offerLater(options.log, sentence, undo, () => continueEnded(archivedAs, handle.id));
    // With turns, the user was asked before.
    else if (left && !isEmpty(left) && !hasTurns(left))
      offerLater(options.log, sentence, undo, () => handle.restore({ conversation: left }));
    else void inform(sentence);
    return true;
  }

  async function continueEnded(id: ArchivedId, conversationId?: string): Promise<void> {
    const { remembered } = await archive.continueEnded(conversation(conversationId).id, id);
    void inform(l10n.t('The earlier conversation goes on: {0} came back.', turnCount(remembered)));
  }

  async function resume(id: ArchivedId, handle: ConversationHandle): Promise<void> {
    if (!(await mayLeave(options, handle))) return;
    const { resumed, archivedAs, remembered: there } = await archive.resume(handle.id, id);
    const { turns } = resumed;
    const sentences = [
      l10n.t('“{0}” goes on with your next message: {1} remembered.', resumed.title, turnCount(there)),
      ...(there < turns
        ? [
            l10n.t(
              'The older ones do not fit within the memory limits; the archive keeps all {0} turns.',
              turns,
            ),
          ]
        : []),
      ...(archivedAs === undefined ? [] : [l10n.t('The conversation before is in the archive.')]),
    ];
    offerLater(options.log, paragraph(sentences), l10n.t('Ask Assistant'), () =>
      vscode.commands.executeCommand('assistant.ask'),
    );
  }

  async function resumeConversation(chosen?: ArchivedId, { conversationId }: FromButton = {}): Promise<void> {
    const handle = conversation(conversationId);
    if (chosen !== undefined) return resume(chosen, handle);
    await memory.refresh();
    const listing = await archive.list();
    if (listing.length === 0) {
      void inform(emptyArchive(archive.isOff));
      return undefined;
    }
    return chooseFrom(listing, 'resume', handle);
  }

  async function searchConversations(): Promise<void> {
    await memory.refresh();
    return chooseFrom(await archive.list(), 'search', options.current());
  }

  async function chooseFrom(
    listing: readonly ArchivedHeader[],
    purpose: 'resume' | 'search',
    handle: ConversationHandle,
  ): Promise<void> {
    const chosen = await pickConversation({
      for: purpose,
      archive,
      listing,
      preview: (archived) => preview.show(archived),
      remove: async (archived) => {
        const found = await archive.get(archived.id);
        const bringBack = found && (await archive.remove(found));
        offerLater(
          options.log,
          l10n.t('“{0}” is deleted from the archive.', archived.title),
          l10n.t('Undo'),
          async () => {
            await bringBack?.();
            void inform(l10n.t('“{0}” is back in the archive.', archived.title));
          },
        );
      },
    });
    if (chosen?.act === 'resume') await resume(chosen.archived.id, handle);
    if (chosen?.act === 'open') await vscode.window.showTextDocument(foundUri(chosen.found));
    if (chosen?.act === 'continue') await continueFrom(chosen.found, handle);
  }

  async function continueFrom(where: SomeTurn, handle: ConversationHandle): Promise<void> {
    if (!(await mayLeave(options, handle))) return;
    const { from, archivedAs, remembered } = await archive.continueFrom(handle.id, where);
    const sentences = [
      l10n.t(
        'Your next message goes on after “{0}”: {1} remembered.',
        firstWords(from, 40),
        turnCount(remembered),
      ),
      ...(archivedAs === undefined ? [] : [l10n.t('The conversation before is in the archive.')]),
    ];
    offerLater(options.log, paragraph(sentences), l10n.t('Ask Assistant'), () =>
      vscode.commands.executeCommand('assistant.ask'),
    );
  }

  /** From the document of a turn, or from its row in the Memory view. */
  async function continueFromHere(at?: vscode.Uri | Pick<MemoryNode, 'subject'>): Promise<void> {
    const uri = at instanceof vscode.Uri ? at : vscode.window.activeTextEditor?.document.uri;
    const subject = at && 'subject' in at ? at.subject : undefined;
    const where = subject?.kind === 'turn' ? subject : uri && turnOf(uri);
    if (where)
      await continueFrom({ turn: where.turn, ...('key' in where && { key: where.key }) }, options.current());
  }

  async function deleteAllConversations(): Promise<void> {
    await memory.refresh();
    const remembered = memory.conversations().reduce((sum, { turns }) => sum + turns.length, 0);
    const archived = (await archive.list()).length;
    const present = await presentIn(options.lasting);
    if (memory.conversations().length + archived + present.length === 0 && !memory.hasDamaged()) {
      void inform(l10n.t('Nothing is remembered and nothing is archived in this workspace.'));
      return;
    }
    const isAsked = ({ kind }: (typeof present)[number]) => kind.buttons.deleteAll !== undefined;
    const wordsOf = (some: typeof present) => wordList(some.map(({ words }) => words));
    const alsoGoing = present.filter((one) => !isAsked(one));
    const stays = wordsOf(present.filter(isAsked));
    const detail = [
      l10n.t(
        'Erased for good: what is remembered now ({0}), {1} in the archive, the records of what was sent, the texts by which changes by Claude can be undone, and damaged data that was set aside.',
        turnCount(remembered),
        archived === 1 ? l10n.t('1 conversation') : l10n.t('{0} conversations', archived),
      ),
      ...(alsoGoing.length === 0 ? [] : [l10n.t('Erased with them: {0}.', wordsOf(alsoGoing))]),
      ...(stays === '' ? [] : [l10n.t('Erased only with the button that names them: {0}.', stays)]),
      l10n.t(
        'Not erased: the chats and pasted images that VS Code itself keeps, files that were exported, and conversations of other workspaces.',
      ),
    ].join('\n\n');
    const question = l10n.t('Delete all conversations of this workspace?');
    const goes = await askWhatGoes(
      'deleteAll',
      { question, detail, plain: l10n.t('Delete All') },
      present.map(({ kind }) => kind),
    );
    if (!goes) return;
    await memory.deleteAll();
    await eraseLasting([...alsoGoing.map(({ kind }) => kind), ...goes]);
    // Where there is no database, records last as long as the window.
    await options.ledger.clear();
    const sentence = l10n.t(
      'All conversations of this workspace are erased. VS Code itself still keeps its chats and pasted images.',
    );
    offerLater(options.log, sentence, l10n.t('Delete VS Code’s Chats…'), () =>
      vscode.commands.executeCommand('workbench.action.chat.clearHistory'),
    );
  }

  return vscode.Disposable.from(
    command('startFresh', startFresh),
    command('continueEnded', continueEnded),
    command('continueFromHere', continueFromHere),
    command('searchConversations', searchConversations),
    command('resumeConversation', resumeConversation),
    command('deleteAllConversations', deleteAllConversations),
    command('exportConversation', (choice?: ExportChoice) => exportConversation(options, choice)),
    command('importConversation', (from?: vscode.Uri) => importConversation(options, from)),
  );
}
