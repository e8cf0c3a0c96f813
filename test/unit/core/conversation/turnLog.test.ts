import assert from 'node:assert/strict';
import { loggedConversation, receivedLine, respondedLine } from '../../../../src/core/conversation/turnLog';
import { TestWorkspace } from '../../../support/conversation/testWorkspace';

const usage = { input: 10, cacheRead: 900, cacheWrite: 90, output: 55 };

describe('turn log', () => {
  it('M22: one line each, with ids, counts, names, tokens and duration', async () => {
    const workspace = new TestWorkspace();
    const { chat } = await workspace.reopen();
    await chat.saveTurn(workspace.turn('a'));
    await chat.merge({ orderId: 'value-17', branch: 'value-main' });
    await chat.setWaiting({
      param: 'size',
      question: 'a question',
      turnId: 'a',
      askedAt: workspace.now,
      tries: 1,
      toolUse: { type: 'tool_use', id: 'toolu_1', name: 'ask_user', input: {} },
      results: [],
    });
    const conversation = loggedConversation('workspace', chat);
    assert.equal(
      receivedLine(conversation),
      'received conversation=workspace history=1 turns/2 messages params=[orderId, branch] waiting=size',
    );
    assert.equal(
      respondedLine(conversation, { end: 'answered', rounds: 3, usage, durationMs: 1234.5 }),
      'responded conversation=workspace history=1 turns/2 messages params=[orderId, branch] waiting=size ' +
        'end=answered rounds=3 tokens=1000 in (900 cached), 55 out duration=1235ms',
    );
  });

  it('M22: a name cannot smuggle in a second line or a text', () => {
    const line = receivedLine({
      id: 'c\nreceived conversation=forged',
      turns: 0,
      messages: 0,
      params: ['a b\r\nc', 'x'.repeat(500)],
    });
    assert.equal(line.split(/\r|\n/).length, 1);
    assert.ok(line.length < 250);
  });

  it('M22: a clock that was set back gives no negative duration', () => {
    const conversation = { id: 'c', turns: 0, messages: 0, params: [] };
    assert.match(
      respondedLine(conversation, { end: 'failed', rounds: 0, usage, durationMs: -5 }),
      /duration=0ms$/,
    );
  });
});
