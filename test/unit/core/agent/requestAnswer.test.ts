import assert from 'node:assert/strict';
import { createCachePace } from '../../../../src/core/agent/cachePace';
import { ModelError } from '../../../../src/core/errors';
import { blocksOf, type ImageBlock, type Message } from '../../../../src/core/messages';
import type { ModelRequest } from '../../../../src/core/ports';
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

const look = tool('look', () => ({ content: 'seen' }));
const overloaded = new ModelError('overloaded', 'Overloaded', { isRetryable: true });
const dropped = new ModelError('dropped', 'terminated', { isRetryable: true });
const tooLong = new ModelError('too-long', 'prompt is too long: 2 tokens > 1 maximum');

function turn(number: number): Message[] {
  return [
    { role: 'user', content: `question ${number}` },
    { role: 'assistant', content: [{ type: 'tool_use', id: `old${number}`, name: 'look', input: {} }] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: `old${number}`, content: 'seen' }] },
    { role: 'assistant', content: `answer ${number}` },
  ];
}

function image(name: string): ImageBlock {
  return { type: 'image', source: { type: 'url', url: `https://example.org/${name}.png` } };
}

describe('requestAnswer', () => {
  it('F8: waits longer each time, says so, and answers once', async () => {
    const waits: number[] = [];
    let ran = 0;
    const count = tool('count', () => ({ content: String(++ran) }));
    const limited = new ModelError('rate-limited', 'slow down', { isRetryable: true, retryAfterMs: 7000 });
    const model = scriptedModel(
      calls(toolUse('t1', 'count')),
      [overloaded],
      [limited],
      [overloaded],
      says('There'),
    );
    const { events, shown } = await ranTurn({
      model,
      tools: [count],
      wait: async (ms) => void waits.push(ms),
    });
    assert.deepEqual(waits, [1000, 7000, 4000]);
    assert.deepEqual(
      events.flatMap((event) =>
        event.type === 'retry-wait' ? [[event.error.kind, event.delayMs, event.attempt]] : [],
      ),
      [
        ['overloaded', 1000, 1],
        ['rate-limited', 7000, 2],
        ['overloaded', 4000, 3],
      ],
    );
    assert.deepEqual([shown, ran], ['There', 1]);
  });

  it('P6: counts what broken tries took as well', async () => {
    const spent = { input: 5, cacheRead: 0, cacheWrite: 0, output: 1, cost: 0.25 };
    const model = scriptedModel(
      [{ type: 'spent', usage: spent }, dropped],
      [answer([text('ok')], 'end_turn', { usage: spent })],
    );
    const { end } = await ranTurn({ model });
    assert.deepEqual(end.usage, { input: 10, cacheRead: 0, cacheWrite: 0, output: 2, cost: 0.5 });
  });

  it('L7: gives up after four retries with the last error', async () => {
    const model = scriptedModel(...Array.from({ length: 5 }, () => [overloaded]));
    const { end } = await ranTurn({ model });
    assert.deepEqual([end.end, model.requests.length], [{ reason: 'failed', error: overloaded }, 5]);
  });

  it('L6: makes room for another message of the person while it waits, and sends nothing again', async () => {
    let isAsked = false;
    const model = scriptedModel([overloaded]);
    const { end } = await ranTurn({
      model,
      wait: async () => void (isAsked = true),
      yieldRequested: () => isAsked,
    });
    assert.deepEqual([end.end, model.requests.length], [{ reason: 'yielded' }, 1]);
  });

  it('L6: remembers what was asked and shown until then, as with Stop', async () => {
    let isAsked = false;
    const closing = '[Interrupted by a new message of the person.]';
    const remembered = async (model: ReturnType<typeof scriptedModel>) => {
      isAsked = false;
      const wait = async () => void (isAsked = true);
      return (await ranTurn({ model, wait, yieldRequested: () => isAsked })).end.messages;
    };
    assert.deepEqual(await remembered(scriptedModel([{ type: 'text-delta', text: 'It is in ' }, dropped])), [
      { role: 'user', content: 'hello' },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'It is in ' },
          { type: 'text', text: closing },
        ],
      },
    ]);
    assert.deepEqual(await remembered(scriptedModel([overloaded])), [
      { role: 'user', content: 'hello' },
      { role: 'assistant', content: [{ type: 'text', text: closing }] },
    ]);
  });

  it('L7: takes away up to a quarter of the wait by chance', async () => {
    const waits: number[] = [];
    await ranTurn({
      model: scriptedModel([overloaded], says('ok')),
      random: () => 0.5,
      wait: async (ms) => void waits.push(ms),
    });
    assert.deepEqual(waits, [875]);
  });

  it('L7: does not wait when it would take minutes, or would not help', async () => {
    const errors = [
      new ModelError('rate-limited', 'come back later', { isRetryable: true, retryAfterMs: 600_000 }),
      new ModelError('rejected-key', 'invalid'),
    ];
    for (const error of errors) {
      const { end } = await ranTurn({ model: scriptedModel([error]) });
      assert.deepEqual(end.end, { reason: 'failed', error });
    }
  });

  it('L7: waits two minutes when it is told to, and not longer', async () => {
    const afterMs = (retryAfterMs: number) =>
      new ModelError('rate-limited', 'come back later', { isRetryable: true, retryAfterMs });
    const patient = await ranTurn({ model: scriptedModel([afterMs(120_000)], says('There')) });
    assert.deepEqual([patient.end.end.reason, patient.shown], ['answered', 'There']);
    const { end } = await ranTurn({ model: scriptedModel([afterMs(120_001)]) });
    assert.equal(end.end.reason, 'failed');
  });

  it('L7: tries a stalled stream once more only, and an address that cannot be reached twice', async () => {
    for (const [kind, tries] of [
      ['stalled', 2],
      ['unreachable', 3],
    ] as const) {
      const error = new ModelError(kind, 'No bytes', { isRetryable: true });
      const model = scriptedModel(...Array.from({ length: tries }, () => [error]));
      const { end } = await ranTurn({ model });
      assert.deepEqual([end.end, model.requests.length], [{ reason: 'failed', error }, tries]);
    }
  });

  it('F8: can be stopped while it waits', async () => {
    const stopper = new AbortController();
    const { end } = await ranTurn(
      { model: scriptedModel([overloaded]) },
      { signal: stopper.signal, onEvent: ({ type }) => type === 'retry-wait' && stopper.abort() },
    );
    assert.deepEqual(end.end, { reason: 'cancelled' });
  });

  it('F4: sends again when a stream ends without an answer', async () => {
    const { end, shown } = await ranTurn({ model: scriptedModel([textDelta('Hel')], says('Hello')) });
    assert.deepEqual([end.end.reason, shown], ['answered', 'Hello']);
  });

  it('L7: shows text once when the second try says the same', async () => {
    const model = scriptedModel(
      [textDelta('One, '), textDelta('two'), dropped],
      [textDelta('One'), textDelta(', two, '), textDelta('three'), answer([text('One, two, three')])],
    );
    const { shown, end } = await ranTurn({ model });
    assert.equal(shown, 'One, two, three');
    assert.deepEqual(end.messages[1]?.content, [{ type: 'text', text: 'One, two, three' }]);
  });

  it('L7: sets a second try apart that says something else, and remembers that one', async () => {
    const model = scriptedModel(
      [textDelta('One, two'), dropped],
      [textDelta('One, '), textDelta('three'), answer([text('One, three')])],
    );
    const { shown, end } = await ranTurn({ model });
    assert.equal(shown, 'One, two[The answer broke off; Claude answers again:]One, three');
    assert.deepEqual(end.messages[1]?.content, [{ type: 'text', text: 'One, three' }]);
  });

  it('L7: sets a second try apart that says less', async () => {
    const { shown } = await ranTurn({ model: scriptedModel([textDelta('One, two'), dropped], says('One')) });
    assert.equal(shown, 'One, two[The answer broke off; Claude answers again:]One');
  });

  it('F11: tells of a long wait in mid-text, and then shows the answer whole', async () => {
    const later = new ModelError('overloaded', 'busy', { isRetryable: true, retryAfterMs: 20_000 });
    const { shown, events } = await ranTurn({
      model: scriptedModel([textDelta('Half a sen'), later], says('Half a sentence.')),
    });
    assert.equal(
      shown,
      'Half a sen[Claude is overloaded. Asking again in 20 s…][The answer broke off; Claude answers again:]Half a sentence.',
    );
    assert.deepEqual(
      events.flatMap((event) => (event.type === 'retry-wait' ? [event.isMidText] : [])),
      [true],
    );
  });

  it('F1: keeps what is on screen when stopped between two tries', async () => {
    const stopper = new AbortController();
    const { end } = await ranTurn(
      { model: scriptedModel([textDelta('One, two'), dropped]) },
      { signal: stopper.signal, onEvent: ({ type }) => type === 'retry-wait' && stopper.abort() },
    );
    assert.deepEqual(end.messages[1]?.content, [
      { type: 'text', text: 'One, two' },
      { type: 'text', text: '[Stopped by the person before this was finished.]' },
    ]);
  });

  it('F10: leaves out the older half of the turns, whole, and says so', async () => {
    const model = scriptedModel([tooLong], says('Now'));
    const { shown, events } = await ranTurn({ model, tools: [look], history: [1, 2, 3].flatMap(turn) });
    assert.equal(
      shown,
      '[This no longer fits the model, so the 2 oldest remembered turns were left out.]Now',
    );
    assert.ok(events.some((event) => event.type === 'notice' && event.droppedTurns === 2));
    const sent = model.requests[1]?.messages;
    assert.deepEqual(
      [sent?.length, sent?.[0]?.content],
      [5, [{ type: 'text', text: 'question 3', cache_control: { type: 'ephemeral' } }]],
    );
  });

  it('F10: tries three times, then says that it is too long', async () => {
    const model = scriptedModel([tooLong], [tooLong], [tooLong], [tooLong]);
    const { end } = await ranTurn({
      model,
      tools: [look],
      history: Array.from({ length: 20 }, (_, n) => turn(n)).flat(),
    });
    assert.deepEqual([end.end, model.requests.length], [{ reason: 'failed', error: tooLong }, 4]);
    const alone = await ranTurn({ model: scriptedModel([tooLong]) });
    assert.deepEqual(alone.end.end, { reason: 'failed', error: tooLong });
  });

  it('L4: shrinks the history when the window ends in the middle of an answer', async () => {
    const full = [textDelta('So '), answer([text('So ')], 'model_context_window_exceeded')];
    const { end, shown } = await ranTurn({
      model: scriptedModel(full, says('So be it')),
      tools: [look],
      history: turn(1),
    });
    assert.equal(end.end.reason, 'answered');
    assert.equal(
      shown,
      'So [This no longer fits the model, so the oldest remembered turn was left out.]be it',
    );
  });

  it('F10: sends no thinking from before the history was cut, and keeps the turn of an open question', async () => {
    const model = scriptedModel(calls(thinking('hm'), toolUse('t1', 'look')), [tooLong], says('ok'));
    await ranTurn({
      model,
      tools: [look],
      history: turn(1),
      earlier: turn(2).slice(0, 2),
      userContent: [{ type: 'tool_result', tool_use_id: 'old2', content: 'blue' }],
    });
    assert.match(JSON.stringify(model.requests[1]), /"thinking"/);
    assert.doesNotMatch(JSON.stringify(model.requests[2]), /"thinking"/);
    assert.deepEqual(model.requests[2]?.messages[0]?.content, [{ type: 'text', text: 'question 2' }]);
  });

  it('F10: shortens what tools returned in this turn when nothing else is left, the newest round last', async () => {
    const long = tool('long', ({ id }) => ({ content: `${id} ${'x'.repeat(20_000)}` }));
    const lengths = (request: ModelRequest | undefined) =>
      request?.messages.flatMap((message) =>
        blocksOf(message).flatMap((block) =>
          block.type === 'tool_result' ? [JSON.stringify(block.content).length > 10_000] : [],
        ),
      );
    const model = scriptedModel(
      calls(thinking('hm'), toolUse('t1', 'long')),
      calls(toolUse('t2', 'long')),
      [tooLong],
      [tooLong],
      says('ok'),
    );
    const { end, shown } = await ranTurn({ model, tools: [long] });
    assert.deepEqual(model.requests.slice(2).map(lengths), [
      [true, true],
      [false, true],
      [false, false],
    ]);
    assert.match(JSON.stringify(model.requests[4]), /t1 x{400,600}\\n\[\d+ of 20003 characters left out\. /);
    assert.doesNotMatch(JSON.stringify(model.requests[3]), /"thinking"/);
    assert.match(shown, /^(\[This no longer fits the model, so long results of tools .*?\]){2}ok$/);
    assert.equal(end.end.reason, 'answered');
  });

  it('F10: shortens results also when the request is too large to be sent', async () => {
    const tooLarge = new ModelError('too-large', 'Request exceeds the maximum size');
    const look20 = tool('look20', () => ({ content: [image('a'), { type: 'text', text: 'a view' }] }));
    const model = scriptedModel(calls(toolUse('t1', 'look20')), [tooLarge], says('ok'));
    const { end } = await ranTurn({ model, tools: [look20] });
    assert.equal(end.end.reason, 'answered');
    assert.doesNotMatch(JSON.stringify(model.requests[2]), /"image"/);
    assert.match(JSON.stringify(model.requests[2]), /a view/);
  });

  it('L12: leaves out the tools that Claude names, a few of them', async () => {
    const bad = new ModelError('bad-request', 'tools.1.custom.input_schema: JSON schema is invalid.');
    const names = ['alpha', 'beta', 'gamma', 'delta', 'epsilon', 'zeta', 'eta', 'theta'];
    const tools = names.map((name) => tool(name, () => ({ content: '' })));
    const model = scriptedModel([bad], [bad], says('ok'));
    const { shown } = await ranTurn({ model, tools });
    assert.deepEqual(
      model.requests[2]?.tools.map(({ name }) => name),
      names.toSorted().filter((name) => name !== 'beta' && name !== 'delta'),
    );
    assert.equal(
      shown,
      '[Claude cannot use the tool beta, so it was left out.][Claude cannot use the tool delta, so it was left out.]ok',
    );
    const hopeless = scriptedModel(...names.map(() => [bad]));
    const { end } = await ranTurn({ model: hopeless, tools });
    assert.deepEqual([end.end, hopeless.requests.length], [{ reason: 'failed', error: bad }, 6]);
  });

  it('L12: leaves out the image that Claude names, or all when it names none', async () => {
    for (const [message, left] of [
      ['messages.0.content.1.image.source.url: no', ['first']],
      ['Could not process image', []],
    ] as const) {
      const model = scriptedModel([new ModelError('bad-request', message)], says('ok'));
      await ranTurn({ model, userContent: [image('first'), image('second')] });
      const sent = JSON.stringify(model.requests[1]?.messages);
      assert.deepEqual(
        ['first', 'second'].filter((name) => sent.includes(name)),
        left,
      );
    }
  });

  it('L12: leaves out the PDF where Claude says so without its place, and in no word that it is a document', async () => {
    const pdf = {
      type: 'document',
      source: { type: 'base64', media_type: 'application/pdf', data: 'JVBERi0=' },
    } as const;
    for (const message of ['Could not process PDF', 'A maximum of 100 PDF pages may be provided.']) {
      const model = scriptedModel([new ModelError('bad-request', message)], says('ok'));
      const { end } = await ranTurn({ model, userContent: [pdf, { type: 'text', text: 'Read it.' }] });
      assert.equal(end.end.reason, 'answered', message);
      assert.equal(JSON.stringify(model.requests[1]?.messages).includes('base64'), false);
    }
  });

  it('L12: finds the image that Claude names behind the prompt context and among results', async () => {
    const named = (place: string) => new ModelError('bad-request', `messages.${place}.image.source.url: no`);
    const model = scriptedModel([named('0.content.2')], says('ok'));
    await ranTurn({ model, context: 'It rains.', userContent: [image('first'), image('second')] });
    const [sent = ''] = model.requests.slice(1).map(({ messages }) => JSON.stringify(messages));
    assert.deepEqual([sent.includes('first'), sent.includes('second')], [true, false]);

    const view = tool('view', ({ id }) => ({ content: [image(id)] }));
    const later = scriptedModel(
      calls(toolUse('one', 'view'), toolUse('two', 'view')),
      [named('2.content.1.tool_result.content.0')],
      says('ok'),
    );
    await ranTurn({ model: later, context: 'It rains.', tools: [view] });
    const results = JSON.stringify(later.requests[2]?.messages);
    assert.deepEqual([results.includes('one.png'), results.includes('two.png')], [true, false]);
  });

  it('asks for five minutes of cache where somebody on the way knows no hour, from then on', async () => {
    const unknown = new ModelError(
      'bad-request',
      'system.0.cache_control.ephemeral.ttl: Extra inputs are not permitted',
    );
    let now = 0;
    const cachePace = createCachePace(() => now);
    const model = scriptedModel(says('one'), [unknown], says('two'), says('three'));
    const shown: string[] = [];
    for (let turns = 0; turns < 3; turns++) {
      shown.push((await ranTurn({ model, cachePace })).shown);
      now += 600_000;
    }
    assert.deepEqual(shown, ['one', 'two', 'three']);
    assert.deepEqual(
      model.requests.map(({ system: [block] }) => block?.cache_control?.ttl),
      [undefined, '1h', undefined, undefined],
    );
  });

  it('L10: tells open rounds in words when Claude misses the thinking before them', async () => {
    const missing = new ModelError(
      'bad-request',
      'messages.1.content.0.type: Expected `thinking` or `redacted_thinking`, but found `tool_use`.',
    );
    const model = scriptedModel([missing], calls(thinking('hm'), toolUse('t2', 'look')), says('ok'));
    const { end } = await ranTurn({
      model,
      tools: [look],
      earlier: [
        { role: 'user', content: 'ask me' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'ask', input: { q: 1 } }] },
      ],
      userContent: [{ type: 'tool_result', tool_use_id: 't1', content: 'blue' }],
    });
    assert.deepEqual(model.requests[2]?.messages.slice(1, 3), [
      { role: 'assistant', content: [{ type: 'text', text: '[Called ask with {"q":1}]' }] },
      {
        role: 'user',
        content: [{ type: 'text', text: '[Result of ask]\nblue', cache_control: { type: 'ephemeral' } }],
      },
    ]);
    assert.deepEqual(end.messages[0]?.content, [{ type: 'tool_result', tool_use_id: 't1', content: 'blue' }]);
  });
});
