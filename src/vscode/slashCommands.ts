import * as vscode from 'vscode';
import type { ConversationHandle } from '../core/conversation/conversationHandle';
import { memoryReport } from '../core/conversation/memoryReport';
import type { MemoryLimits } from '../core/conversation/retention';
import type { Conversation } from '../core/conversation/turn';
import { usageReport } from '../core/conversation/usageReport';
import { describeErased } from './clearConversation';

/** An answer that needs no Claude. */
export interface LocalAnswer {
  readonly markdown: string;
  readonly buttons: readonly vscode.Command[];
}

export interface SlashCommands {
  /** Undefined for what is Claude's to answer. */
  run(command: string | undefined, conversation: ConversationHandle): Promise<LocalAnswer | undefined>;
  /** Brings back what the last `/clear` erased. */
  undoClear(): Promise<void>;
}

/** `/clear`, `/memory` and `/usage`: they are about the conversation and no part of it. */
export function createSlashCommands(options: {
  readonly refresh: () => Promise<void>;
  readonly limits: () => MemoryLimits;
  readonly nameOfModel: (id: string) => string;
}): SlashCommands {
  const { limits, nameOfModel } = options;
  let cleared: { readonly erased: Conversation; readonly conversation: ConversationHandle } | undefined;
  return {
    async run(command, conversation) {
      switch (command) {
        case 'clear': {
          const erased = await conversation.clear();
          cleared = erased && { erased, conversation };
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
        case 'usage':
          await options.refresh();
          return { markdown: usageReport(conversation.snapshot(), nameOfModel, vscode.l10n.t), buttons: [] };
        default:
          return undefined;
      }
    },

    async undoClear() {
      const back = cleared;
      cleared = undefined;
      const sentence = back
        ? vscode.l10n.t('The conversation is back.')
        : vscode.l10n.t('There is nothing left to bring back.');
      if (back) await back.conversation.restore(back.erased);
      void vscode.window.showInformationMessage(sentence);
    },
  };
}
