import { escapeMarkdown } from '../escapeMarkdown';
import { tokenCount } from '../receipt';
import { timeSpan } from '../timeSpan';
import type { Translate } from '../translate';
import { conversationDetails, isEmpty } from './memoryTree';
import { tokensOf, type MemoryLimits } from './retention';
import type { Conversation } from './turn';

/** What the status bar says of the conversation (P6). */
export interface StatusText {
  /** `6/10 · 24 min` */
  readonly text: string;
  /** Markdown. */
  readonly tooltip: string;
  /** What a screen reader says. */
  readonly spoken: string;
  /** Claude has asked for a value and waits for it. */
  readonly isWaiting: boolean;
  /** Until then, or for a minute, the text stays the same. Absent: until something changes. */
  readonly endsIn?: number;
}

export function statusText(
  conversation: Conversation | undefined,
  {
    limits,
    now,
    translate,
  }: { readonly limits: MemoryLimits; readonly now: number; readonly translate: Translate },
): StatusText {
  const { maxTurns, timeoutSeconds } = limits;
  const turns = conversation?.turns.length ?? 0;
  const kept = maxTurns > 0 ? `${turns}/${maxTurns}` : String(turns);
  if (!conversation || isEmpty(conversation)) {
    const nothing = translate('Nothing is remembered. Your next message starts a fresh conversation.');
    return { text: kept, tooltip: nothing, spoken: nothing, isWaiting: false };
  }
  const details = conversationDetails(conversation, { limits, now, translate });
  const question =
    conversation.waiting && translate('Claude waits for your answer: {0}', conversation.waiting.question);
  const sentences = [
    translate('Remembered: {0}', details.join(', ')),
    budgetSentence(conversation, limits, translate),
    ...(question ? [question] : []),
  ];
  const base = {
    tooltip: sentences.map(escapeMarkdown).join('\n\n'),
    spoken: sentences.join('. '),
    isWaiting: question !== undefined,
  };
  if (timeoutSeconds === 0) return { text: kept, ...base };
  const endsIn = Math.max(0, conversation.lastActive + timeoutSeconds * 1000 - now);
  const left = endsIn < 60_000 ? translate('<1 min') : timeSpan(endsIn, translate);
  return { text: `${kept} · ${left}`, endsIn, ...base };
}

function budgetSentence(
  conversation: Conversation,
  { tokenBudget }: MemoryLimits,
  translate: Translate,
): string {
  const { turns, summary } = conversation;
  const isEstimate = summary !== undefined || turns.some((turn) => turn.tokens === undefined);
  const shown = `${isEstimate ? '≈' : ''}${tokenCount(tokensOf(conversation))}`;
  return tokenBudget > 0
    ? translate('{0} of at most {1} tokens in each request', shown, tokenCount(tokenBudget))
    : translate('{0} tokens in each request', shown);
}

/** The conversation that was used last. */
export function newestOf(conversations: readonly Conversation[]): Conversation | undefined {
  return conversations.toSorted((a, b) => b.lastActive - a.lastActive)[0];
}
