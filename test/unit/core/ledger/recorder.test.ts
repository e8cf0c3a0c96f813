import assert from 'node:assert/strict';
import { array, assert as assertProperty, asyncProperty, constantFrom, integer, nat } from 'fast-check';
import type { SummarySettings } from '../../../../src/core/agent/foldOverflow';
import { createAssistant, type AssistantRequest } from '../../../../src/core/assistant';
import { ModelError } from '../../../../src/core/errors';
import { partsOf, type AnswerRecord } from '../../../../src/core/ledger/record';
import { addUsage, inputTokens, type Usage } from '../../../../src/core/messages';
import type { Model, ModelEvent, ModelRequest } from '../../../../src/core/ports';
import { TestWorkspace } from '../../../support/conversation/testWorkspace';
import { answer, scriptedModel, text, textDelta, toolUse, type Step } from '../../../support/scriptedModel';
import { tool } from '../../../support/turns';

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

describe('the record of an answer', () => {
  let workspace: TestWorkspace;
  let window: ReturnType<TestWorkspace['open']>;
  let records: AnswerRecord[];
  let turns: number;

  beforeEach(async () => {
    workspace = new TestWorkspace();
    window = await workspace.reopen();
    records = [];
    turns = 0;
  });

  async function ask(
    userContent: AssistantRequest['userContent'],
    model: Model,
    more: Partial<AssistantRequest> = {},
    stopAfter = Infinity,
    summaries?: SummarySettings,
  ): Promise<AnswerRecord> {
    const stopper = new AbortController();
    const assistant = createAssistant({
      memory: window.memory,
      clock: () => workspace.now,
      ids: () => `turn-${++turns}`,
      log: { info: () => undefined, warn: () => undefined, error: () => undefined },
      ledger: { add: (record) => records.push(record) },
      ...(summaries && { summaries }),
    });
    const request: AssistantRequest = {
      conversationId: 'workspace',
      model,
      modelId: 'scripted',
      system: [{ type: 'text', text: 'Be kind. '.repeat(20) }],
      tools: [tool('look', () => ({ content: 'a secret garden '.repeat(40) }))],
      userContent,
      maxRounds: 25,
      yieldRequested: () => false,
      wait: () => Promise.resolve(),
      random: () => 0,
      ...more,
    };
    let seen = 0;
    for await (const event of assistant.answer(request, stopper.signal).events) {
      if (++seen > stopAfter) stopper.abort();
      if (event.type === 'turn-end') break;
    }
    return records.at(-1)!;
  }

  const sum = (record: AnswerRecord) => Object.values(partsOf(record)).reduce((all, part) => all + part, 0);
  const reported = ({ usage }: AnswerRecord) => inputTokens(usage) + usage.output;
  const sentTurns = ({ sent }: AnswerRecord) =>
    sent.flatMap((item) => (item.kind === 'turn' ? [[item.turn, item.words]] : []));

  it('M24: names what was sent, with tokens that add up to what was reported', async () => {
    await ask('where is the garden', scriptedModel(callsLook('a'), says('Behind the wall.')));
    await window.chat.merge({ order: 'secret-4711', branch: 'main' });
    const model = scriptedModel(callsLook('b'), callsLook('c'), says('Still there.'));
    const record = await ask('and now', model);
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
        startedAt: workspace.now,
        endedAt: workspace.now,
        model: 'scripted',
        end: 'answered',
        words: 'and now',
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
          { kind: 'turn', turn: 'turn-1', words: 'where is the garden' },
          { kind: 'message' },
          { kind: 'param', name: 'order' },
          { kind: 'param', name: 'branch' },
          { kind: 'rounds' },
        ],
        leftOut: [],
      },
    );
    assert.equal(sum(record), reported(record));
    assert.doesNotMatch(JSON.stringify(record), /secret-4711/);
  });

  it('M24: tells remembered values from other facts of the moment', async () => {
    await window.chat.merge({ order: 'secret-4711' });
    const facts = 'The person has started fresh. '.repeat(20);
    const { sent } = await ask('hello', scriptedModel(says('Hi.')), { facts });
    const tokens = (kind: string) => sent.find((item) => item.kind === kind)?.tokens ?? 0;
    assert.ok(tokens('facts') > 3 * tokens('param') && tokens('param') > 10);
  });

  it('M24: gives each part about what it took', async () => {
    const record = await ask('x'.repeat(4000), scriptedModel(callsLook('a'), says('Done.')));
    const { text: own } = partsOf(record);
    // Twice, in two requests, at a quarter of a token a byte.
    assert.ok(Math.abs(own - 2000) < 150, `${own} tokens for the message`);
  });

  it('M24: says that turns were left out of a request that was too long', async () => {
    for (const question of ['one', 'two', 'three']) await ask(question, scriptedModel(says(question)));
    const record = await ask('four', scriptedModel([new ModelError('too-long', '')], says('It fits.')));
    assert.deepEqual(sentTurns(record), [['turn-3', 'three']]);
    assert.deepEqual(
      record.leftOut.map(({ turn, words, reason }) => [turn, words, reason]),
      [
        ['turn-1', 'one', 'size'],
        ['turn-2', 'two', 'size'],
      ],
    );
    assert.equal(sum(record), reported(record));
  });

  it('M24: says that turns over a limit were left out, also while they wait to be folded', async () => {
    workspace.limits = { ...workspace.limits, maxTurns: 1, whenFull: 'summarize' };
    for (const question of ['one', 'two']) await ask(question, scriptedModel(says(question)));
    const record = await ask('three', scriptedModel(says('three')));
    assert.deepEqual(sentTurns(record), [['turn-2', 'two']]);
    assert.deepEqual(
      record.leftOut.map(({ words, reason }) => [words, reason]),
      [['one', 'full']],
    );
  });

  it('M24, M18: counts the summary as history', async () => {
    for (const question of ['one', 'two']) await ask(question, scriptedModel(says(question)));
    await window.chat.fold('They spoke of one.', ['turn-1']);
    const record = await ask('three', scriptedModel(says('three')));
    assert.deepEqual(sentTurns(record), [['turn-2', 'two']]);
    assert.ok(record.sent.some(({ kind, tokens }) => kind === 'summary' && tokens > 10));
    assert.equal(sum(record), reported(record));
  });

  it('M24, M18: counts what a summary took that was made for the answer', async () => {
    workspace.limits = { ...workspace.limits, maxTurns: 1, whenFull: 'summarize' };
    for (const question of ['one', 'two']) await ask(question, scriptedModel(says(question)));
    const model = scriptedModel(says('They spoke of one.'), says('three'));
    const record = await ask('three', model, {}, Infinity, {
      limits: () => workspace.limits,
      modelId: 'cheap',
    });
    const fold = record.sent.find(({ kind }) => kind === 'fold');
    assert.equal(fold?.tokens, inputTokens(usageFor(model.requests[0]!)));
    assert.deepEqual(record.usage, model.requests.map(usageFor).reduce(addUsage));
    assert.equal(record.requests, 2);
    assert.equal(sum(record), reported(record));
  });

  it('M24, M5: says where placeholders stand for images and documents', async () => {
    const image = { type: 'image', source: { type: 'url', url: 'https://example.com/a.png' } } as const;
    await ask([image, { type: 'text', text: 'what is this' }], scriptedModel(says('A garden.')));
    const { sent } = await ask('really', scriptedModel(says('Yes.')));
    assert.deepEqual(
      sent.flatMap((item) => (item.kind === 'turn' ? [item.placeholders] : [])),
      [['[Image sent: photo]']],
    );
  });

  it('M24: counts the turn that asked as history of the turn that answers', async () => {
    const model = scriptedModel(
      counted(answer([toolUse('q', 'ask_user', { param: 'city', question: 'Which city?' })], 'tool_use')),
    );
    await ask('book a room', model);
    const record = await ask('Berlin', scriptedModel(says('Booked.')));
    assert.deepEqual(sentTurns(record), [['turn-1', 'book a room']]);
    assert.ok(partsOf(record).history > 0);
    assert.equal(sum(record), reported(record));
  });

  it('M24, M12: has no history for a stateless answer', async () => {
    await ask('one', scriptedModel(says('One.')));
    const record = await ask('alone', scriptedModel(says('Alone.')), { isStateless: true });
    assert.deepEqual([record.conversation, record.words], [undefined, undefined]);
    assert.deepEqual(sentTurns(record), []);
    assert.equal(sum(record), reported(record));
  });

  it('M24: is there for an answer that failed and for one that nobody waited for', async () => {
    const failed = await ask('fail', scriptedModel([new ModelError('bad-request', 'no')]));
    assert.deepEqual([failed.end, failed.requests, reported(failed)], ['failed', 0, 0]);
    const assistant = ask('left', scriptedModel(callsLook('a'), says('Never seen.')), {}, 3);
    assert.equal((await assistant).end, 'cancelled');
  });

  it('M24: adds up for any turns, whatever happens in them', async () => {
    await assertProperty(
      asyncProperty(
        array(array(constantFrom(...outcomes), { maxLength: 5 }), { minLength: 1, maxLength: 4 }),
        nat(200),
        integer({ min: 3, max: 40 }),
        async (scripts, length, stopAfter) => {
          workspace = new TestWorkspace();
          window = await workspace.reopen();
          for (const [index, script] of scripts.entries()) {
            const steps = script.map((outcome, at) => play(outcome, `${index}_${at}`));
            const before = window.chat.snapshot()?.turns.map(({ id }) => id) ?? [];
            const model = scriptedModel(...steps, says('Done'));
            const record = await ask('w'.repeat(length + 1), model, {}, stopAfter);
            assert.equal(sum(record), reported(record));
            const named = [...sentTurns(record).map(([id]) => id), ...record.leftOut.map(({ turn }) => turn)];
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
      return counted(answer([toolUse(`q${id}`, 'ask_user', { param: 'a', question: 'Which?' })], 'tool_use'));
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
