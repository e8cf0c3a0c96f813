import type { CompactOutcome } from '../agent/summarizeTurns';
import type { ConversationId, TurnId } from '../conversation/turn';
import { inputTokens, isSpent } from '../messages';
import type { AnswerRecord } from './record';

/** What `/compact` took: it is paid like an answer. Nothing when Claude was not asked. */
export function compactRecord(
  outcome: CompactOutcome,
  about: {
    readonly turn: TurnId;
    readonly conversation: ConversationId;
    readonly startedAt: number;
    readonly endedAt: number;
  },
): AnswerRecord | undefined {
  if (outcome.type === 'nothing') return undefined;
  const { usage, modelId: model } = outcome;
  if (!isSpent(usage)) return undefined;
  return {
    version: 1,
    kind: 'answer',
    ...about,
    model,
    end: endOf(outcome),
    command: 'compact',
    requests: 1,
    usage,
    sent: [{ kind: 'summarize', tokens: inputTokens(usage) }],
    excluded: [],
  };
}

function endOf(outcome: Exclude<CompactOutcome, { type: 'nothing' }>): AnswerRecord['end'] {
  if (outcome.type === 'failed') return outcome.end.reason;
  return outcome.type === 'cancelled' ? 'cancelled' : 'answered';
}
