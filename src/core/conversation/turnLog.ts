import type { Usage } from '../messages';
import type { ConversationHandle } from './memory/conversationHandle';
import type { ConversationId } from './turn';

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

export function loggedConversation(id: ConversationId, handle: ConversationHandle): LoggedConversation {
  const waiting = handle.waiting();
  return {
    id,
    turns: handle.snapshot()?.turns.length ?? 0,
    messages: handle.history().length,
    params: Object.keys(handle.params()),
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
