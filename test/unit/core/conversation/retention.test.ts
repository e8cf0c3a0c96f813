import assert from 'node:assert/strict';
import { leavingTurns, tokensOfTurn } from '../../../../src/core/conversation/retention';
import type { StoredTurn } from '../../../../src/core/conversation/turn';

describe('what turns take of a request', () => {
  it('M18: is measured once for each turn for which nothing was reported, however often limits are held', () => {
    let reads = 0;
    const turns = Array.from({ length: 20 }, (_, index): StoredTurn => {
      const times = { startedAt: index, endedAt: index, order: index, revision: 1 };
      const toJSON = () => {
        reads++;
        return 'x'.repeat(298);
      };
      const messages = [{ role: 'user', content: '', toJSON } as const];
      return { id: `t${index}`, ...times, outcome: 'finished', messages };
    });
    const limits = {
      maxTurns: 0,
      timeoutSeconds: 0,
      eviction: 'oldest',
      tokenBudget: 1_000,
      whenFull: 'drop',
    } as const;
    assert.deepEqual(turns.map(tokensOfTurn), Array(20).fill(101));
    const leaving = leavingTurns({ turns }, limits).map(({ turn }) => turn.id);
    assert.deepEqual(
      leaving,
      turns.slice(0, 11).map(({ id }) => id),
    );
    assert.equal(leavingTurns({ turns: turns.slice(5) }, limits).length, 6);
    assert.equal(reads, 20);
  });
});
