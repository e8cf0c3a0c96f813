import assert from 'node:assert/strict';
import { endedWith, resumeQuestion } from '../../../../src/core/agent/question';
import type { Message } from '../../../../src/core/messages';
import {
  calls,
  says,
  scriptedModel,
  thinking,
  toolUse,
  type ScriptedModel,
} from '../../../support/scriptedModel';
import { ranTurn, tool } from '../../../support/turns';

const question = { param: 'order_id', question: 'Which order?', options: ['O-1', 'O-2'] };
const ask = tool('ask_user', () => ({ content: 'Asked the person.', question }));
const look = tool('look', () => ({ content: 'seen' }));

function asking(): ScriptedModel {
  return scriptedModel(
    calls(thinking('hm'), toolUse('t1', 'look'), toolUse('t2', 'ask_user'), toolUse('t3', 'ask_user')),
  );
}

describe('a question to the person', () => {
  it('M16: ends the turn, with the open call and the results of its siblings', async () => {
    const { end } = await ranTurn({ model: asking(), tools: [ask, look] });
    const notAsked = 'Not asked: one question at a time. Ask it after the other was answered.';
    assert.ok(end.end.reason === 'asked');
    const { sent, ...asked } = end.end;
    assert.deepEqual(asked, {
      reason: 'asked',
      question,
      toolUse: { type: 'tool_use', id: 't2', name: 'ask_user', input: {} },
      results: [
        { type: 'tool_result', tool_use_id: 't1', content: 'seen' },
        { type: 'tool_result', tool_use_id: 't3', content: notAsked, is_error: true },
      ],
    });
    assert.deepEqual(
      sent.map(({ role, content }) => [role, typeof content === 'string' || content.map(({ type }) => type)]),
      [
        ['user', true],
        ['assistant', ['thinking', 'tool_use', 'tool_use', 'tool_use']],
      ],
    );
  });

  it('M9: is remembered as a turn that is valid by itself, with the question as its answer', async () => {
    const { end } = await ranTurn({ model: asking(), tools: [ask, look] });
    assert.deepEqual(end.messages.slice(2), [
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 't1', content: 'seen' },
          { type: 'tool_result', tool_use_id: 't2', content: 'Asked the person.' },
          {
            type: 'tool_result',
            tool_use_id: 't3',
            content: 'Not asked: one question at a time. Ask it after the other was answered.',
            is_error: true,
          },
        ],
      },
      { role: 'assistant', content: [{ type: 'text', text: 'Which order?' }] },
    ]);
  });

  it('M16: goes on with the person’s message as the result of that very call', async () => {
    const first = await ranTurn({ model: asking(), tools: [ask, look] });
    assert.ok(first.end.end.reason === 'asked');
    const resumed = resumeQuestion(first.end.messages, first.end.end, 'It is O-2');
    assert.ok(resumed);
    const model = scriptedModel(says('On its way'));
    const second = await ranTurn({ model, tools: [ask, look], ...resumed, rememberAs: 'It is O-2' });
    const sent = JSON.stringify(model.requests[0]?.messages.at(-1));
    assert.deepEqual(sent.match(/"tool_use_id":"t\d"|It is O-2/g), [
      '"tool_use_id":"t1"',
      '"tool_use_id":"t2"',
      'It is O-2',
      '"tool_use_id":"t3"',
    ]);
    assert.deepEqual(second.end.messages[0], { role: 'user', content: 'It is O-2' });
  });

  it('M13, M17: goes on without what was sent with it when part of that is gone, or something came between', () => {
    const said = (content: string): Message => ({ role: 'user', content });
    const uses = (id: string): Message => ({
      role: 'assistant',
      content: [{ type: 'tool_use', id, name: 'ask_user', input: {} }],
    });
    const results = (id: string): Message[] => [
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'Asked.' }] },
      { role: 'assistant', content: 'Which?' },
    ];
    const [asked, again] = [
      [said('one'), uses('u1'), ...results('u1')],
      [said('two'), uses('u2'), ...results('u2')],
    ];
    const between = [said('other'), { role: 'assistant', content: 'Yes.' } as const];
    const sent = [...asked.slice(0, 2), said('two'), uses('u2')];
    const waiting = {
      toolUse: { type: 'tool_use', id: 'u2', name: 'ask_user', input: {} } as const,
      results: [],
      sent,
    };
    const parts = (history: readonly Message[]) => {
      const { history: before, earlier } = resumeQuestion(history, waiting, 'three')!;
      return [before, earlier];
    };
    assert.deepEqual(parts([...between, ...asked, ...again]), [between, sent]);
    assert.deepEqual(parts([...between, ...again]), [between, again.slice(0, 2)]);
    assert.deepEqual(parts([...asked, ...between, ...again]), [[...asked, ...between], again.slice(0, 2)]);
  });

  it('M17: is just a message when the question has left the history, or something else was said', async () => {
    const { end } = await ranTurn({ model: asking(), tools: [ask, look] });
    assert.ok(end.end.reason === 'asked');
    assert.equal(resumeQuestion([], end.end, 'O-2'), undefined);
    const later = [...end.messages, { role: 'user' as const, content: 'Never mind' }];
    assert.equal(resumeQuestion(later, end.end, 'O-2'), undefined);
  });

  it('M13: is known again by the turn that ended with it, for when its answer was taken back', () => {
    const ended = (name: string, input: unknown, closing = 'Which order?') =>
      endedWith({
        id: 'turn',
        order: 1,
        startedAt: 1,
        endedAt: 2,
        outcome: 'interrupted',
        messages: [
          { role: 'user', content: 'Where is my parcel?' },
          { role: 'assistant', content: [{ type: 'tool_use', id: 't2', name, input }] },
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't2', content: 'Asked.' }] },
          { role: 'assistant', content: [{ type: 'text', text: closing }] },
        ],
      });
    assert.deepEqual(ended('ask_user', question), {
      ...question,
      turnId: 'turn',
      askedAt: 2,
      tries: 1,
      toolUse: { type: 'tool_use', id: 't2', name: 'ask_user', input: question },
      results: [],
    });
    assert.equal(ended('ask_user', { ...question, options: [] })?.options, undefined);
    assert.deepEqual(
      [
        ended('look', question),
        ended('ask_user', 'Which order?'),
        ended('ask_user', null),
        ended('ask_user', { ...question, param: 1 }),
        ended('ask_user', { ...question, question: ['Which order?'] }),
        ended('ask_user', question, 'It is on its way.'),
      ],
      Array.from({ length: 6 }),
    );
  });

  it('M16: leaves everything as it was when the resumed turn fails at once', async () => {
    const first = await ranTurn({ model: asking(), tools: [ask, look] });
    assert.ok(first.end.end.reason === 'asked');
    const resumed = resumeQuestion(first.end.messages, first.end.end, 'O-2');
    const second = await ranTurn({ model: scriptedModel([new Error('broken')]), tools: [ask], ...resumed });
    assert.deepEqual(second.end.messages, []);
  });
});
