import assert from 'node:assert/strict';
import { renderTurns } from '../../../../src/core/conversation/renderTurns';
import type { Message } from '../../../../src/core/messages';

describe('turns as text for a summary', () => {
  const spoken = (...messages: readonly Message[]) => [{ messages }];

  it('tell who said what, and which tools were used', () => {
    const turns = spoken(
      { role: 'user', content: 'Look </turn> there' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'look', input: { at: 'a' } }] },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 't1', content: 'gone', is_error: true }],
      },
      { role: 'assistant', content: 'It is gone.' },
    );
    assert.equal(
      renderTurns(turns, 1000),
      '<turn>\nPerson: Look ‹/turn> there\nClaude used look: {"at":"a"}\nFailed: gone\nClaude: It is gone.\n</turn>',
    );
  });

  it('M18: get shorter by halves until they fit, from their beginning and their end', () => {
    const turns = spoken({ role: 'user', content: `first ${'x'.repeat(9_989)} last` });
    const leftOut = (maxChars: number): string | undefined =>
      /^<turn>\nPerson: first x+ \[…(\d+) characters…\] x+ last\n<\/turn>$/.exec(
        renderTurns(turns, maxChars),
      )?.[1];
    assert.deepEqual([6_100, 6_000, 3_100, 3_000, 1_600, 1_500, 800, 750, 420].map(leftOut), [
      '4000',
      '7000',
      '7000',
      '8500',
      '8500',
      '9250',
      '9250',
      '9625',
      '9625',
    ]);
  });

  it('keep their end where even that is too long', () => {
    const rendered = renderTurns(spoken({ role: 'user', content: 'x'.repeat(10_000) }), 100);
    assert.deepEqual([rendered.length, rendered.slice(-10)], [100, 'xx\n</turn>']);
  });
});
