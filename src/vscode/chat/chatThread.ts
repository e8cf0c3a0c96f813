import * as vscode from 'vscode';
import type { ShownAnswer } from '../../core/conversation/threads/threadCopy';
import type { ThreadRequest } from '../../core/conversation/threads/threads';
import { isObject } from '../../core/text/json';
import { beyondPrompt, type FollowUp } from './remedies';

export const participantId = 'claude-assistant.assistant';

/** The slash command that asks for a plan. */
export const planCommand = 'plan';

/** The one that runs a prompt file or a skill. */
export const runCommand = 'run';

/** What each answer carries, so that later requests know which turn it was. Ids only: VS Code keeps it in plain text. */
export interface AnswerMetadata {
  readonly version: 1;
  /** Absent where the answer belongs to no thread. */
  readonly threadId?: string;
  /** Absent where it failed or was stopped before that was known. */
  readonly conversationId?: string;
  /** Also for an answer that left nothing to remember: it must not be mistaken for another turn. */
  readonly turnId: string;
  readonly followUp?: FollowUp;
  /** It neither read nor wrote memory. */
  readonly isStateless?: true;
  /** A plan was made, without side effects. */
  readonly isPlanning?: true;
  /** A prompt file or a skill was run. */
  readonly isRun?: true;
}

/** The thread of a request as VS Code hands it over. */
export function readThread(request: vscode.ChatRequest, { history }: vscode.ChatContext): ThreadRequest {
  const session = sessionOf(request);
  return {
    ...(session !== undefined && { session }),
    prompt: request.prompt,
    isAside: isAside(request),
    shown: history.flatMap((turn, index) =>
      turn instanceof vscode.ChatRequestTurn && turn.participant === participantId
        ? [toShown(turn, history[index + 1])]
        : [],
    ),
  };
}

/** What our answer carried; any of it may be lost after a crash, a reload or a cancellation. */
export function readMetadata(result: vscode.ChatResult | undefined): Partial<AnswerMetadata> {
  const metadata: unknown = result?.metadata;
  return isObject(metadata) && metadata['version'] === 1 ? metadata : {};
}

/** VS Code's own id of a chat session. Not in the stable typings, but there in every version that we run in. */
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
    ...((isAside(asked) || isStateless) && { isAside: true }),
  };
}

/** Slash commands are about the conversation and no part of it, but for `/plan` and for `/run` with a name. */
function isAside({
  command,
  prompt,
}: {
  readonly command?: string | undefined;
  readonly prompt: string;
}): boolean {
  if (command === runCommand) return prompt.trim() === '';
  return command !== undefined && command !== planCommand;
}

/** What belongs to a message besides its words. */
export type Enclosed = Pick<vscode.ChatRequest, 'references' | 'toolReferences'>;

/**
 * With the attachments of the message before, where this one repeats it because it failed: the Retry button below an
 * answer sends only the text.
 */
export function enclosedIn(
  request: vscode.ChatRequest,
  prompt: string,
  { history }: vscode.ChatContext,
): Enclosed {
  const failed = failedBefore(history);
  if (failed?.prompt.trim() !== prompt.trim() || failed.command !== request.command) return request;
  return {
    references: merged(request.references, failed.references, ({ id, value }) => `${id} ${String(value)}`),
    toolReferences: merged(request.toolReferences, failed.toolReferences, ({ name }) => name),
  };
}

/** The last message, if the answer to it offered to retry it. */
function failedBefore(history: vscode.ChatContext['history']): vscode.ChatRequestTurn | undefined {
  const { asked, followUp } = lastOffer(history);
  return followUp === 'retry' || followUp === 'retry-beyond' ? asked : undefined;
}

/**
 * What a message asks: its own words, or those of the message before it that the budget has held, where Continue sends
 * that (L14).
 */
export function readPrompt(
  request: vscode.ChatRequest,
  { history }: vscode.ChatContext,
): { readonly prompt: string; readonly isBeyondBudget: boolean } {
  const { asked, followUp } = lastOffer(history);
  const isOffered = followUp === 'continue-beyond' || followUp === 'retry-beyond';
  const isBeyondBudget = isOffered && request.prompt.trim() === beyondPrompt();
  const isHeld = isBeyondBudget && followUp === 'retry-beyond';
  return { prompt: isHeld && asked ? asked.prompt : request.prompt, isBeyondBudget };
}

/** Our last answer in the thread, by what it offered to send next. */
function lastOffer(history: vscode.ChatContext['history']): {
  readonly asked?: vscode.ChatRequestTurn;
  readonly followUp?: FollowUp | undefined;
} {
  const [asked, answered] = history.slice(-2);
  const isOurs = asked instanceof vscode.ChatRequestTurn && asked.participant === participantId;
  if (!isOurs || !(answered instanceof vscode.ChatResponseTurn)) return {};
  return { asked, followUp: readMetadata(answered.result).followUp };
}

function merged<T>(own: readonly T[], more: readonly T[], keyOf: (one: T) => string): readonly T[] {
  const known = new Set(own.map(keyOf));
  return [...own, ...more.filter((one) => !known.has(keyOf(one)))];
}
