import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { UserError } from '../core/errors';
import type { Log } from '../core/ports';
import { complain } from './notify';

/** A command whose failure is told in a sentence: the person's own, or that the log says more. */
export function tellingErrors<Args extends readonly unknown[]>(
  log: Log,
  run: (...args: Args) => Promise<void>,
): (...args: Args) => Promise<void> {
  return async (...args) => {
    try {
      await run(...args);
    } catch (error) {
      if (error instanceof UserError) {
        void complain(error.message);
        return;
      }
      log.error('a command failed', error);
      const reason = error instanceof Error ? error.message : String(error);
      void offerLog(l10n.t('That did not work: {0}', reason));
    }
  };
}

async function offerLog(sentence: string): Promise<void> {
  const showLog = l10n.t('Show Log');
  const choice = await complain(sentence, showLog);
  if (choice === showLog) await vscode.commands.executeCommand('assistant.showLog');
}
