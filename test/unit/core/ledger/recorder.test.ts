import assert from 'node:assert/strict';
import { array, assert as assertProperty, asyncProperty, constantFrom, integer, nat } from 'fast-check';
import { ModelError } from '../../../../src/core/errors';
import { paramId, partsOf, type AnswerRecord } from '../../../../src/core/ledger/record';
import { createRecorder } from '../../../../src/core/ledger/recorder';
import { inputTokens, noUsage, type Usage } from '../../../../src/core/messages';
import type { ModelEvent, ModelRequest } from '../../../../src/core/ports';
import { RecordedChat } from '../../../support/recordedChat';
import { answer, scriptedModel, text, textDelta, toolUse, type Step } from '../../../support/scriptedModel';

/** As many tokens as a quarter of the request's bytes, as the API would count them. */
function usageFor(request: ModelRequest): Usage {
  const { system, tools, messages } = request;
  return {
    input: 3,
    cacheRead: Math.floor(JSON.stringify({ system, tools, messages }).length / 4),
    cacheWrite: 5,
    output: 7,
    cost: 0.001,
  };
}

/** Answers with usage that depends on the request. */
function counted(...events: readonly ModelEvent[]): Step {
  return async function* (request) {
    for (const event of events) {
      yield event.type === 'answer'
        ? { ...event, answer: { ...event.answer, usage: usageFor(request) } }
        : event;
    }
  };
}

const says = (words: string) => counted(textDelta(words), answer([text(words)]));
const callsLook = (id: string) => counted(answer([toolUse(id, 'look', {})], 'tool_use'));
const asks = (id: string) =>
  counted(answer([toolUse(id, 'ask_user', { param: 'city', question: 'Which city?' })], 'tool_use'));

