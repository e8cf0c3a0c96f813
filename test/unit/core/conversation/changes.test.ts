import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import {
  maxParamBytes,
  mergeConversations,
  rewound,
  withForgotten,
  withoutTurns,
  withTurn,
  withValues,
} from '../../../../src/core/conversation/changes';
import {
  summarized,
  summarizing,
  unsummarized,
  withoutSummarizing,
} from '../../../../src/core/conversation/summary';
import { valuesOf, type Conversation } from '../../../../src/core/conversation/turn';
import { jsonBytes } from '../../../../src/core/text/json';
import { aConversation, aTurn } from '../../../support/conversation/stored';

type Step =
  | { readonly does: 'say'; readonly name: string; readonly value: string | null }
  | { readonly does: 'sum-up'; readonly count: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      does: fc.constant('say' as const),
      name: fc.constantFrom('x', 'constructor', '__proto__'),
      value: fc.constantFrom('1', '2', null),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ does: fc.constant('sum-up' as const), count: fc.integer({ min: 1, max: 3 }) }),
  },
);

/** A conversation in which each turn sets or forgets a value, and older turns are summarized now and then. */
function played(steps: readonly Step[]): Conversation {
  return steps.reduce(
    (conversation, one, order) => {
      if (one.does === 'sum-up') {
        const turns = conversation.turns.slice(0, -1).slice(0, one.count);
        const wanted = {
          text: `about ${order}`,
          turns: turns.map(({ id }) => id),
          from: conversation.summary,
        };
        const done = summarizing(conversation, wanted, order);
        return done ? summarized(conversation, done) : conversation;
      }
      const id = `t${order}`;
      const said = withTurn(conversation, aTurn(id), { order, activation: 'w', now: order });
      const by = { now: order, turnId: id };
      return one.value === null
        ? withForgotten(said, [one.name], by)
        : withValues(said, { [one.name]: one.value }, by);
    },
    aConversation('c', { lineage: 'l' }),
  );
}

const valuesIn = (conversation: Conversation) =>
  [...valuesOf(conversation)].map(([name, { value }]) => `${name}: ${value}`).toSorted();
const idsOf = ({ turns, summarized: told }: Conversation) => [...told, ...turns].map(({ id }) => id);

describe('changes to a conversation', () => {
  it('M13: a rewind leaves what there would be had its turns never been', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 9 }), fc.nat(9), (steps, at) => {
        const kept = steps.slice(0, at);
        const cut = steps.flatMap((_, order) => (order >= at ? [`t${order}`] : []));
        const [after, never] = [rewound(played(steps), cut), played(kept)];
        assert.deepEqual(valuesIn(after), valuesIn(never));
        assert.deepEqual(idsOf(after), idsOf(never));
        assert.ok(!after.summary || after.summarized.every(({ id }) => !cut.includes(id)));
      }),
      { numRuns: 1_000 },
    );
  });

  it('M18: a summary that is taken back leaves all as it was', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 9 }), fc.integer({ min: 1, max: 4 }), (steps, count) => {
        const before = played(steps);
        const turns = before.turns.slice(0, count).map(({ id }) => id);
        const done = summarizing(before, { text: 'short', turns, from: before.summary }, 99);
        assert.equal(done === undefined, turns.length === 0);
        if (!done) return;
        assert.deepEqual(withoutSummarizing(summarized(before, done), done), before);
      }),
      { numRuns: 500 },
    );
  });

  it('M18: no turn is told of twice, and none is lost, when conversations are joined', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 9 }), fc.nat(9), (steps, at) => {
        const [older, newer] = [played(steps.slice(0, at)), played(steps)];
        for (const both of [mergeConversations(newer, older), mergeConversations(older, newer)]) {
          assert.deepEqual(idsOf(both).toSorted(), idsOf(newer).toSorted());
          assert.deepEqual(
            both.turns.map(({ order }) => order),
            both.turns.map(({ order }) => order).toSorted((a, b) => a - b),
          );
        }
        assert.deepEqual(valuesIn(mergeConversations(newer, newer)), valuesIn(newer));
      }),
      { numRuns: 500 },
    );
  });

  it('M19: a summary goes with any of the turns it tells of, and the others come back', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 9 }), fc.nat(9), (steps, pick) => {
        const before = played(steps);
        const removed = before.summarized[pick % Math.max(1, before.summarized.length)];
        if (!removed) return;
        const after = withoutTurns(before, [removed.id]);
        assert.equal(after.summary, undefined);
        assert.deepEqual(
          after.turns,
          unsummarized(before).turns.filter(({ id }) => id !== removed.id),
        );
      }),
    );
  });

  it('M15: values take no more room than there is, however many were forgotten', () => {
    let conversation = aConversation('c');
    for (let index = 0; index < 60; index++) {
      const by = { now: index, turnId: `t${index}` };
      const name = `${index}`.padEnd(5_000, 'n');
      conversation = withForgotten(withValues(conversation, { [name]: 'v', kept: 'k' }, by), [name], by);
    }
    assert.deepEqual(valuesIn(conversation), ['kept: k']);
    assert.ok(jsonBytes(conversation.params) < 3 * maxParamBytes);
  });
});
