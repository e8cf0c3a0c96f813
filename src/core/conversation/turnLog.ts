import type { ModelError, ModelErrorKind } from '../errors';
import { inputTokens, type Usage } from '../messages';
import { valuesOf, type ConversationId } from './turn';
import type { ConversationView } from './view';

/** What a log line may say of a conversation (M22): counts and names, never text or values. */
export function conversationLine(
  what: string,
  id: ConversationId,
  view: ConversationView | undefined,
): string {
  const messages = view?.history.reduce((sum, part) => sum + part.messages.length, 0) ?? 0;
  const params = view ? [...valuesOf(view.conversation).keys()] : [];
  return [
    `${what} conversation=${name(id)}`,
    `history=${view?.conversation.turns.length ?? 0} turns/${messages} messages`,
    `params=[${params.map(name).join(', ')}]`,
    `waiting=${name(view?.conversation.waiting?.param ?? 'none')}`,
  ].join(' ');
}

/** How a turn ended: `answered`, `cancelled`, …, and what it took. */
export function endLine(turn: {
  readonly end: string;
  readonly rounds: number;
  readonly usage: Usage;
  readonly durationMs: number;
}): string {
  const { cacheRead, output } = turn.usage;
  return [
    `end=${name(turn.end)}`,
    `rounds=${turn.rounds}`,
    `tokens=${inputTokens(turn.usage)} in (${cacheRead} cached), ${output} out`,
    `duration=${Math.max(0, Math.round(turn.durationMs))}ms`,
  ].join(' ');
}

/** Words of our own machine: what the API or a gateway says may repeat what was sent. */
const withMessage: ReadonlySet<ModelErrorKind> = new Set(['unreachable', 'dropped', 'stalled']);
const maxMessageChars = 300;

/** The line for a request to Claude that failed; `what` came of it. */
export function failureLine(what: string, error: ModelError): string {
  const { kind, status = 'none', requestId = 'none', message } = error;
  const line = `${what} kind=${kind} status=${status} request=${name(requestId)}`;
  if (!withMessage.has(kind) || message === '') return line;
  return `${line}: ${message.replaceAll(/\s+/g, ' ').slice(0, maxMessageChars)}`;
}

/** Names come from the model or from other extensions: one line, and no room for a text. */
function name(text: string): string {
  return text.replaceAll(/[^\p{L}\p{N}_.:-]+/gu, '_').slice(0, 64);
}
