import assert from 'node:assert/strict';
import {
  answer,
  calls,
  says,
  scriptedModel,
  text,
  textDelta,
  thinking,
  toolUse,
} from '../../../support/scriptedModel';
import { ranTurn, tool } from '../../../support/turns';

describe('runTurn', () => {
  it('L1: streams text as it arrives and remembers question and answer', async () => {
    const model = scriptedModel([textDelta('Hel'), textDelta('lo'), answer([text('Hello')])]);
    const { events, end } = await ranTurn({ model });
    assert.deepEqual(
      events.map(({ type }) => type),
      ['request-start', 'text-delta', 'text-delta', 'turn-end'],
    );
    assert.deepEqual(end.end, { reason: 'answered' });
    assert.deepEqual(end.messages, [
      { role: 'user', content: 'hello' },
      { role: 'assistant', content: [{ type: 'text', text: 'Hello' }] },
    ]);
  });

  it('L10: sends thinking back unchanged within the turn and does not remember it', async () => {
    const look = tool('look', () => ({ content: 'seen' }));
    const model = scriptedModel(calls(thinking('hm'), toolUse('t1', 'look')), says('Done'));
    const { end } = await ranTurn({ model, tools: [look] });
    assert.deepEqual(model.requests[1]?.messages[1]?.content, [
      { type: 'thinking', thinking: 'hm', signature: 'signed:hm' },
      { type: 'tool_use', id: 't1', name: 'look', input: {} },
    ]);
    assert.deepEqual(end.messages, [
      { role: 'user', content: 'hello' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'look', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'seen' }] },
      { role: 'assistant', content: [{ type: 'text', text: 'Done' }] },
    ]);
  });
});
