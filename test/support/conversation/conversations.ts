import * as fc from 'fast-check';
import type { Conversation, StoredTurn } from '../../../src/core/conversation/turn';
import type { Message } from '../../../src/core/messages';
import { validTurn } from './storedMessages';

const time = fc.integer({ min: 0, max: 2_000_000_000_000 });
const usage = fc.record(
  {
    input: fc.nat(),
    cacheRead: fc.nat(),
    cacheWrite: fc.nat(),
    output: fc.nat(),
    cost: fc.double({ min: 0, max: 100, noNaN: true }),
  },
  { requiredKeys: ['input', 'cacheRead', 'cacheWrite', 'output'] },
);
const turn = fc.record(
  {
    messages: validTurn,
    startedAt: time,
    took: fc.nat(100_000),
    outcome: fc.constantFrom('finished' as const, 'interrupted' as const),
    model: fc.constantFrom('claude-sonnet-5-5', 'claude-opus-5-5'),
    usage,
    tokens: fc.nat(100_000),
    thread: fc.constantFrom('t1', 't2'),
    isPinned: fc.constant(true as const),
    activation: fc.constant('w1'),
    remembered: fc.tuple(
      fc.constantFrom('order_id', 'branch'),
      fc.constantFrom('O-54321', 'main', 'a', 'question'),
    ),
  },
  { requiredKeys: ['messages', 'startedAt', 'took', 'outcome'] },
);

const params = fc.uniqueArray(
  fc.record({
    name: fc.oneof(fc.constantFrom('order_id', '__proto__', 'constructor'), fc.string({ minLength: 1 })),
    value: fc.string({ minLength: 1 }),
    at: time,
  }),
  { maxLength: 3, selector: ({ name }) => name },
);
const summary = fc.record({
  text: fc.string().map((text) => `Before: ${text}`),
  at: time,
  turns: fc.nat(9),
});

/** Conversations as they are remembered, with everything that a turn can carry. */
export const conversations: fc.Arbitrary<Conversation> = fc.record(
  {
    id: fc.constant('workspace'),
    lastActive: fc.constant(1_000_000_000),
    turns: fc.array(turn, { minLength: 1, maxLength: 6 }).map((turns) => inOrder(turns.map(storedTurn))),
    summarized: fc.constant([]),
    params,
    summary,
  },
  { requiredKeys: ['id', 'lastActive', 'turns', 'summarized', 'params'] },
);

type RandomTurn = typeof turn extends fc.Arbitrary<infer T> ? T : never;

function storedTurn({ messages, took, remembered, ...rest }: RandomTurn, index: number): StoredTurn {
  const own = [...messages] as Message[];
  if (remembered) {
    const [name, value] = remembered;
    const [prompt, ...others] = own;
    const id = `toolu_remember_${index}`;
    own.splice(
      0,
      own.length,
      ...(prompt ? [prompt] : []),
      { role: 'assistant', content: [{ type: 'tool_use', id, name: 'remember', input: { name, value } }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: `Remembered ${name}.` }] },
      ...others,
    );
  }
  return {
    id: `turn ${index}`,
    ...rest,
    endedAt: rest.startedAt + took,
    order: 0,
    messages: own,
  };
}

function inOrder(turns: readonly StoredTurn[]): readonly StoredTurn[] {
  let last = -1;
  return turns.map((one) => {
    last = Math.max(last + 1, one.startedAt);
    return { ...one, order: last };
  });
}
