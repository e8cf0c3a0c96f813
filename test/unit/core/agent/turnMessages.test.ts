import assert from 'node:assert/strict';
import { toInput, withoutThinking, type TurnMessage } from '../../../../src/core/agent/turnMessages';
import type { ContentBlock } from '../../../../src/core/messages';
import { text, thinking, toolUse } from '../../../support/scriptedModel';

describe('the running turn', () => {
  const entry = (...content: readonly ContentBlock[]): TurnMessage => ({
    message: { role: 'assistant', content: [...content] },
  });
  const hidden = { type: 'redacted_thinking', data: 'x' } as const;
  const words = { type: 'text', text: 'So' } as const;

  it('L10: goes on without its thoughts, and without a message that was nothing else', () => {
    const question: TurnMessage = { message: { role: 'user', content: 'hello' } };
    assert.deepEqual(
      withoutThinking([question, entry(thinking('hm'), hidden), entry(hidden, words), entry(words)]),
      [question, entry(words), entry(words)],
    );
  });

  it('L10: sends back what the API takes, and no thought that is not whole', () => {
    const { caller: _caller, ...call } = toolUse('t1', 'look');
    assert.deepEqual(
      toInput([
        text(' \n'),
        text('So'),
        thinking('hm'),
        { ...thinking('unsigned'), signature: '' },
        thinking('half \ud83d'),
        hidden,
        { ...hidden, data: '' },
        { ...hidden, data: 'half \ud83d' },
        toolUse('t1', 'look'),
      ]),
      [words, thinking('hm'), hidden, call],
    );
  });
});
