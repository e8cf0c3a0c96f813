import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { emptyConversation } from '../../../../src/core/conversation/changes';
import { repairedMessages } from '../../../../src/core/conversation/transcript';
import type { StoredTurn } from '../../../../src/core/conversation/turn';
import { flatHistory, historyOf } from '../../../../src/core/conversation/view';
import { refusal } from '../../../support/conversation/accepted';
import { damagedMessages, mangledTurns, validTurn } from '../../../support/conversation/storedMessages';

const person = { role: 'user', content: 'hello' };
const answer = { role: 'assistant', content: 'hi' };
const missing = { role: 'assistant', content: '[This answer was interrupted and is not remembered.]' };
const use = (id: string) => ({ type: 'tool_use', id, name: 'read_file', input: {} });
const result = (id: string) => ({ type: 'tool_result', tool_use_id: id, content: `result of ${id}` });
const unanswered = (id: string) => ({
  type: 'tool_result',
  tool_use_id: id,
  content: 'Not finished: the turn was interrupted before this call returned.',
  is_error: true,
});
const asks = (...ids: string[]) => ({ role: 'assistant', content: ids.map(use) });
const replies = (...ids: string[]) => ({ role: 'user', content: ids.map(result) });

/** Accepted, alternating, from the person to Claude, and as good as it gets. */
function assertSound(history: ReturnType<typeof repairedMessages>): void {
  assert.equal(refusal(history), undefined);
  for (const [index, { role }] of history.entries())
    assert.equal(role, index % 2 === 0 ? 'user' : 'assistant');
  assert.equal(history.length % 2, 0);
  assert.deepEqual(repairedMessages(history), history);
}

/** What is sent of a conversation whose turns have these messages stored. */
function historyWith(turns: readonly (readonly unknown[])[]): ReturnType<typeof flatHistory> {
  const stored = turns.map((messages) => ({ messages }) as unknown as StoredTurn);
  return flatHistory(historyOf({ ...emptyConversation('workspace', 'one', 0), turns: stored }));
}

describe('transcript', () => {
  it('M9: whatever damaged messages are stored, the API accepts what is sent', () => {
    fc.assert(
      fc.property(damagedMessages, (messages) => assertSound(repairedMessages(messages))),
      { numRuns: 6_000 },
    );
  });

  it('M9: turns that lost, doubled or swapped messages are accepted again', () => {
    fc.assert(
      fc.property(mangledTurns, (messages) => assertSound(repairedMessages(messages))),
      { numRuns: 3_000 },
    );
  });

  it('M9: valid turns pass unchanged, whichever of them are dropped', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(validTurn, fc.boolean()), { maxLength: 8 }), (turns) => {
        const kept = turns.filter(([, isKept]) => isKept).map(([messages]) => messages);
        const history = historyWith(kept);
        assert.deepEqual(history, kept.flat());
        assertSound(history);
      }),
      { numRuns: 500 },
    );
  });

  it('M9: any turns whatever in a row are accepted, and a damaged one spoils none after it', () => {
    fc.assert(
      fc.property(fc.array(damagedMessages, { maxLength: 4 }), validTurn, (damaged, last) => {
        const history = historyWith([...damaged, last]);
        assertSound(history);
        assert.deepEqual(history.slice(-last.length), last);
      }),
      { numRuns: 1_500 },
    );
  });

  it('M9: a later turn never changes what was sent before it, so the cached prefix holds', () => {
    fc.assert(
      fc.property(damagedMessages, validTurn, (messages, next) => {
        const before = repairedMessages(messages);
        const after = repairedMessages([...before, ...next]);
        assert.deepEqual(after.slice(0, before.length), before);
      }),
      { numRuns: 500 },
    );
  });

  it('M9, F20: an unanswered tool use is answered as interrupted', () => {
    assert.deepEqual(repairedMessages([person, asks('a', 'b'), replies('b'), answer]), [
      person,
      asks('a', 'b'),
      { role: 'user', content: [unanswered('a'), result('b')] },
      answer,
    ]);
    assert.deepEqual(repairedMessages([person, asks('a')]), [
      person,
      asks('a'),
      { role: 'user', content: [unanswered('a')] },
      missing,
    ]);
  });

  it('M9, F20: orphan results and answers to nobody go', () => {
    assert.deepEqual(repairedMessages([answer, replies('a'), answer, person, answer]), [person, answer]);
    assert.deepEqual(repairedMessages([person, asks('a'), replies('a', 'a', 'x'), answer]), [
      person,
      asks('a'),
      replies('a'),
      answer,
    ]);
  });

  it('M9: results stored in several messages, or after text, come first in one', () => {
    const text = { type: 'text', text: 'one more thing' };
    assert.deepEqual(
      repairedMessages([
        person,
        asks('a', 'b'),
        { role: 'user', content: [text, result('b')] },
        replies('a'),
        answer,
      ]),
      [person, asks('a', 'b'), { role: 'user', content: [result('a'), result('b'), text] }, answer],
    );
  });

  it('M9: a tool id used twice is told apart together with its result', () => {
    assert.deepEqual(
      repairedMessages([person, asks('a'), replies('a'), answer, person, asks('a'), replies('a'), answer]),
      [
        person,
        asks('a'),
        replies('a'),
        answer,
        person,
        asks('a_2'),
        { role: 'user', content: [{ ...result('a'), tool_use_id: 'a_2' }] },
        answer,
      ],
    );
  });

  it('M4: thinking, cache marks and unknown keys do not come back', () => {
    const stored = {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'hm', signature: 'bound' },
        { type: 'text', text: 'hi', cache_control: { type: 'ephemeral' }, citations: null },
      ],
      id: 'msg_1',
    };
    assert.deepEqual(repairedMessages([person, stored]), [
      person,
      { role: 'assistant', content: [{ type: 'text', text: 'hi' }] },
    ]);
  });

  it('M5: images and documents are words wherever they stand', () => {
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } };
    const pdf = { type: 'document', title: 'Invoice 7.pdf', source: { type: 'base64', data: 'AAAA' } };
    const words = [
      { type: 'text', text: '[Image sent: photo]' },
      { type: 'text', text: '[Document sent: Invoice 7.pdf]' },
    ];
    const sent = { ...result('a'), content: [image, pdf] };
    assert.deepEqual(
      repairedMessages([
        { role: 'user', content: [image, pdf] },
        asks('a'),
        { role: 'user', content: [sent] },
        answer,
      ]),
      [
        { role: 'user', content: words },
        asks('a'),
        { role: 'user', content: [{ ...sent, content: words }] },
        answer,
      ],
    );
  });

  it('keeps the order of entries, because the prompt cache compares bytes', () => {
    const call = { input: { z: 1, a: 2 }, name: 'read_file', id: 'a', type: 'tool_use' };
    const [, sent] = repairedMessages([person, { role: 'assistant', content: [call] }, replies('a'), answer]);
    assert.equal(JSON.stringify(sent), JSON.stringify({ role: 'assistant', content: [call] }));
  });
});
