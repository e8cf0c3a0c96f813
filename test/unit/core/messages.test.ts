import assert from 'node:assert/strict';
import { answerText } from '../../../src/core/messages';

describe('answerText', () => {
  it('is what Claude said, a paragraph for each round', () => {
    const text = answerText([
      { role: 'user', content: 'Where is it?' },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'Let me ' },
          { type: 'text', text: 'look.' },
          { type: 'tool_use', id: 'a', name: 'look', input: {} },
        ],
      },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'here' }] },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'b', name: 'look', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'b', content: 'there' }] },
      { role: 'assistant', content: 'There.' },
    ]);
    assert.equal(text, 'Let me look.\n\nThere.');
  });
});
