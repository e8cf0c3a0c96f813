import assert from 'node:assert/strict';
import { newestAnswer, nextAfterReload } from '../../../../src/core/ledger/afterReload';
import { answered } from '../../../support/ledgerRecords';

describe('the next message after a reload', () => {
  const usage = { input: 9000, cacheRead: 0, cacheWrite: 0, output: 100 };
  const answer = answered('a', 10, {
    usage,
    requests: 5,
    sent: [
      { kind: 'summarize', tokens: 500 },
      { kind: 'system', tokens: 3000 },
      { kind: 'note', note: 1, tokens: 300 },
      { kind: 'tools', tokens: 6000 },
      { kind: 'turn', turn: 'b', tokens: 900 },
      { kind: 'message', tokens: 900 },
      { kind: 'scouts', tokens: 700, output: 10, requests: 1 },
    ],
  });
  const facts = {
    priceOf: (id: string) => (id === answer.model ? { input: 2, output: 10, cacheRead: 0.1 } : undefined),
    windowOf: () => 200_000,
  };

  it('P6: is what each request of the last answer was sent with, and the history as it is', () => {
    assert.deepEqual(nextAfterReload(answer, 5000, facts), {
      model: answer.model,
      tokens: 8130,
      windowTokens: 200_000,
      parts: { instructions: 1000, tools: 2000, notes: 100, history: 5000, plan: 0, message: 30 },
      cost: { atMost: (8130 * 2 * 1.25) / 1_000_000 },
    });
  });

  it('P6: says nothing of the cost where the price is not known', () => {
    assert.equal(nextAfterReload({ ...answer, model: 'other' }, 0, facts).cost, undefined);
  });

  it('P6: is of the newest answer that was sent with a conversation', () => {
    const { conversation: _, ...once } = answered('b', 11);
    const compact = answered('c', 12, { command: 'compact' });
    const failed = answered('d', 13, { requests: 0 });
    assert.equal(newestAnswer([answer, once, compact, failed])?.turn, 'a');
    assert.equal(newestAnswer([]), undefined);
  });
});
