import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { TurnId } from '../../core/conversation/turn';
import { ledgerReport } from '../../core/ledger/ledgerReport';
import { maxRecords } from '../../core/ledger/record';
import { formats } from '../formats';
import { inform } from '../notify';
import { openMarkdown } from './openMarkdown';
import type { ShownLedger } from './shownLedger';

const scheme = 'claude-assistant-ledger';

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
  const changed = new vscode.EventEmitter<vscode.Uri>();

  async function contentOf(turn: TurnId): Promise<string> {
    const records = await ledger.records();
    const answer = records.find((record) => record.kind === 'answer' && record.turn === turn);
    if (answer?.kind !== 'answer') {
      return l10n.t(
        'What was sent for this answer is no longer known. Only the newest {0} answers are recorded.',
        maxRecords,
      );
    }
    return ledgerReport(answer, records, { nameOfModel, formats });
  }

  const provider = vscode.workspace.registerTextDocumentContentProvider(scheme, {
    onDidChange: changed.event,
    provideTextDocumentContent: ({ query }) => contentOf(query),
  });
  // What was erased must not stay in a document that is open.
  const subscription = ledger.onDidChange(() => {
    for (const { uri } of vscode.workspace.textDocuments) if (uri.scheme === scheme) changed.fire(uri);
  });

  return {
    async show(turn) {
      const id = turn ?? (await newestAnswer(ledger));
      if (id === undefined) {
        void inform(l10n.t('There is no answer yet. Ask @assistant something in the chat first.'));
        return;
      }
      await openMarkdown(scheme, id, l10n.t('What Was Sent'));
    },
    dispose() {
      subscription.dispose();
      provider.dispose();
      changed.dispose();
    },
  };
}

async function newestAnswer(ledger: ShownLedger): Promise<TurnId | undefined> {
  const newest = (await ledger.records()).findLast(({ kind }) => kind === 'answer');
  return newest?.kind === 'answer' ? newest.turn : undefined;
}
