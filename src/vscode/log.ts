import * as vscode from 'vscode';
import type { Log } from '../core/ports';
import { traceOf } from '../core/secrets/errorTrace';

export interface AssistantLog extends Log, vscode.Disposable {
  show(): void;
}

/** The output channel `Claude Assistant`, made when the first line is written. */
export function createLog(): AssistantLog {
  let opened: vscode.LogOutputChannel | undefined;
  const channel = (): vscode.LogOutputChannel =>
    (opened ??= vscode.window.createOutputChannel('Claude Assistant', { log: true }));
  return {
    info: (message) => channel().info(message),
    warn: (message) => channel().warn(message),
    error: (message, cause) =>
      channel().error(cause === undefined ? message : `${message}\n${traceOf(cause)}`),
    show: () => channel().show(),
    dispose: () => opened?.dispose(),
  };
}
