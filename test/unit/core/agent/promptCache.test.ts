import assert from 'node:assert/strict';
import { markForCache } from '../../../../src/core/agent/promptCache';
import { blocksOf, type Message } from '../../../../src/core/messages';

const system = [
  { type: 'text', text: 'one' },
  { type: 'text', text: 'two' },
] as const;

const use = (id: string): Message => ({
  role: 'assistant',
  content: [{ type: 'tool_use', id, name: 'look', input: {} }],
});
const result = (id: string): Message => ({
  role: 'user',
  content: [{ type: 'tool_result', tool_use_id: id, content: '' }],
});

const history: readonly Message[] = [
  { role: 'user', content: 'first' },
  { role: 'assistant', content: 'one' },
  { role: 'user', content: 'second' },
  use('a'),
  result('a'),
  { role: 'assistant', content: 'two' },
];

function markedMessages(messages: readonly Message[]): readonly number[] {
  return messages.flatMap((message, index) =>
    blocksOf(message).some((block) => 'cache_control' in block) ? [index] : [],
  );
}

function withoutMarks(messages: readonly Message[]): string {
  return JSON.stringify(messages).replaceAll(',"cache_control":{"type":"ephemeral"}', '');
}

describe('markForCache', () => {
  it('L9: marks system, history, the last turn’s question and the end in the first request of a turn', () => {
    const marked = markForCache(system, [...history, { role: 'user', content: 'third' }], history.length);
    assert.deepEqual(
      marked.system.map((block) => 'cache_control' in block),
      [false, true],
    );
    assert.deepEqual(markedMessages(marked.messages), [2, 5, 6]);
  });

  it('marks only the system prompt for an hour: the longer life must come first', () => {
    const marked = markForCache(system, [{ role: 'user', content: 'first' }], 0, '1h');
    assert.deepEqual(marked.system, [
      system[0],
      { ...system[1], cache_control: { type: 'ephemeral', ttl: '1h' } },
    ]);
    assert.deepEqual(marked.messages, [
      { role: 'user', content: [{ type: 'text', text: 'first', cache_control: { type: 'ephemeral' } }] },
    ]);
  });

  it('L9: marks where the request before ended in the later ones', () => {
    const turn: readonly Message[] = [
      { role: 'user', content: 'third' },
      use('b'),
      result('b'),
      use('c'),
      result('c'),
    ];
    const marked = markForCache(system, [...history, ...turn], history.length);
    assert.deepEqual(markedMessages(marked.messages), [5, 8, 10]);
  });

  it('marks the last block that may carry a mark', () => {
    const paused: Message = {
      role: 'assistant',
      content: [
        { type: 'text', text: 'wait' },
        { type: 'thinking', thinking: '', signature: 'x' },
      ],
    };
    const { messages } = markForCache([], [{ role: 'user', content: 'go' }, paused], 0);
    assert.deepEqual(
      blocksOf(messages[1]!).map((block) => 'cache_control' in block),
      [true, false],
    );
  });

  it('L9: changes nothing but marks, so that the bytes stay the same from request to request', () => {
    const messages: readonly Message[] = [...history, { role: 'user', content: 'third' }];
    const again = [...messages, use('b'), result('b')];
    const first = withoutMarks(markForCache(system, messages, history.length).messages);
    const second = withoutMarks(markForCache(system, again, history.length).messages);
    assert.ok(second.startsWith(first.slice(0, -1)));
  });
});
