import assert from 'node:assert/strict';
import { conversationLine, endLine, failureLine } from '../../../../src/core/conversation/turnLog';
import { ModelError } from '../../../../src/core/errors';
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
    assert.equal(
      conversationLine('received', 'workspace', chat.view()),
      'received conversation=workspace history=1 turns/2 messages params=[orderId, branch] waiting=size',
    );
    assert.equal(
      endLine({ end: 'answered', rounds: 3, usage, durationMs: 1234.5 }),
      'end=answered rounds=3 tokens=1000 in (900 cached), 55 out duration=1235ms',
    );
  });

  it('M22: a name cannot smuggle in a second line or a text', async () => {
    const { chat } = await new TestWorkspace().reopen();
    await chat.merge({ 'a b\r\nc': '1', ['x'.repeat(500)]: '2' });
    const line = conversationLine('received', 'c\nreceived conversation=forged', chat.view());
    assert.match(line, /params=\[a_b_c, x{64}\]/);
    assert.equal(line.split(/\r|\n/).length, 1);
    assert.ok(line.length < 250);
  });

  it('L7, M22: a failure has its kind, status and request, and words only where they are not the API’s', () => {
    const about = { status: 502, requestId: 'req_1', gatewayMessage: 'you said: canary' };
    assert.equal(
      failureLine('failed', new ModelError('server-error', 'you said: canary', about)),
      'failed kind=server-error status=502 request=req_1',
    );
    assert.equal(
      failureLine('failed', new ModelError('unreachable', 'fetch failed:\n self-signed certificate')),
      'failed kind=unreachable status=none request=none: fetch failed: self-signed certificate',
    );
    assert.equal(
      failureLine('retry', new ModelError('dropped', 'x'.repeat(500), about)).length,
      'retry kind=dropped status=502 request=req_1: '.length + 300,
    );
    assert.equal(
      failureLine('failed', new ModelError('unexpected', 'canary', { cause: new Error('canary') })),
      'failed kind=unexpected status=none request=none',
    );
  });

  it('M22: a clock that was set back gives no negative duration', () => {
    assert.match(endLine({ end: 'failed', rounds: 0, usage, durationMs: -5 }), /duration=0ms$/);
  });
});
