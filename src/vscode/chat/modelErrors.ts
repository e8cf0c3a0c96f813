import * as vscode from 'vscode';
import { describeEnd, describeError } from '../../core/agent/describeEnd';
import { UserError, type ModelError } from '../../core/errors';
import type { ModelAnswer } from '../../core/ports';

/** Whether it says to whoever asked what is the matter, and is nothing for the log. */
export function isForCaller(error: unknown): boolean {
  return error instanceof vscode.LanguageModelError || error instanceof UserError;
}

/** VS Code shows the message of such an error as it is, and may log all that hangs on it. */
export function toLanguageModelError(error: ModelError, askForKey: () => Promise<void>): Error {
  const { text } = describeError(error);
  switch (error.kind) {
    case 'no-key':
    case 'rejected-key':
      void askForKey();
      return vscode.LanguageModelError.NoPermissions(text);
    case 'forbidden':
    case 'no-credit':
      return vscode.LanguageModelError.NoPermissions(text);
    case 'unknown-model':
      return vscode.LanguageModelError.NotFound(text);
    default:
      return new Error(text);
  }
}

/** Whoever asked would take it for a whole one. */
export function refuseHalfAnswer({ stopReason, refusal, content }: ModelAnswer): void {
  if (stopReason === 'refusal') {
    const end = { reason: 'refused', ...(refusal !== undefined && { explanation: refusal }) } as const;
    throw vscode.LanguageModelError.Blocked(describeEnd(end)?.text);
  }
  if (stopReason === 'max_tokens' && content.at(-1)?.type === 'tool_use') {
    throw new UserError(describeEnd({ reason: 'output-limit' })?.text ?? '');
  }
}
