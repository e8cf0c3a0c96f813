import assert from 'node:assert/strict';
import { decodeTurn, decodeWaiting } from '../../../../src/core/conversation/decode';

describe('what was stored', () => {
  const turn = {
    id: 'one',
    order: 1,
    startedAt: 2,
    endedAt: 3,
    outcome: 'finished',
    messages: [{ role: 'user', content: 'hello' }],
  };

  it('M10: is a turn only with all that every turn has', () => {
    assert.deepEqual(decodeTurn(turn), turn);
    const wrongs: Readonly<Record<string, readonly unknown[]>> = {
      id: ['', 7, undefined],
      order: [-1, '1', 8.64e15 + 1, undefined],
      startedAt: [null, Number.NaN],
      endedAt: ['now'],
      outcome: ['failed', undefined],
      messages: ['hello', [], [7], [null]],
    };
    for (const [key, values] of Object.entries(wrongs)) {
      for (const value of values) assert.equal(decodeTurn({ ...turn, [key]: value }), undefined, key);
    }
    assert.equal(decodeTurn(undefined), undefined);
  });

  it('M10: is a message only with a role, and with a text or blocks that say what they are', () => {
    const messageOf = (role: unknown, content: unknown): unknown =>
      decodeTurn({ ...turn, messages: [{ role, content }] });
    for (const content of ['', [], [{ type: 'text', text: 'hi' }], [{ type: 'image' }]]) {
      assert.ok(messageOf('assistant', content), JSON.stringify(content));
    }
    for (const content of [
      7,
      [7],
      [null],
      ['hi'],
      [{}],
      [{ type: 1 }],
      [{ type: 'text' }],
      [{ type: 'text', text: 1 }],
    ]) {
      assert.equal(messageOf('user', content), undefined, JSON.stringify(content));
    }
    assert.equal(messageOf('system', 'hi'), undefined);
  });

  it('M10: keeps of the rest of a turn what it can be, and counts nothing that is no number', () => {
    const rest = {
      model: 'claude',
      usage: { input: 1, cacheRead: 2, cacheWrite: 3, output: 4, cost: 0.5 },
      tokens: 5,
      thread: 't',
      position: 0,
      isPinned: true,
      activation: 'w',
    };
    assert.deepEqual(decodeTurn({ ...turn, ...rest }), { ...turn, ...rest });
    const wrong = { model: 1, usage: 7, tokens: '5', thread: '', position: 1.5, isPinned: 1, activation: 1 };
    assert.deepEqual(decodeTurn({ ...turn, ...wrong }), turn);
    const usage = { input: '1', cacheRead: -1, cacheWrite: null, cost: 'dear' };
    assert.deepEqual(decodeTurn({ ...turn, usage })?.usage, {
      input: 0,
      cacheRead: 0,
      cacheWrite: 0,
      output: 0,
    });
  });

  it('M16: is a question only with the call that asked it', () => {
    const toolUse = { type: 'tool_use', id: 't1', name: 'ask_user', input: {} };
    const result = { type: 'tool_result', tool_use_id: 't2', content: 'seen' };
    const waiting = {
      param: 'p',
      question: 'Which?',
      turnId: 'one',
      askedAt: 1,
      tries: 2,
      toolUse,
      results: [result],
    };
    assert.deepEqual(decodeWaiting(waiting), waiting);
    for (const key of ['param', 'question', 'turnId', 'askedAt', 'toolUse']) {
      assert.equal(decodeWaiting({ ...waiting, [key]: undefined }), undefined, key);
    }
    const { tries: _tries, results: _results, ...least } = waiting;
    assert.deepEqual(decodeWaiting({ ...least, options: ['a', '', 1], tools: ['x', 2] }), {
      ...least,
      tries: 1,
      results: [],
      options: ['a'],
      tools: ['x'],
    });
  });
});
