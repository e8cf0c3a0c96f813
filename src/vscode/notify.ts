import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { UserError } from '../core/errors';
import type { Log } from '../core/ports';
import { withoutLinks } from '../core/text/plainText';

/**
 * The one door to VS Code's notifications (A32). Their text often comes from a workspace, a file or the API, so nothing in
 * it can become a link. Each resolves with the button that was pressed.
 */
export function inform(sentence: string, ...buttons: readonly string[]): Thenable<string | undefined> {
  return vscode.window.showInformationMessage(withoutLinks(sentence), ...buttons);
}

/** A sentence with the one thing to do about it. */
export async function offer(sentence: string, label: string, act: () => PromiseLike<unknown>): Promise<void> {
  if ((await inform(sentence, label)) === label) await act();
}

/** The same for when the command that offers it has ended: what goes wrong with it is told as that of a command is. */
export function offerLater(log: Log, sentence: string, label: string, act: () => PromiseLike<unknown>): void {
  void withErrorReporting(log, offer)(sentence, label, act);
}

export function warn(sentence: string, ...buttons: readonly string[]): Thenable<string | undefined> {
  return vscode.window.showWarningMessage(withoutLinks(sentence), ...buttons);
}

export function complain(sentence: string, ...buttons: readonly string[]): Thenable<string | undefined> {
  return vscode.window.showErrorMessage(withoutLinks(sentence), ...buttons);
}

/** A modal dialog, always with Cancel. Dialogs have no links, so all is shown as it is. */
export function askInDialog(
  question: string,
  detail: string,
  ...buttons: readonly string[]
): Thenable<string | undefined> {
  return vscode.window.showWarningMessage(question, { modal: true, detail }, ...buttons);
}

/** A command that reports its failure in one sentence. */
export function withErrorReporting<Args extends readonly unknown[], Result>(
  log: Log,
  run: (...args: Args) => Promise<Result>,
): (...args: Args) => Promise<Result | undefined> {
  return async (...args) => {
    try {
      return await run(...args);
    } catch (error) {
      if (error instanceof UserError) {
        void complain(error.message);
        return undefined;
      }
      log.error('a command failed', error);
      const reason = error instanceof Error ? error.message : String(error);
      void offerLog(l10n.t('That did not work: {0}', reason));
      return undefined;
    }
  };
}

async function offerLog(sentence: string): Promise<void> {
  const showLog = l10n.t('Show Log');
  const choice = await complain(sentence, showLog);
  if (choice === showLog) await vscode.commands.executeCommand('assistant.showLog');
}
