import * as vscode from 'vscode';
import { participantId, readMetadata } from './chatThread';

/** What belongs to a message besides its words. */
export type Enclosed = Pick<vscode.ChatRequest, 'references' | 'toolReferences'>;

/**
 * With what was enclosed in the message before, where this one repeats it because it failed: the Retry that is offered
 * below an answer sends the words alone.
 */
export function enclosedIn(request: vscode.ChatRequest, { history }: vscode.ChatContext): Enclosed {
  const failed = failedBefore(history);
  if (failed?.prompt.trim() !== request.prompt.trim() || failed.command !== request.command) return request;
  return {
    references: merged(request.references, failed.references, ({ id, value }) => `${id} ${String(value)}`),
    toolReferences: merged(request.toolReferences, failed.toolReferences, ({ name }) => name),
  };
}

/** The last message, if the answer to it offered to retry it. */
function failedBefore(history: vscode.ChatContext['history']): vscode.ChatRequestTurn | undefined {
  const [asked, answered] = history.slice(-2);
  const isOurs = asked instanceof vscode.ChatRequestTurn && asked.participant === participantId;
  if (!isOurs || !(answered instanceof vscode.ChatResponseTurn)) return undefined;
  return readMetadata(answered.result).followUp === 'retry' ? asked : undefined;
}

function merged<T>(own: readonly T[], more: readonly T[], keyOf: (one: T) => string): readonly T[] {
  const known = new Set(own.map(keyOf));
  return [...own, ...more.filter((one) => !known.has(keyOf(one)))];
}
