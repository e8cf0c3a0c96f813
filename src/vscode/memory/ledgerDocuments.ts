import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { TurnId } from '../../core/conversation/turn';
import type { Ledger } from '../../core/ledger/ledger';
import { ledgerReport } from '../../core/ledger/ledgerReport';
import { answersIn, maxRecords } from '../../core/ledger/record';
import { formats } from '../formats';
import { inform } from '../notify';
import type { Conversations } from './conversations';
import { createMarkdownPages } from './markdownPages';

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

export interface LedgerDocuments extends vscode.Disposable {
  /** Opens what was sent for this answer; without one, for the newest. */
  show(turn?: TurnId): Promise<void>;
}

/** What was sent for an answer, as a document to read. */
export function createLedgerDocuments(options: {
  readonly ledger: ShownLedger;
  readonly nameOfModel: (id: string) => string;
}): LedgerDocuments {
  const { ledger, nameOfModel } = options;
  const pages = createMarkdownPages('claude-assistant-ledger', async (turn) => {
    const records = await ledger.records();
    const answer = answersIn(records).find((record) => record.turn === turn);
    if (answer) return ledgerReport(answer, records, { nameOfModel, formats });
    return l10n.t(
      'What was sent for this answer is no longer known. Only the newest {0} answers are recorded.',
      maxRecords,
    );
  });
  // What was erased must not stay in a document that is open.
  const subscription = ledger.onDidChange(() => pages.refresh());

  return {
    async show(turn) {
      const id = turn ?? answersIn(await ledger.records()).at(-1)?.turn;
      if (id !== undefined) return pages.show(id, l10n.t('What Was Sent'));
      void inform(l10n.t('There is no answer yet. Ask @assistant something in the chat first.'));
      return undefined;
    },
    dispose: () => vscode.Disposable.from(subscription, pages).dispose(),
  };
}
