import type { CompactOutcome } from '../agent/compact';
import type { ConversationId, TurnId } from '../conversation/turn';
import { inputTokens } from '../messages';
import type { AnswerRecord } from './record';

/** What `/compact` took, as an answer of its own. Nothing when it took nothing. */
export function compactRecord(
  outcome: CompactOutcome,
  about: Pick<AnswerRecord, 'startedAt' | 'endedAt'> & {
    readonly turn: TurnId;
    readonly conversation: ConversationId;
  },
): AnswerRecord | undefined {
  if (outcome.type === 'nothing') return undefined;
  const { usage, modelId: model } = outcome;
  const tokens = inputTokens(usage);
  if (tokens + usage.output === 0) return undefined;
  return {
    version: 1,
    kind: 'answer',
    ...about,
    model,
    end: endOf(outcome),
    // What the person wrote behind it would outlive the turns that it is about.
    words: '/compact',
    requests: 1,
    usage,
    sent: [{ kind: 'folding', tokens }],
    leftOut: [],
  };
}

function endOf(outcome: Exclude<CompactOutcome, { type: 'nothing' }>): AnswerRecord['end'] {
  if (outcome.type === 'failed') return outcome.end.reason;
  return outcome.type === 'cancelled' ? 'cancelled' : 'answered';
}
