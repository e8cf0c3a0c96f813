import type { EvictReason } from '../../src/core/conversation/turn';
import type { LedgerRecord, ShownAnswer } from '../../src/core/ledger/record';
import { dayOf } from '../../src/core/text/dayOf';

/** English, with times as figures. */
export const wording = {
  nameOfModel: (id: string) => `Model ${id}`,
  formats: {
    number: (value: number) => value.toLocaleString('en'),
    time: (at: number) => `at ${at}`,
    day: (at: number) => `day ${dayOf(at)}`,
  },
};

export function answered(turn: string, at: number, more: Partial<ShownAnswer> = {}): ShownAnswer {
  return {
    version: 1,
    kind: 'answer',
    turn,
    conversation: 'workspace',
    startedAt: at,
    endedAt: at + 5,
    model: 'm1',
    end: 'answered',
    words: `question ${turn}`,
    requests: 2,
    usage: { input: 100, cacheRead: 1500, cacheWrite: 400, output: 50, cost: 0.0123 },
    sent: [
      { kind: 'system', tokens: 700 },
      { kind: 'tools', tokens: 800 },
      { kind: 'message', tokens: 300 },
      { kind: 'rounds', tokens: 200 },
    ],
    excluded: [],
    ...more,
  };
}

export function evicted(
  at: number,
  reason: EvictReason,
  ...turns: readonly string[]
): readonly LedgerRecord[] {
  return turns.map((turn) => ({
    kind: 'evicted',
    conversation: 'workspace',
    at,
    reason,
    turn,
    words: `question ${turn}`,
    tokens: 70,
  }));
}
