import * as vscode from 'vscode';
import type { ConversationHandle } from '../core/conversation/conversationHandle';
import { memoryReport } from '../core/conversation/memoryReport';
import type { MemoryLimits } from '../core/conversation/retention';
import type { Conversation } from '../core/conversation/turn';
import { usageReport } from '../core/conversation/usageReport';
import { describeErased } from './clearConversation';
import type { Compact } from './compact';

/** An answer about the conversation that is no part of it. */
export interface LocalAnswer {
  readonly markdown: string;
  readonly buttons: readonly vscode.Command[];
  /** What it took. */
  readonly details?: string;
}

/** A slash command as it was sent. */
export interface SlashCall {
  readonly command: string | undefined;
  /** What stands behind it. */
  readonly prompt: string;
  /** The picked model, if it is one of ours. */
  readonly modelId: string | undefined;
  readonly progress: (text: string) => void;
  readonly signal: AbortSignal;
}

export interface SlashCommands {
  /** Undefined for what is Claude's to answer. */
  run(call: SlashCall): Promise<LocalAnswer | undefined>;
  /** Brings back what the last `/clear` erased. */
  undoClear(): Promise<void>;
}

/** `/clear`, `/memory`, `/compact` and `/usage`: they are about the conversation and no part of it. */
export function createSlashCommands(options: {
  readonly conversation: ConversationHandle;
  readonly refresh: () => Promise<void>;
  readonly limits: () => MemoryLimits;
  readonly nameOfModel: (id: string) => string;
  readonly compact: Compact;
}): SlashCommands {
  const { conversation, limits, nameOfModel } = options;
  let erased: Conversation | undefined;
  return {
    async run(call) {
      switch (call.command) {
        case 'clear': {
          erased = await conversation.clear();
          // Not as a notification, which would cover the input that the person is about to use.
          const undo = { command: 'assistant.undoClear', title: vscode.l10n.t('Undo') };
          return { markdown: describeErased(erased), buttons: erased ? [undo] : [] };
        }
        case 'memory':
          await options.refresh();
          return {
            markdown: memoryReport(conversation.snapshot(), limits(), Date.now(), vscode.l10n.t),
            buttons: [],
          };
        case 'compact':
          await options.refresh();
          return options.compact(conversation, call);
        case 'usage':
          await options.refresh();
          return { markdown: usageReport(conversation.snapshot(), nameOfModel, vscode.l10n.t), buttons: [] };
        default:
          return undefined;
      }
    },

    async undoClear() {
      const back = erased;
      erased = undefined;
      const sentence = back
        ? vscode.l10n.t('The conversation is back.')
        : vscode.l10n.t('There is nothing left to bring back.');
      if (back) await conversation.restore(back);
      void vscode.window.showInformationMessage(sentence);
    },
  };
}