describe('the record of an answer', () => {
  let chat: RecordedChat;
  beforeEach(() => (chat = new RecordedChat()));

  const sum = (record: AnswerRecord) => Object.values(partsOf(record)).reduce((all, part) => all + part, 0);
  const reported = ({ usage }: AnswerRecord) => inputTokens(usage) + usage.output;
  const sentTurns = ({ sent }: AnswerRecord) =>
    sent.flatMap((item) => (item.kind === 'turn' ? [item.turn] : []));

  it('M24: names what was sent, with tokens that add up to what was reported, and holds no words', async () => {
    await chat.ask('where is the garden', scriptedModel(callsLook('a'), says('Behind the wall.')));
    const model = scriptedModel(callsLook('b'), callsLook('c'), says('Still there.'));
    const record = await chat.ask('and now', model, { params: { order: 'secret-4711', branch: 'main' } });
    const usage = model.requests.map(usageFor);
    assert.deepEqual(
      {
        ...record,
        sent: record.sent.map((item) => {
          const { tokens, ...rest } = item;
          assert.ok(tokens > 0, `${item.kind} has tokens`);
          return rest;
        }),
      },
      {
        version: 1,
        kind: 'answer',
        turn: 'turn-2',
        conversation: 'workspace',
        startedAt: 1000,
        endedAt: 2000,
        model: 'scripted',
        end: 'answered',
        requests: 3,
        usage: {
          input: 9,
          cacheRead: usage.reduce((all, { cacheRead }) => all + cacheRead, 0),
          cacheWrite: 15,
          output: 21,
          cost: 0.003,
        },
        sent: [
          { kind: 'system' },
          { kind: 'tools' },
          { kind: 'turn', turn: 'turn-1' },
          { kind: 'message' },
          { kind: 'param', param: paramId('order') },
          { kind: 'param', param: paramId('branch') },
          { kind: 'rounds' },
        ],
        excluded: [],
      },
    );
    assert.equal(sum(record), reported(record));
    assert.doesNotMatch(JSON.stringify(record), /garden|now|secret|order|branch/);
  });

  it('M24: tells remembered values from other context of the message', async () => {
    const context = 'The person has started fresh. '.repeat(20);
    const params = { order: 'secret-4711' };
    const { sent } = await chat.ask('hello', scriptedModel(says('Hi.')), { context, params });
    const tokens = (kind: string) => sent.find((item) => item.kind === kind)?.tokens ?? 0;
    assert.ok(tokens('context') > 3 * tokens('param') && tokens('param') > 10);
  });

  it('M24: gives each part about what it took', async () => {
    const record = await chat.ask('x'.repeat(4000), scriptedModel(callsLook('a'), says('Done.')));
    const { text: own } = partsOf(record);
    // Twice, in two requests, at a quarter of a token a byte.
    assert.ok(Math.abs(own - 2000) < 150, `${own} tokens for the message`);
  });

  it('M24: says that turns were left out of a request that was too long', async () => {
    for (const question of ['one', 'two', 'three']) await chat.ask(question, scriptedModel(says(question)));
    const record = await chat.ask('four', scriptedModel([new ModelError('too-long', '')], says('It fits.')));
    assert.deepEqual(sentTurns(record), ['turn-3']);
    assert.deepEqual(
      record.excluded.map(({ turn, reason }) => [turn, reason]),
      [
        ['turn-1', 'size'],
        ['turn-2', 'size'],
      ],
    );
    assert.ok(record.excluded.every(({ tokens }) => tokens > 0));
    assert.equal(sum(record), reported(record));
  });

  it('M24: says that turns over a limit were left out', async () => {
    for (const question of ['one', 'two']) await chat.ask(question, scriptedModel(says(question)));
    const [part] = chat.history;
    const over = { history: chat.history.slice(1), overLimits: [part!.turn!] };
    const record = await chat.ask('three', scriptedModel(says('three')), over);
    assert.deepEqual(sentTurns(record), ['turn-2']);
    assert.deepEqual(
      record.excluded.map(({ turn, reason }) => [turn, reason]),
      [['turn-1', 'full']],
    );
  });

  it('M24, M18: counts the summary as history', async () => {
    await chat.ask('two', scriptedModel(says('two')));
    chat.summary = 'They spoke of one.';
    const record = await chat.ask('three', scriptedModel(says('three')));
    assert.deepEqual(sentTurns(record), ['turn-1']);
    assert.ok(record.sent.some(({ kind, tokens }) => kind === 'summary' && tokens > 10));
    assert.equal(sum(record), reported(record));
  });

  it('M24, M18: counts what a summary took that was made for the answer', async () => {
    const summaryUsage = { input: 10, cacheRead: 20, cacheWrite: 30, output: 40, cost: 0.01 };
    const record = await chat.ask('three', scriptedModel(says('three')), { summaryUsage });
    assert.deepEqual(record.sent[0], { kind: 'summarize', tokens: 60, cost: 0.01 });
    assert.deepEqual([record.usage.output, record.usage.cost, record.requests], [47, 0.011, 2]);
    assert.equal(sum(record), reported(record));
  });

  it('M24, M5: says where placeholders stand for images and documents', async () => {
    const image = { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } } as const;
    await chat.ask([image, { type: 'text', text: 'what is this' }], scriptedModel(says('A garden.')));
    const [turn] = chat.turns.splice(0);
    const words = [
      { type: 'text', text: '[Image sent: photo]' } as const,
      { type: 'text', text: '?' } as const,
    ];
    chat.turns.push({ ...turn!, messages: [{ role: 'user', content: words }, ...turn!.messages.slice(1)] });
    const { sent } = await chat.ask('really', scriptedModel(says('Yes.')));
    assert.deepEqual(
      sent.flatMap((item) => (item.kind === 'turn' ? [item.placeholders] : [])),
      [1],
    );
  });

  it('M24: counts the turn that asked as history of the turn that answers', async () => {
    await chat.ask('who was here', scriptedModel(says('Nobody.')));
    await chat.ask('book a room', scriptedModel(asks('q')));
    const record = await chat.ask('Berlin', scriptedModel(says('Booked.')));
    assert.deepEqual(sentTurns(record), ['turn-1', 'turn-2']);
    const [nobody, asking] = record.sent.flatMap((item) => (item.kind === 'turn' ? [item.tokens] : []));
    assert.ok(nobody! > 5 && asking! > 5);
    assert.deepEqual(record.excluded, []);
    assert.equal(sum(record), reported(record));
  });

  it('M24, M12: has no history for a stateless answer', async () => {
    await chat.ask('one', scriptedModel(says('One.')));
    const stateless = { history: [], conversation: undefined };
    const record = await chat.ask('alone', scriptedModel(says('Alone.')), stateless);
    assert.equal(record.conversation, undefined);
    assert.deepEqual(sentTurns(record), []);
    assert.equal(sum(record), reported(record));
  });

  it('M24: is there for an answer that failed and for one that was stopped', async () => {
    const failed = await chat.ask('fail', scriptedModel([new ModelError('bad-request', 'no')]));
    assert.deepEqual([failed.end, failed.requests, reported(failed)], ['failed', 0, 0]);
    const script = scriptedModel(callsLook('a'), says('Never seen.'));
    assert.equal((await chat.ask('left', script, {}, { stopAfter: 3 })).end, 'cancelled');
  });

  it('M24: is there for an answer whose end nobody waited for', () => {
    const turn = { id: 'a', startedAt: 1 };
    const recorder = createRecorder({
      ...{ turn, conversation: 'workspace', model: 'm', history: [], overLimits: [], params: {} },
      ...{ context: undefined, summaryUsage: noUsage, clock: () => 2 },
      notes: { sent: [], leftOut: [] },
    });
    assert.equal(recorder.record().end, 'aborted');
  });

  it('R4: says which calls ran unasked, how often, and why', () => {
    const recorder = createRecorder({
      ...{ turn: { id: 'a', startedAt: 1 }, conversation: 'workspace', model: 'm', history: [] },
      ...{ overLimits: [], params: {}, context: undefined, summaryUsage: noUsage, clock: () => 2 },
      notes: { sent: [], leftOut: [] },
    });
    const edits = { by: 'edits' } as const;
    const rule = { by: 'rule', rule: 2, tool: 'edit_file', path: 'src/**' } as const;
    for (const because of [edits, rule, edits, undefined]) {
      const output = { content: 'Done.', ...(because && { unasked: { because, isShown: true } }) };
      recorder.follow({ type: 'tool-end', call: { id: 'x', name: 'edit_file', input: {} }, output });
    }
    assert.deepEqual(recorder.record().unasked, [
      { tool: 'edit_file', because: edits, count: 2 },
      { tool: 'edit_file', because: rule, count: 1 },
    ]);
  });

  it('M24: adds up for any turns, whatever happens in them', async () => {
    await assertProperty(
      asyncProperty(
        array(array(constantFrom(...outcomes), { maxLength: 5 }), { minLength: 1, maxLength: 4 }),
        nat(200),
        integer({ min: 3, max: 40 }),
        async (scripts, length, stopAfter) => {
          chat = new RecordedChat();
          for (const [index, script] of scripts.entries()) {
            const steps = script.map((outcome, at) => play(outcome, `${index}_${at}`));
            const before = chat.turns.map(({ id }) => id);
            const model = scriptedModel(...steps, says('Done'));
            const record = await chat.ask('w'.repeat(length + 1), model, {}, { stopAfter });
            assert.equal(sum(record), reported(record));
            const named = [...sentTurns(record), ...record.excluded.map(({ turn }) => turn)];
            assert.deepEqual(new Set(named), new Set(model.requests.length > 0 ? before : []));
          }
        },
      ),
      { numRuns: 60 },
    );
  });
});

const outcomes = ['text', 'call', 'question', 'cut', 'too long', 'overloaded', 'broken', 'refused'] as const;

function play(outcome: (typeof outcomes)[number], id: string): Step {
  switch (outcome) {
    case 'text':
      return says('Done');
    case 'call':
      return callsLook(`t${id}`);
    case 'question':
      return asks(`q${id}`);
    case 'cut':
      return counted(textDelta('Half'), answer([text('Half')], 'max_tokens'));
    case 'too long':
      return [new ModelError('too-long', '')];
    case 'overloaded':
      return [new ModelError('overloaded', '', { isRetryable: true })];
    case 'broken':
      return [
        { type: 'spent', usage: { input: 11, cacheRead: 101, cacheWrite: 0, output: 3 } },
        new ModelError('dropped', '', { isRetryable: true }),
      ];
    case 'refused':
      break;
  }
  return counted(answer([text('No')], 'refusal'));
}
