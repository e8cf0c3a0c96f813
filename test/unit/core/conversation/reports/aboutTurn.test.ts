import assert from 'node:assert/strict';
import { wasInterrupted } from '../../../../../src/core/conversation/reports/aboutTurn';
import { calls, scriptedModel, toolUse } from '../../../../support/scriptedModel';
import { ranTurn, tool } from '../../../../support/turns';

const question = 'Which order?';
const asks = toolUse('t1', 'ask_user', { param: 'order_id', question });
const ask = tool('ask_user', () => ({ content: 'Asked.', question: { param: 'order_id', question } }));
const look = tool('look', () => ({ content: 'seen' }));

describe('whether a turn was interrupted', () => {
  it('M19: it was not when it ended with its question to the person', async () => {
    const { end } = await ranTurn({ model: scriptedModel(calls(asks)), tools: [ask] });
    assert.equal(end.end.reason, 'asked');
    assert.equal(wasInterrupted({ messages: end.messages, outcome: 'interrupted' }), false);
  });

  it('M19: it was when it broke off after an answer, or without a question', async () => {
    const rounds = [calls(asks), calls(toolUse('t2', 'look'))];
    for (const script of [rounds, rounds.slice(1)]) {
      const { end } = await ranTurn({
        model: scriptedModel(...script),
        tools: [ask, look],
        maxRounds: script.length,
        askInPlace: async () => 'O-1',
      });
      assert.equal(end.end.reason, 'round-limit');
      assert.equal(wasInterrupted({ messages: end.messages, outcome: 'interrupted' }), true);
    }
    assert.equal(wasInterrupted({ messages: [], outcome: 'finished' }), false);
  });
});
