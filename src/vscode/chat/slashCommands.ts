import { randomUUID } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import { isPartOf, type ConversationArchive } from '../../core/conversation/archive/archive';
import { ArchiveSearch } from '../../core/conversation/archive/searchArchive';
import type { ConversationHandle } from '../../core/conversation/memory/conversationHandle';
import { archiveReport, emptyArchive } from '../../core/conversation/reports/archiveReport';
import { memoryReport } from '../../core/conversation/reports/memoryReport';
import type { MemoryLimits } from '../../core/conversation/retention';
import type { ConversationId } from '../../core/conversation/turn';
import { rememberedIn } from '../../core/ledger/conversationRecords';
import { usageReport } from '../../core/ledger/usageReport';
import { commandLink, withLinksTo } from '../commandLink';
import { describeErased } from '../memory/clearConversation';
import type { ShownLedger } from '../memory/shownLedger';
import { inform } from '../notify';
import type { Compact } from './compact';

/** An answer about the conversation that is no part of it. */
export interface LocalAnswer {
  readonly markdown: string | vscode.MarkdownString;
  readonly buttons: readonly vscode.Command[];
  /** What it took. */
  readonly details?: string;
  /** Takes back what the command did, and says what came of it. */
  readonly undo?: (() => Promise<string>) | undefined;
}

/** A slash command as it was sent. */
export interface SlashCall {
  readonly command: string | undefined;
  /** What stands behind it. */
  readonly prompt: string;
  readonly conversation: ConversationHandle;
  readonly conversationId: ConversationId;
  /** The picked model, if it is one of ours. */
  readonly modelId: string | undefined;
  readonly progress: (text: string) => void;
  readonly signal: AbortSignal;
}

export interface SlashCommands {
  /** Undefined for what is Claude's to answer. */
  run(call: SlashCall): Promise<LocalAnswer | undefined>;
  /** What the Undo button below such an answer does; only the newest one still can. */
  undo(key: string): Promise<void>;
}

/** How many `/resume` shows. The list has them all. */
const shownArchived = 5;

/** `/clear`, `/memory`, `/compact`, `/resume` and `/usage`: they are about the conversation and no part of it. */
export function createSlashCommands(options: {
  readonly archive: ConversationArchive;
  readonly ledger: Pick<ShownLedger, 'records'>;
  readonly refresh: () => Promise<void>;
  readonly limits: () => MemoryLimits;
  readonly nameOfModel: (id: string) => string;
  readonly compact: Compact;
}): SlashCommands {
  const { limits, nameOfModel } = options;
  let undoable: { readonly key: string; readonly undo: () => Promise<string> } | undefined;

  async function perform(call: SlashCall): Promise<LocalAnswer | undefined> {
    const { command, prompt, conversation } = call;
    switch (command) {
      case 'clear':
        return clear(conversation);
      case 'memory':
        await options.refresh();
        return {
          markdown: memoryReport(conversation.snapshot(), limits(), Date.now()),
          buttons: [{ command: 'assistant.showMemory', title: l10n.t('Show Memory') }],
        };
      case 'resume':
        await options.refresh();
        return resumable(options.archive, prompt, conversation);
      case 'compact':
        await options.refresh();
        return options.compact(conversation, call);
      case 'usage':
        await options.refresh();
        return {
          markdown: usageReport(
            rememberedIn(call.conversationId, conversation.snapshot()),
            await options.ledger.records(),
            nameOfModel,
          ),
          buttons: [{ command: 'assistant.showUsage', title: l10n.t('Show Usage') }],
        };
      default:
        return undefined;
    }
  }

  return {
    async run(call) {
      const answer = await perform(call);
      if (!answer?.undo) return answer;
      undoable = { key: randomUUID(), undo: answer.undo };
      // Not as a notification, which would cover the input that the person is about to use.
      const button: vscode.Command = {
        command: 'assistant.undoSlashCommand',
        title: l10n.t('Undo'),
        arguments: [undoable.key],
      };
      return { ...answer, buttons: [...answer.buttons, button] };
    },

    async undo(key) {
      const found = undoable?.key === key ? undoable : undefined;
      if (found) undoable = undefined;
      await options.refresh();
      const sentence = await found?.undo();
      void inform(sentence ?? l10n.t('There is nothing left to bring back.'));
    },
  };
}

async function clear(conversation: ConversationHandle): Promise<LocalAnswer> {
  const erased = await conversation.clear();
  const undo = async () => {
    if (erased) await conversation.restore(erased);
    return l10n.t('The conversation is back.');
  };
  return { markdown: describeErased(erased), buttons: [], undo: erased && undo };
}

/** The newest archived conversations, or those that hold these words. */
async function resumable(
  archive: ConversationArchive,
  words: string,
  conversation: ConversationHandle,
): Promise<LocalAnswer> {
  const listing = await archive.list();
  const present = conversation.snapshot();
  const others = listing.conversations.filter((one) => !isPartOf(one, present));
  if (others.length === 0) return { markdown: emptyArchive(archive.isOff), buttons: [] };
  const whole: vscode.Command = {
    command: 'assistant.resumeConversation',
    title: l10n.t('Resume Conversation…'),
  };
  const found = new ArchiveSearch(others).find(words).slice(0, shownArchived);
  if (found.length === 0) {
    return { markdown: l10n.t('No archived conversation holds these words.'), buttons: [whole] };
  }
  const report = archiveReport(found, {
    now: Date.now(),
    linkTo: (id) => commandLink(whole.command, id),
  });
  return { markdown: withLinksTo(whole.command, report), buttons: [whole] };
}
