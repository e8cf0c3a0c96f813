import * as vscode from 'vscode';
import type { Ledger } from '../../core/ledger/ledger';
import type { Conversations } from './conversations';

/** The ledger as it is shown: its words come from the turns, so that it changes with the memory, too. */
export type ShownLedger = Pick<Ledger, 'records' | 'onDidChange'>;

export function createShownLedger({
  ledger,
  onDidChange,
}: Pick<Conversations, 'ledger' | 'onDidChange'>): ShownLedger {
  return {
    records: () => ledger.records(),
    onDidChange: (listener) => vscode.Disposable.from(ledger.onDidChange(listener), onDidChange(listener)),
  };
}
