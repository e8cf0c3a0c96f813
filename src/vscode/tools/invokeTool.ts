import * as vscode from 'vscode';
import { isObject } from '../../core/text/json';
import { toCancellationToken } from '../cancellation';

/** What ties a call to the chat request that it is made for; undefined outside of one. */
export type ToolToken = vscode.LanguageModelToolInvocationOptions<object>['toolInvocationToken'];

/** Runs a tool through VS Code and gives the parts of its result; undefined when the person dismissed the call. */
export async function invokeTool(
  name: string,
  input: unknown,
  toolInvocationToken: ToolToken,
  signal: AbortSignal,
): Promise<readonly unknown[] | undefined> {
  const cancellation = toCancellationToken(signal);
  try {
    const options = { input: isObject(input) ? input : {}, toolInvocationToken };
    return (await vscode.lm.invokeTool(name, options, cancellation.token)).content;
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof Error && error.name === 'Canceled') return undefined;
    throw error;
  } finally {
    cancellation.dispose();
  }
}

export function textsIn(parts: readonly unknown[]): readonly string[] {
  return parts.flatMap((part) => (part instanceof vscode.LanguageModelTextPart ? [part.value] : []));
}
