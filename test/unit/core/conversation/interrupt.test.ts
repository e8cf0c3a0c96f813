import assert from 'node:assert/strict';
import { closeInterrupted } from '../../../../src/core/conversation/interrupt';
import type { Message } from '../../../../src/core/messages';

const person: Message = { role: 'user', content: 'rename it everywhere' };
const asks: Message = {
  role: 'assistant',
  content: [
    { type: 'text', text: 'On it.' },
    { type: 'tool_use', id: 'a', name: 'edit_file', input: {} },
    { type: 'tool_use', id: 'b', name: 'edit_file', input: {} },
  ],
};
const end: Message = { role: 'assistant', content: [{ type: 'text', text: 'Stopped.' }] };
const notFinished = 'Not finished: the turn was interrupted before this call returned.';

describe('closeInterrupted', () => {
  it('M7: answers every tool use of a round that never returned and says how it ended', () => {
    assert.deepEqual(closeInterrupted([person, asks], 'Stopped.'), [
      person,
      asks,
      {
        role: 'user',
        content: ['a', 'b'].map((id) => ({
          type: 'tool_result',
          tool_use_id: id,
          content: notFinished,
          is_error: true,
        })),
      },
      end,
    ]);
  });

  it('M7: keeps the results that are there and answers only the others, results first', () => {
    const half: Message = {
      role: 'user',
      content: [
        { type: 'text', text: 'by the way' },
        { type: 'tool_result', tool_use_id: 'a', content: 'done' },
      ],
    };
    assert.deepEqual(closeInterrupted([person, asks, half], 'Stopped.')[2], {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'a', content: 'done' },
        { type: 'tool_result', tool_use_id: 'b', content: notFinished, is_error: true },
        { type: 'text', text: 'by the way' },
      ],
    });
  });

  it('M7: adds its sentence to half an answer instead of following it with a second assistant message', () => {
    assert.deepEqual(closeInterrupted([person, { role: 'assistant', content: 'It is' }], 'Stopped.'), [
      person,
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'It is' },
          { type: 'text', text: 'Stopped.' },
        ],
      },
    ]);
  });

  it('M7: leaves complete rounds as they were', () => {
    const results: Message = {
      role: 'user',
      content: ['a', 'b'].map((id) => ({ type: 'tool_result', tool_use_id: id, content: 'done' })),
    };
    assert.deepEqual(closeInterrupted([person, asks, results], 'Stopped.'), [person, asks, results, end]);
  });

  it('makes nothing of nothing', () => {
    assert.deepEqual(closeInterrupted([], 'Stopped.'), []);
  });
});
