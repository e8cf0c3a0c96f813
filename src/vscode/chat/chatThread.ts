import * as vscode from 'vscode';
import type { ShownAnswer } from '../../core/conversation/threads/threadCopy';
import type { ThreadRequest } from '../../core/conversation/threads/threads';
import { isObject } from '../../core/json';
import type { FollowUp } from './remedies';

export const participantId = 'claude-assistant.assistant';

/** What each answer carries, so that later requests know which turn it was. Ids only: VS Code keeps it in plain text. */
export interface AnswerMetadata {
  readonly version: 1;
  /** Absent where the answer belongs to no thread. */
  readonly threadId?: string;
  /** Absent where it failed or was stopped before that was known. */
  readonly conversationId?: string;
  /** Also of an answer that left nothing to remember: it must not be taken for a turn that did. */
  readonly turnId: string;
  readonly followUp?: FollowUp;
  /** It neither read nor wrote memory. */
  readonly isStateless?: true;
}

/** The thread of a request as VS Code hands it over. */
export function readThread(request: vscode.ChatRequest, { history }: vscode.ChatContext): ThreadRequest {
  const session = sessionOf(request);
  return {
    ...(session !== undefined && { session }),
    prompt: request.prompt,
    isAside: request.command !== undefined,
    shown: history.flatMap((turn, index) =>
      turn instanceof vscode.ChatRequestTurn && turn.participant === participantId
        ? [toShown(turn, history[index + 1])]
        : [],
    ),
  };
}

/** What our answer carried; nothing of it is certain to have come through a crash, a reload or a cancellation. */
export function readMetadata(result: vscode.ChatResult | undefined): Partial<AnswerMetadata> {
  const metadata: unknown = result?.metadata;
  return isObject(metadata) && metadata['version'] === 1 ? metadata : {};
}

/** VS Code's own name of a chat session. Not in the stable typings, but there in every version that we run in. */
export function sessionOf(request: vscode.ChatRequest): string | undefined {
  return 'sessionResource' in request && request.sessionResource instanceof vscode.Uri
    ? request.sessionResource.toString()
    : undefined;
}

function toShown(asked: vscode.ChatRequestTurn, answered: unknown): Omit<ShownAnswer, 'position'> {
  const metadata = readMetadata(answered instanceof vscode.ChatResponseTurn ? answered.result : undefined);
  const { threadId, conversationId, isStateless, turnId } = metadata;
  return {
    prompt: asked.prompt,
    ...(turnId !== undefined && { turnId }),
    ...(threadId !== undefined && { threadId }),
    ...(conversationId !== undefined && { conversationId }),
    ...((asked.command !== undefined || isStateless) && { isAside: true }),
  };
}
