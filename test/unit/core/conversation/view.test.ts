import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import type { MemoryState, RunningTurn } from '../../../../src/core/conversation/store';
import type { Conversation, StoredTurn } from '../../../../src/core/conversation/turn';
import {
  evictedBy,
  flatHistory,
  tokensOf,
  tokensOfTurn,
  turnsToSummarize,
  viewOf,
} from '../../../../src/core/conversation/view';
import { noLimits } from '../../../support/conversation/limits';
import { aConversation, aTurn } from '../../../support/conversation/stored';

const now = 10_000_000;
const stateOf = (conversation: Conversation, ...running: readonly RunningTurn[]): MemoryState => ({
  conversations: new Map([[conversation.id, conversation]]),
  running: new Map(running.map((turn) => [turn.id, turn])),
});
const idsOf = (turns: readonly StoredTurn[] | undefined) => turns?.map(({ id }) => id);
const turns = fc
  .array(fc.record({ tokens: fc.integer({ min: 1, max: 100 }), isPinned: fc.boolean() }), {
    minLength: 1,
    maxLength: 12,
  })
  .map((all) => all.map((rest, order) => aTurn(`t${order}`, { order, ...rest })));
const limits = fc.record({
  maxTurns: fc.nat(6),
  tokenBudget: fc.constantFrom(0, 50, 150, 400),
  eviction: fc.constantFrom('oldest' as const, 'half' as const),
});

describe('what there is of a conversation', () => {
  it('M18: a turn for which nothing was reported is measured once, however often limits are held', () => {
    let reads = 0;
    const measured = Array.from({ length: 20 }, (_, index): StoredTurn => {
      const toJSON = () => {
        reads++;
        return 'x'.repeat(298);
      };
      const messages = [{ role: 'user', content: '', toJSON } as const];
      return aTurn(`t${index}`, { order: index, messages });
    });
    const budget = { ...noLimits, tokenBudget: 1_000 };
    assert.deepEqual(measured.map(tokensOfTurn), Array(20).fill(101));
    const evicted = evictedBy({ turns: measured }, budget).map(({ turn }) => turn);
    assert.deepEqual(idsOf(evicted), idsOf(measured.slice(0, 11)));
    assert.equal(evictedBy({ turns: measured.slice(5) }, budget).length, 6);
    assert.equal(reads, 20);
  });

  it('M3, M18: cap and budget hold in what is sent, the newest turn stays, and pinned ones leave last', () => {
    fc.assert(
      fc.property(turns, limits, (all, given) => {
        const view = viewOf(stateOf(aConversation('c', { turns: all })), { ...noLimits, ...given }, now).get(
          'c',
        )!;
        const kept = view.conversation.turns;
        assert.equal(kept.at(-1), all.at(-1));
        assert.ok(given.maxTurns === 0 || kept.length <= given.maxTurns);
        assert.ok(
          given.tokenBudget === 0 || kept.length === 1 || tokensOf({ turns: kept }) <= given.tokenBudget,
        );
        const evicted = view.evicted.map(({ turn }) => turn);
        assert.deepEqual(
          [...evicted, ...kept].toSorted((a, b) => a.order - b.order),
          all,
        );
        const isPinnedGone = evicted.some(({ isPinned }) => isPinned);
        assert.ok(!isPinnedGone || kept.slice(0, -1).every(({ isPinned }) => isPinned));
      }),
      { numRuns: 500 },
    );
  });

  it('M18: history says of every message which turn it belongs to, and is what is sent', () => {
    fc.assert(
      fc.property(turns, limits, fc.boolean(), (all, given, hasSummary) => {
        const summary = hasSummary ? { summary: { text: 'Before.', at: 1, turns: 2 } } : {};
        const state = stateOf(aConversation('c', { turns: all, ...summary }));
        const { history, conversation } = viewOf(state, { ...noLimits, ...given }, now).get('c')!;
        const parts = history.flatMap(({ turn }) => turn ?? []);
        assert.deepEqual(parts, conversation.turns);
        assert.equal(history[0]?.turn === undefined, hasSummary);
        assert.equal(flatHistory(history).length, 2 * parts.length + (hasSummary ? 2 : 0));
      }),
    );
  });

  it('M2: a conversation ends after the timeout, not while a turn runs in it, in whatever window', () => {
    const timed = { ...noLimits, timeoutSeconds: 60 };
    const old = aConversation('c', { lastActive: now - 60_001, turns: [aTurn('a')] });
    const owner = { pid: 1, startedAt: 1 };
    const turn = {
      id: 'b',
      startedAt: 1,
      conversation: 'c',
      order: 2,
      activation: 'w',
      owner,
      at: 1,
      messages: [],
    };
    assert.equal(viewOf(stateOf(old), timed, now).size, 0);
    assert.equal(viewOf(stateOf(old, { ...turn, conversation: 'other' }), timed, now).size, 0);
    assert.deepEqual(viewOf(stateOf(old, turn), timed, now).get('c')?.endsIn, undefined);
    const young = { ...old, lastActive: now - 50_000 };
    assert.equal(viewOf(stateOf(young), timed, now).get('c')?.endsIn, 10_000);
    assert.equal(viewOf(stateOf({ ...old, lastActive: now + 50_000 }), timed, now).get('c')?.endsIn, 60_000);
    assert.equal(viewOf(stateOf(old), noLimits, now).get('c')?.endsIn, undefined);
  });

  it('M18: the older half is summarized at once, with all that has to go', () => {
    const all = Array.from({ length: 7 }, (_, order) => aTurn(`t${order}`, { order, tokens: 10 }));
    const given = { ...noLimits, maxTurns: 6, whenFull: 'summarize' } as const;
    const evicted = evictedBy({ turns: all }, given).map(({ turn }) => turn);
    assert.deepEqual(idsOf(evicted), ['t0']);
    assert.deepEqual(idsOf(turnsToSummarize(all, evicted, given)), ['t0', 't1', 't2']);
    assert.deepEqual(turnsToSummarize(all, [], given), []);
  });
});
