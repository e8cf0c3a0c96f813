import type { ModelError, ModelErrorKind } from '../errors';
import type { Usage } from '../messages';
import { valuesOf, type ConversationId } from './turn';
import type { ConversationView } from './view';

/** What a log line may say of a conversation (M22): counts and names, never text or values. */
export interface LoggedConversation {
  readonly id: ConversationId;
  readonly turns: number;
  readonly messages: number;
  readonly params: readonly string[];
  readonly waiting?: string;
}

export interface LoggedEnd {
  /** How the turn ended: `answered`, `cancelled`, … */
  readonly end: string;
  readonly rounds: number;
  readonly usage: Usage;
  readonly durationMs: number;
}

export function loggedConversation(
  id: ConversationId,
  view: ConversationView | undefined,
): LoggedConversation {
  const { waiting, turns } = view?.conversation ?? { turns: [] };
  return {
    id,
    turns: turns.length,
    messages: view?.history.reduce((sum, { messages }) => sum + messages.length, 0) ?? 0,
    params: view ? [...valuesOf(view.conversation).keys()] : [],
    ...(waiting ? { waiting: waiting.param } : {}),
  };
}

/** The line for a request that came in. */
export function receivedLine(conversation: LoggedConversation): string {
  return `received ${conversationPart(conversation)}`;
}

/** The line for an answer that went out; `conversation` is as it stands after the turn. */
export function respondedLine(conversation: LoggedConversation, turn: LoggedEnd): string {
  const { input, cacheRead, cacheWrite, output } = turn.usage;
  return [
    `responded ${conversationPart(conversation)}`,
    `end=${name(turn.end)}`,
    `rounds=${turn.rounds}`,
    `tokens=${input + cacheRead + cacheWrite} in (${cacheRead} cached), ${output} out`,
    `duration=${Math.max(0, Math.round(turn.durationMs))}ms`,
  ].join(' ');
}

/** Words of our own machine: what the API or a gateway says may repeat what was sent. */
const toldInWords: ReadonlySet<ModelErrorKind> = new Set(['unreachable', 'dropped', 'stalled']);
const maxMessageChars = 300;

/** The line for a request to Claude that failed; `what` came of it. */
export function failureLine(what: string, error: ModelError): string {
  const { kind, status = 'none', requestId = 'none', message } = error;
  const line = `${what} kind=${kind} status=${status} request=${name(requestId)}`;
  if (!toldInWords.has(kind) || message === '') return line;
  return `${line}: ${message.replaceAll(/\s+/g, ' ').slice(0, maxMessageChars)}`;
}

function conversationPart({ id, turns, messages, params, waiting }: LoggedConversation): string {
  return [
    `conversation=${name(id)}`,
    `history=${turns} turns/${messages} messages`,
    `params=[${params.map(name).join(', ')}]`,
    `waiting=${waiting === undefined ? 'none' : name(waiting)}`,
  ].join(' ');
}

/** Names come from the model or from other extensions: one line, and no room for a text. */
function name(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N}_.:-]+/gu, '_').slice(0, 64);
}
