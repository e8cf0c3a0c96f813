import * as vscode from 'vscode';
import type { ConversationHandle } from '../core/conversation/conversationHandle';
import { memoryReport } from '../core/conversation/memoryReport';
import type { MemoryLimits } from '../core/conversation/retention';
import { usageReport } from '../core/conversation/usageReport';
import { clearConversation } from './clearConversation';

export interface SlashCommands {
  /** The answer of a command that needs no Claude, as Markdown; undefined for all others. */
  run(command: string | undefined): Promise<string | undefined>;
}

/** `/clear`, `/memory` and `/usage`: they are about the conversation and no part of it. */
export function createSlashCommands(options: {
  readonly conversation: ConversationHandle;
  readonly refresh: () => Promise<void>;
  readonly limits: () => MemoryLimits;
  readonly nameOfModel: (id: string) => string;
}): SlashCommands {
  const { conversation, limits, nameOfModel } = options;
  return {
    async run(command) {
      switch (command) {
        case 'clear':
          return clearConversation(conversation);
        case 'memory':
          await options.refresh();
          return memoryReport(conversation.snapshot(), limits(), Date.now(), vscode.l10n.t);
        case 'usage':
          await options.refresh();
          return usageReport(conversation.snapshot(), nameOfModel, vscode.l10n.t);
        default:
          return undefined;
      }
    },
  };
}
