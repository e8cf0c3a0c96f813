import * as vscode from 'vscode';
import type { ShownAnswer } from '../../core/conversation/threads/threadCopy';
import type { ThreadRequest } from '../../core/conversation/threads/threads';
import { isObject } from '../../core/json';
import type { FollowUp } from './remedies';

/** What each answer carries, so that later requests know which turn it was. Ids only: VS Code keeps it in plain text. */
export interface AnswerMetadata {
  readonly version: 1;
  /** Absent where the answer belongs to no thread. */
  readonly threadId?: string;
  readonly conversationId: string;
  /** Absent where there was no turn. */
  readonly turnId?: string;
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
    attempt: 'attempt' in request && typeof request.attempt === 'number' ? request.attempt : 0,
    shown: history.flatMap((turn, index) =>
      turn instanceof vscode.ChatRequestTurn ? [toShown(turn, history[index + 1])] : [],
    ),
  };
}

/** VS Code's own name of a request, which its history repeats. There at run time only. */
export function requestIdOf(turn: object): string | undefined {
  return 'id' in turn && typeof turn.id === 'string' && turn.id !== '' ? turn.id : undefined;
}

/** What our answer carried; nothing of it is certain to have come through a crash, a reload or a cancellation. */
export function readMetadata(result: vscode.ChatResult | undefined): Partial<AnswerMetadata> {
  const metadata: unknown = result?.metadata;
  return isObject(metadata) && metadata['version'] === 1 ? metadata : {};
}

/** VS Code's own name of a chat session. There at run time only. */
function sessionOf(request: vscode.ChatRequest): string | undefined {
  if ('sessionId' in request && typeof request.sessionId === 'string' && request.sessionId !== '') {
    return request.sessionId;
  }
  return 'sessionResource' in request && request.sessionResource instanceof vscode.Uri
    ? request.sessionResource.toString()
    : undefined;
}

function toShown(asked: vscode.ChatRequestTurn, answered: unknown): ShownAnswer {
  const metadata = readMetadata(answered instanceof vscode.ChatResponseTurn ? answered.result : undefined);
  const { threadId, conversationId, isStateless, turnId = requestIdOf(asked) } = metadata;
  return {
    prompt: asked.prompt,
    ...(turnId !== undefined && { turnId }),
    ...(threadId !== undefined && { threadId }),
    ...(conversationId !== undefined && { conversationId }),
    ...((asked.command !== undefined || isStateless) && { isAside: true }),
  };
}
