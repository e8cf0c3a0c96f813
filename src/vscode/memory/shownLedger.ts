import * as vscode from 'vscode';
import type { Ledger } from '../../core/ledger/ledger';
import { withRemembered } from '../../core/ledger/withRemembered';
import type { Conversations } from './conversations';

/** The ledger as people see it: an Undo brings back words that were erased. */
export type ShownLedger = Pick<Ledger, 'records' | 'onDidChange'>;

export function createShownLedger(
  conversations: Pick<Conversations, 'ledger' | 'memory' | 'onDidChange'>,
): ShownLedger {
  const { ledger, memory } = conversations;
  return {
    records: async () => withRemembered(await ledger.records(), memory.conversations()),
    onDidChange: (listener) =>
      vscode.Disposable.from(ledger.onDidChange(listener), conversations.onDidChange(listener)),
  };
}
