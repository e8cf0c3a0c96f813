import * as vscode from 'vscode';
import type { Log } from '../core/ports';
import { withErrorReporting } from './notify';

export type RegisterCommand = (name: string, run: (...args: never[]) => unknown) => vscode.Disposable;

/** The one door for commands of ours: one that fails says so in a sentence, and the log says why. */
export function createRegisterCommand(log: Log): RegisterCommand {
  return (name, run) =>
    vscode.commands.registerCommand(
      `assistant.${name}`,
      withErrorReporting(log, async (...args: never[]) => run(...args)),
    );
}
