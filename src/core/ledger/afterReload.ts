import { writeFactors } from '../cacheTtl';
import type { NextMessage } from '../conversation/reports/nextMessage';
import { tierOf, type Price } from '../price';
import { answersIn, isSide, type AnswerRecord, type LedgerRecord, type SentItem } from './record';

/** The newest answer to a message of a conversation. */
export function newestAnswer(records: readonly LedgerRecord[]): AnswerRecord | undefined {
  return answersIn(records).findLast(
    (answer) => answer.conversation !== undefined && answer.command === undefined && ownRequests(answer) > 0,
  );
}

/**
 * What the next message will take before any was sent in this window: with what the last answer was sent with, as its
 * record has it, and the history as it is. What the cache holds is not known, so that the cost is the most it can be (P6).
 */
export function nextAfterReload(
  answer: AnswerRecord,
  historyTokens: number,
  { priceOf, windowOf }: ModelFacts,
): NextMessage {
  const { model, sent } = answer;
  const each = (kind: SentItem['kind']) =>
    Math.round(
      sent.reduce((sum, item) => sum + (item.kind === kind ? item.tokens : 0), 0) / ownRequests(answer),
    );
  const parts = {
    instructions: each('system'),
    tools: each('tools'),
    notes: each('note'),
    history: historyTokens,
    plan: each('plan'),
    message: each('context') + each('param') + shortMessage,
  };
  const tokens = Object.values(parts).reduce((sum, part) => sum + part, 0);
  const price = priceOf(model);
  return {
    model,
    tokens,
    windowTokens: windowOf(model),
    parts,
    ...(price && {
      cost: { atMost: (tokens * tierOf(price, tokens).input * writeFactors['5m']) / 1_000_000 },
    }),
  };
}

interface ModelFacts {
  readonly priceOf: (modelId: string) => Price | undefined;
  readonly windowOf: (modelId: string) => number;
}

/** In tokens. */
const shortMessage = 30;

/** Of the answer itself: what side work and a summary took were requests of their own. */
function ownRequests({ requests, sent }: AnswerRecord): number {
  const others = sent.reduce(
    (sum, item) => sum + (isSide(item) ? item.requests : item.kind === 'summarize' ? 1 : 0),
    0,
  );
  return requests - others;
}
