import * as vscode from 'vscode';
import { withoutLinks } from '../core/plainText';

/**
 * The one door to VS Code's notifications (A32). What stands in them often comes from a workspace, a file or the API, so
 * nothing in a sentence can become a link. Each gives the button that was pressed.
 */
export function inform(sentence: string, ...buttons: readonly string[]): Thenable<string | undefined> {
  return vscode.window.showInformationMessage(withoutLinks(sentence), ...buttons);
}

export function warn(sentence: string, ...buttons: readonly string[]): Thenable<string | undefined> {
  return vscode.window.showWarningMessage(withoutLinks(sentence), ...buttons);
}

export function complain(sentence: string, ...buttons: readonly string[]): Thenable<string | undefined> {
  return vscode.window.showErrorMessage(withoutLinks(sentence), ...buttons);
}

/** In a dialog that has to be answered first; Cancel is always there. Dialogs know no links, so all is shown as it is. */
export function askInDialog(
  question: string,
  detail: string,
  ...buttons: readonly string[]
): Thenable<string | undefined> {
  return vscode.window.showWarningMessage(question, { modal: true, detail }, ...buttons);
}
