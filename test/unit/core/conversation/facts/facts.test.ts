import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { factsOf, type Fact } from '../../../../../src/core/conversation/facts/fact';
import { Facts } from '../../../../../src/core/conversation/facts/facts';
import { decodeLines, encodeLine } from '../../../../../src/core/conversation/facts/journalLine';
import type { StoredTurn } from '../../../../../src/core/conversation/turn';
import { exchange } from '../../../../support/conversation/testWorkspace';

const conversation = fc.constantFrom('one', 'two');
const revision = fc.integer({ min: 1, max: 4 });

const turn = fc
  .record({
    conversation,
    id: fc.constantFrom('a', 'b', 'c'),
    revision,
    outcome: fc.constantFrom('finished' as const, 'interrupted' as const),
    isPinned: fc.boolean(),
  })
  .map(({ conversation: where, id, revision: number, outcome, isPinned }): Fact => {
    const kept: StoredTurn = {
      id,
      order: id.charCodeAt(0),
      revision: number,
      startedAt: 1,
      endedAt: 2,
      outcome,
      messages: exchange(id),
      ...(isPinned ? { isPinned } : {}),
    };
    return { kind: 'turn', conversation: where, turn: kept, at: 100 };
  });
const turnGone = fc.record({
  kind: fc.constant('turn-gone' as const),
  conversation,
  id: fc.constantFrom('a', 'b', 'c'),
  revision,
});
const name = fc.constantFrom('x', 'constructor', '__proto__');
const param = fc.record({
  kind: fc.constant('param' as const),
  conversation,
  name,
  param: fc.record({ value: fc.constantFrom('1', '2'), at: fc.constant(100), revision }),
});
const paramGone = fc.record({ kind: fc.constant('param-gone' as const), conversation, name, revision });
const waiting = fc
  .record({ conversation, revision, tool: fc.constantFrom('t', 'u', undefined) })
  .map(({ conversation: where, revision: number, tool }): Fact => {
    if (!tool) return { kind: 'waiting', conversation: where, revision: number };
    const toolUse = { type: 'tool_use' as const, id: tool, name: 'ask_user', input: {} };
    const question = {
      param: 'size',
      question: 'Which?',
      turnId: 'a',
      askedAt: 1,
      tries: 1,
      toolUse,
      results: [],
    };
    return { kind: 'waiting', conversation: where, revision: number, waiting: question };
  });
const summary = fc.record({
  kind: fc.constant('summary' as const),
  conversation,
  summary: fc.record({
    text: fc.constantFrom('short', 'shorter'),
    at: fc.constant(100),
    turns: fc.constant(2),
    revision,
  }),
});
const summaryGone = fc.record({ kind: fc.constant('summary-gone' as const), conversation, revision });
const fact: fc.Arbitrary<Fact> = fc.oneof(turn, turnGone, param, paramGone, waiting, summary, summaryGone);

function after(facts: readonly Fact[]): Facts {
  const known = new Facts();
  for (const one of facts) known.apply(one);
  return known;
}

/** What is remembered, whatever the order in which conversations came up; how late it is does depend on what was seen. */
function memoryOf(facts: Facts): unknown {
  const conversations = [...facts.conversations.values()]
    .toSorted((a, b) => (a.id < b.id ? -1 : 1))
    .map(({ waitingRevision: _count, lastActive: _time, ...rest }) => rest);
  return JSON.parse(JSON.stringify(conversations));
}

describe('facts', () => {
  it('M6: in whatever order and however often they arrive, the memory is the same', () => {
    const twoOrders = fc
      .array(fact, { maxLength: 14 })
      .chain((facts) =>
        fc.tuple(
          fc.constant(facts),
          fc.shuffledSubarray([...facts, ...facts], { minLength: facts.length * 2 }),
        ),
      );
    fc.assert(
      fc.property(twoOrders, ([facts, shuffled]) => {
        assert.deepEqual(memoryOf(after(shuffled)), memoryOf(after(facts)));
      }),
      { numRuns: 2_000 },
    );
  });

  it('M6: what is known already changes nothing, and says so', () => {
    fc.assert(
      fc.property(fc.array(fact, { maxLength: 14 }), (facts) => {
        const known = after(facts);
        const before = memoryOf(known);
        assert.deepEqual(
          facts.filter((one) => known.apply(one)),
          [],
        );
        assert.deepEqual(memoryOf(known), before);
      }),
      { numRuns: 1_000 },
    );
  });

  it('finds each turn that is remembered, and no other', () => {
    fc.assert(
      fc.property(fc.array(fact, { maxLength: 14 }), (facts) => {
        const known = after(facts);
        for (const where of ['one', 'two']) {
          const turns = known.conversations.get(where)?.turns ?? [];
          for (const id of ['a', 'b', 'c'])
            assert.equal(
              known.turn(where, id),
              turns.find((one) => one.id === id),
            );
        }
      }),
      { numRuns: 500 },
    );
  });

  it('M8: what is remembered and known to be gone, written down and read back, is the same memory', () => {
    fc.assert(
      fc.property(fc.array(fact, { maxLength: 14 }), fc.array(fact, { maxLength: 6 }), (facts, later) => {
        const known = after(facts);
        const lines = [...[...known.conversations.values()].flatMap(factsOf), ...known.gone].map(encodeLine);
        const read = decodeLines(lines.join('\n')).map((decoded) => {
          assert.ok(
            decoded.kind === 'line' && decoded.line.kind !== 'running' && decoded.line.kind !== 'abandoned',
          );
          return decoded.line;
        });
        assert.deepEqual(memoryOf(after([...read, ...later])), memoryOf(after([...facts, ...later])));
      }),
      { numRuns: 1_000 },
    );
  });
});
