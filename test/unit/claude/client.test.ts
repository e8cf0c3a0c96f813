import assert from 'node:assert/strict';
import { createClaude, type Claude, type ClaudeOptions } from '../../../src/claude/client';
import { ModelError } from '../../../src/core/errors';
import type { ModelEvent, ModelRequest } from '../../../src/core/ports';
import {
  apiError,
  cutToolUse,
  drop,
  endEarly,
  event,
  foreignBlock,
  garbage,
  gate,
  gatewayError,
  hangUp,
  htmlPage,
  ping,
  refusal,
  reply,
  silence,
  stall,
  stop,
  streamError,
  text,
  thinking,
  toolUse,
} from '../../support/claude/script';
import { startStandIn, type StandIn } from '../../support/claude/standIn';

const key = 'sk-ant-test-0123456789';

const question: ModelRequest = {
  model: 'claude-sonnet-5-5',
  system: [{ type: 'text', text: 'Be kind.' }],
  tools: [
    {
      name: 'read_file',
      description: 'Reads a file.',
      input_schema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
    },
  ],
  messages: [{ role: 'user', content: 'Hello' }],
};

describe('createClaude', () => {
  let standIn: StandIn;
  before(async () => {
    standIn = await startStandIn({ keys: [key] });
  });
  beforeEach(() => standIn.reset());
  after(() => standIn.close());

  const claude = (options: Partial<ClaudeOptions> = {}): Claude =>
    createClaude({ apiKey: () => Promise.resolve(key), baseUrl: standIn.url, ...options });

  const ask = async (
    model: Claude = claude(),
    {
      request = question,
      signal = new AbortController().signal,
      onEvent = (_event: ModelEvent): void => undefined,
    } = {},
  ): Promise<ModelEvent[]> => {
    const events: ModelEvent[] = [];
    for await (const modelEvent of model.stream(request, signal)) {
      events.push(modelEvent);
      onEvent(modelEvent);
    }
    return events;
  };

  /** A field of each request, as it arrived. */
  const sent = (field: string): unknown[] =>
    standIn.journal.messages.map(
      ({ body }) => Object.entries(body ?? {}).find(([name]) => name === field)?.[1],
    );

  const failure = async (model: Claude = claude(), request = question): Promise<ModelError> => {
    try {
      await ask(model, { request });
    } catch (error) {
      assert.ok(error instanceof ModelError, `not a ModelError: ${String(error)}`);
      return error;
    }
    return assert.fail('it did not fail');
  };

  it('L1: yields text and thinking as they arrive, then the whole answer', async () => {
    const held = gate();
    standIn.script(
      reply(
        thinking('Let me ', 'see.'),
        text('Hi ', held, 'there.'),
        toolUse('read_file', { path: 'a' }, { id: 't' }),
      ),
    );
    // The rest comes only after the first words were seen, so nothing may hold them back.
    const events = await ask(claude(), { onEvent: ({ type }) => type === 'text-delta' && held.open() });
    assert.deepEqual(joined(events), ['thinking-delta: Let me see.', 'text-delta: Hi there.', 'answer: ']);
    assert.ok(events.filter(({ type }) => type === 'text-delta').length > 1);
    const last = events.at(-1);
    assert.ok(last?.type === 'answer');
    const { content, stopReason, model, requestId, brokenToolUses } = last.answer;
    const [thought, ...others] = content;
    assert.ok(thought?.type === 'thinking' && thought.thinking === 'Let me see.' && thought.signature !== '');
    assert.deepEqual(others, [
      { type: 'text', text: 'Hi there.', citations: null },
      { type: 'tool_use', id: 't', name: 'read_file', input: { path: 'a' }, caller: { type: 'direct' } },
    ]);
    assert.deepEqual([stopReason, model, brokenToolUses], ['tool_use', 'claude-sonnet-5-5', undefined]);
    assert.equal(requestId, standIn.journal.messages[0]?.requestId);
  });

  it('L10: asks for summarized adaptive thinking where the model has it, and for nothing where it has not', async () => {
    standIn.script(reply(text('a')), reply(text('b')));
    await ask();
    await ask(claude(), { request: { ...question, model: 'claude-haiku-4-5' } });
    assert.deepEqual(sent('thinking'), [{ type: 'adaptive', display: 'summarized' }, undefined]);
  });

  it('switches thinking off when asked to, where the model lets it be', async () => {
    standIn.script(reply(text('a')), reply(text('b')));
    await ask(claude(), { request: { ...question, model: 'claude-haiku-5-5', thinking: 'off' } });
    await ask(claude(), { request: { ...question, thinking: 'off' } });
    assert.deepEqual(sent('thinking'), [{ type: 'disabled' }, { type: 'adaptive', display: 'summarized' }]);
  });

  it('sends an effort the model has, or the next lower one', async () => {
    standIn.script(reply(text('a')), reply(text('b')));
    await ask(claude(), { request: { ...question, effort: 'xhigh' } });
    await ask(claude(), { request: { ...question, effort: 'xhigh', model: 'claude-sonnet-4-6' } });
    assert.deepEqual(sent('output_config'), [{ effort: 'xhigh' }, { effort: 'high' }]);
  });

  it('F1: aborts the HTTP request at once when stopped', async () => {
    const held = gate();
    standIn.script(reply(text('Some ', held, 'more')));
    const stopper = new AbortController();
    const asked = ask(claude(), { signal: stopper.signal, onEvent: () => stopper.abort() });
    await assert.rejects(asked, { name: 'AbortError' });
    const entry = standIn.journal.messages[0]!;
    await entry.ended;
    assert.equal(entry.outcome.state, 'aborted');
  });

  it('says what a request took that broke off or was stopped', async () => {
    const spent: number[] = [];
    const note = (modelEvent: ModelEvent): void => {
      if (modelEvent.type === 'spent') spent.push(modelEvent.usage.input, modelEvent.usage.cost ?? 0);
    };
    standIn.script(reply(text('Half'), endEarly()));
    await assert.rejects(ask(claude(), { onEvent: note }), ModelError);
    const [input = 0, cost = 0] = spent;
    assert.ok(input > 0 && cost > 0);
    const stopper = new AbortController();
    standIn.script(reply(text('Some ', gate())));
    const onEvent = (modelEvent: ModelEvent): void => {
      note(modelEvent);
      if (modelEvent.type === 'text-delta') stopper.abort();
    };
    await assert.rejects(ask(claude(), { signal: stopper.signal, onEvent }), { name: 'AbortError' });
    assert.equal(spent[2], input);
  });

  it('P6: estimates what was written of an answer that broke off, since that is paid for too', async () => {
    const outputs: number[] = [];
    const onEvent = (modelEvent: ModelEvent): void => {
      if (modelEvent.type === 'spent') outputs.push(modelEvent.usage.output);
    };
    standIn.script(
      reply(text('word '.repeat(1_000)), cutToolUse('read_file', `{"path": "${'a'.repeat(1_000)}`), drop()),
    );
    await assert.rejects(ask(claude(), { onEvent }), ModelError);
    assert.equal(outputs.length, 1);
    assert.ok(outputs[0]! >= 1_500 && outputs[0]! <= 2_500, String(outputs));
  });

  it('F4: notices a stream that ends cleanly without message_stop', async () => {
    standIn.script(reply(text('Half'), endEarly()));
    const error = await failure();
    assert.deepEqual([error.kind, error.isRetryable], ['dropped', true]);
  });

  it('F5: notices a connection that is reset in the middle of a tool use', async () => {
    standIn.script(reply(cutToolUse('read_file', '{"path": "a'), drop()));
    const error = await failure();
    assert.deepEqual([error.kind, error.isRetryable], ['dropped', true]);
  });

  it('F5: notices a connection that is reset before any header', async () => {
    standIn.script(hangUp());
    const error = await failure();
    assert.deepEqual([error.kind, error.isRetryable], ['dropped', true]);
  });

  it('F6: ends a stream that stalls after its headers', async () => {
    standIn.script(reply(text('Half'), stall()));
    const error = await failure(claude({ idleTimeoutMs: 30 }));
    assert.deepEqual([error.kind, error.isRetryable], ['stalled', true]);
    const entry = standIn.journal.messages[0]!;
    await entry.ended;
    assert.equal(entry.outcome.state, 'aborted');
  });

  it('F6: ends a request that gets no headers', async () => {
    standIn.script(silence());
    const error = await failure(claude({ requestTimeoutMs: 30 }));
    assert.deepEqual([error.kind, error.isRetryable], ['stalled', true]);
  });

  it('F7: tells a tool use whose input was cut off from a complete one', async () => {
    standIn.script(
      reply(
        toolUse('read_file', { path: 'a' }, { id: 'whole' }),
        cutToolUse('read_file', '{"path": "b', { id: 'cut' }),
        cutToolUse('read_file', '{"path": "c"}', { id: 'open' }),
        stop('max_tokens'),
      ),
    );
    const last = (await ask()).at(-1);
    assert.ok(last?.type === 'answer');
    assert.equal(last.answer.stopReason, 'max_tokens');
    assert.deepEqual(last.answer.brokenToolUses, ['cut', 'open']);
  });

  it('F8: does not retry by itself, and passes on how long to wait', async () => {
    standIn.script(apiError(429, { message: 'slow down', retryAfter: 7 }), apiError(529), apiError(503));
    const limited = await failure();
    assert.deepEqual(
      [limited.kind, limited.isRetryable, limited.retryAfterMs, limited.message],
      ['rate-limited', true, 7000, 'slow down'],
    );
    assert.equal(limited.requestId, standIn.journal.messages[0]?.requestId);
    assert.equal(standIn.journal.messages.length, 1);
    assert.deepEqual([(await failure()).kind, (await failure()).kind], ['overloaded', 'server-error']);
  });

  it('F9: names what is wrong with key, account and model', async () => {
    const spendCap = { error_code: 'enforced_spend_limit_reached' };
    standIn.script(
      apiError(403, { message: 'not yours' }),
      apiError(400, { message: 'Your credit balance is too low to access the Anthropic API.' }),
      apiError(400, { message: 'You have reached your specified API usage limits.' }),
      apiError(400, {
        message: 'You have reached your specified workspace API usage limits. You will regain access.',
      }),
      apiError(402, { type: 'billing_error' }),
      apiError(429, { details: spendCap, headers: { 'x-should-retry': 'true' } }),
      apiError(429, {
        message:
          'You have reached your API usage limits: your organization has crossed its monthly threshold.',
      }),
      apiError(400, { message: 'prompt is too long: 1000001 tokens > 1000000 maximum' }),
      apiError(413),
      apiError(400, { message: 'messages.0: no' }),
    );
    const kinds: string[] = [];
    for (let index = 0; index < 10; index++) {
      const error = await failure();
      kinds.push(error.kind);
      assert.equal(error.isRetryable, false, error.kind);
    }
    assert.deepEqual(kinds, [
      'forbidden',
      'no-credit',
      'no-credit',
      'no-credit',
      'no-credit',
      'no-credit',
      'no-credit',
      'too-long',
      'too-large',
      'bad-request',
    ]);
    assert.equal(
      (await failure(claude({ apiKey: () => Promise.resolve('sk-ant-wrong') }))).kind,
      'rejected-key',
    );
    assert.equal((await failure(claude({ apiKey: () => Promise.resolve(undefined) }))).kind, 'no-key');
    assert.equal((await failure(claude(), { ...question, model: 'claude-nobody-1' })).kind, 'unknown-model');
  });

  it('L8: tells an endpoint that is not there from one that is not Claude', async () => {
    const closed = await startStandIn();
    await closed.close();
    assert.equal((await failure(claude({ baseUrl: closed.url }))).kind, 'unreachable');
    standIn.script(htmlPage(200), htmlPage(404), htmlPage(403), htmlPage(502));
    assert.deepEqual(
      [(await failure()).kind, (await failure()).kind, (await failure()).kind, (await failure()).kind],
      ['not-claude', 'not-claude', 'not-claude', 'server-error'],
    );
  });

  it('L8: passes on what a gateway says in its own form, as plain text', async () => {
    const page =
      '<!doctype html><style>b{}</style><title>502 Bad</title><h1>Bad &amp; gone</h1><p>Try <b>later</b>';
    const cases = [
      [400, { status: 'failure', message: 'No x-portkey-config' }, 'not-claude', 'No x-portkey-config'],
      [500, { error: 'upstream <b>failed</b>' }, 'server-error', 'upstream <b>failed</b>'],
      [403, 'Blocked by\r\n\tpolicy\u0007 \u202e7.', 'not-claude', 'Blocked by policy 7.'],
      [422, { detail: [{ loc: ['body'], msg: 'field required' }] }, 'not-claude', 'field required'],
      [401, { error: { message: 'Wrong proxy token' } }, 'rejected-key', 'Wrong proxy token'],
      [400, { error: { message: { text: 'odd' } } }, 'not-claude', ''],
      [400, { error: { type: 7, message: ['a', 'b'] } }, 'not-claude', 'a; b'],
      [404, { hello: 'world' }, 'not-claude', ''],
      [502, '', 'server-error', ''],
      [
        400,
        { message: 'prompt is too long: 5 tokens > 4 maximum' },
        'too-long',
        'prompt is too long: 5 tokens > 4 maximum',
      ],
      [400, 'x'.repeat(5_000), 'not-claude', `${'x'.repeat(299)}…`],
      [200, { error: { message: 'No such route' } }, 'not-claude', 'No such route'],
      [200, { type: 'message', content: [{ type: 'text', text: 'A whole answer.' }] }, 'not-claude', ''],
      [400, { message: `${'y'.repeat(290)} ${key}` }, 'not-claude', `${'y'.repeat(290)} [key]`],
    ] as const;
    for (const [status, body, kind, words] of cases) {
      standIn.script(gatewayError(status, body));
      const error = await failure();
      assert.deepEqual([error.kind, error.status, error.gatewayMessage], [kind, status, words]);
      assert.equal(error.requestId, standIn.journal.messages.at(-1)?.requestId);
    }
    standIn.script(htmlPage(502, page), htmlPage(200, page));
    assert.deepEqual(
      [(await failure()).gatewayMessage, (await failure()).gatewayMessage],
      ['502 Bad Bad & gone Try later', '502 Bad Bad & gone Try later'],
    );
  });

  it('L8: takes the words of Claude itself for nobody else’s', async () => {
    standIn.script(
      apiError(500, { message: 'Internal server error' }),
      apiError(400, { message: 'messages.0: no' }),
    );
    const errors = [await failure(), await failure()];
    assert.deepEqual(
      errors.map(({ kind, status, gatewayMessage }) => [kind, status, gatewayMessage]),
      [
        ['server-error', 500, undefined],
        ['bad-request', 400, undefined],
      ],
    );
  });

  it('L12: finds Claude’s own error in what a gateway wraps around it', async () => {
    const own = (type: string, message: string) =>
      JSON.stringify({ type: 'error', error: { type, message } });
    const schema = 'tools.1.custom.input_schema: no';
    const cases = [
      [
        400,
        {
          error: {
            message: `litellm.BadRequestError: AnthropicException - ${own('invalid_request_error', schema)}`,
            type: null,
            code: '400',
          },
        },
        'bad-request',
        schema,
      ],
      [400, { detail: `upstream said b'${own('invalid_request_error', schema)}'` }, 'bad-request', schema],
      [502, own('overloaded_error', 'Overloaded'), 'overloaded', 'Overloaded'],
      [
        400,
        { message: 'Input is too long for requested model.' },
        'too-long',
        'Input is too long for requested model.',
      ],
      [
        400,
        {
          error: {
            type: 'invalid_request_error',
            message: 'input length and `max_tokens` exceed context limit: 9 + 2 > 10',
          },
        },
        'too-long',
        'input length and `max_tokens` exceed context limit: 9 + 2 > 10',
      ],
      [
        400,
        { message: 'upstream said {"type":"error", oops}' },
        'not-claude',
        'upstream said {"type":"error", oops}',
      ],
    ] as const;
    for (const [status, body, kind, message] of cases) {
      standIn.script(gatewayError(status, body));
      const error = await failure();
      assert.deepEqual([error.kind, error.message], [kind, message]);
    }
  });

  it('S7: a refusal and a reason to stop are as clean and as short as an error', async () => {
    standIn.script(
      reply(refusal(`not with ${key} ${'x'.repeat(5_000)}`)),
      reply(stop(`![x](y) ${'z'.repeat(500)}`)),
    );
    const [refused, odd] = [(await ask()).at(-1), (await ask()).at(-1)];
    assert.ok(refused?.type === 'answer' && odd?.type === 'answer');
    assert.match(refused.answer.refusal ?? '', /^not with \[key\] x+$/);
    assert.equal(refused.answer.refusal?.length, 500);
    assert.equal(odd.answer.stopReason?.length, 100);
  });

  it('L8: an address where nobody listens is told with what the system says', async () => {
    const refusedAll: typeof fetch = () =>
      Promise.reject(
        new TypeError('fetch failed', {
          cause: Object.assign(new AggregateError([], ''), { code: 'ECONNREFUSED' }),
        }),
      );
    assert.match((await failure(claude({ fetch: refusedAll }))).message, /fetch failed: ECONNREFUSED$/);
  });

  it('L7: knows the request of an answer that broke off', async () => {
    standIn.script(reply(text('a'), drop()), reply(text('a'), stall()), reply(text('a'), endEarly()));
    for (let index = 0; index < 3; index++) {
      const error = await failure(claude({ idleTimeoutMs: 30 }));
      assert.deepEqual(
        [error.requestId, error.status],
        [standIn.journal.messages[index]?.requestId, 200],
        error.kind,
      );
    }
  });

  it('L8: a request id that is none is not passed on', async () => {
    standIn.script(
      gatewayError(400, {}, { 'request-id': 'see http://a.b/c d' }),
      gatewayError(400, {}, { 'request-id': '', 'x-request-id': 'gw-1' }),
    );
    assert.deepEqual([(await failure()).requestId, (await failure()).requestId], [undefined, 'gw-1']);
  });

  it('F11: gives an error event, garbage and damaged data their own words', async () => {
    standIn.script(
      reply(text('a'), streamError('overloaded_error')),
      reply(text('a'), streamError('api_error')),
      reply(text('a'), garbage('event: content_block_delta\ndata: {"type": \n\n')),
    );
    assert.deepEqual(
      [(await failure()).kind, (await failure()).kind, (await failure()).kind],
      ['overloaded', 'server-error', 'not-claude'],
    );
  });

  it('L8: passes on what a gateway says in the middle of a stream, and asks again', async () => {
    const cases = [
      ['data: {"error":{"message":"Upstream quota exceeded","code":429}}', 'Upstream quota exceeded'],
      ['event: error\ndata: {"error":{"message":"Upstream quota exceeded"}}', 'Upstream quota exceeded'],
      ['event: error\ndata: {"message":"No capacity"}', 'No capacity'],
      ['event: error\ndata: upstream timed out', 'upstream timed out'],
      [`data: {"error":"${key} is spent"}`, '[key] is spent'],
    ] as const;
    for (const [raw, words] of cases) {
      standIn.script(reply(text('a'), garbage(`${raw}\n\n`)));
      const error = await failure();
      assert.deepEqual(
        [error.kind, error.isRetryable, error.status, error.gatewayMessage],
        ['server-error', true, 200, words],
      );
    }
    standIn.script(
      reply(
        garbage('event: error\ndata: {"error":{"message":"prompt is too long: 5 tokens > 4 maximum"}}\n\n'),
      ),
      reply(streamError('overloaded_error')),
    );
    assert.equal((await failure()).kind, 'too-long');
    assert.equal((await failure()).gatewayMessage, undefined);
  });

  it('F11: tolerates unknown events and blocks, pings and stray bytes', async () => {
    standIn.script(
      reply(
        ping(),
        event('weather', { type: 'weather' }),
        foreignBlock({ type: 'hologram', data: 1 }),
        garbage(),
        text('fine'),
      ),
    );
    const events = await ask();
    assert.deepEqual(events[0], { type: 'text-delta', text: 'fine' });
    assert.equal(events.at(-1)?.type, 'answer');
  });

  it('F12: passes on a refusal with its explanation, and a stop reason nobody knows', async () => {
    standIn.script(reply(refusal('Because.', 'cyber')), reply(stop('sunset')));
    const answers = [(await ask()).at(-1), (await ask()).at(-1)];
    assert.deepEqual(
      answers.map((last) => last?.type === 'answer' && [last.answer.stopReason, last.answer.refusal]),
      [
        ['refusal', 'Because.'],
        ['sunset', undefined],
      ],
    );
  });

  it('S7: never prints the key, even when an error echoes it', async () => {
    standIn.script(apiError(400, { message: `bad key ${key} in Bearer ${key}` }));
    const error = await failure();
    assert.equal(error.message, 'bad key [key] in Bearer [key]');
    standIn.script(apiError(400, { message: 'gateway secret s3cret-value' }));
    const other = await failure(claude({ headers: { 'x-gateway-token': 's3cret-value' } }));
    assert.equal(other.message, 'gateway secret [key]');
    for (const one of [error, other])
      assert.doesNotMatch(`${one.stack} ${String(one.cause)}`, /0123456789|s3cret/);
  });

  it('S7, A34: never prints a credential of the person’s headers or address, in whatever form an error repeats it', async () => {
    const gateway = await startStandIn();
    const credential = 'gw-7f3a9c21-SECRET-TOKEN';
    const headers = {
      Authorization: `Bearer ${credential}`,
      'Proxy-Authorization': `Basic ${btoa('me:open-sesame')}`,
    };
    const told = (error: ModelError): string => `${error.message} ${error.stack} ${String(error.cause)}`;
    for (const message of [
      `Received API Key = ${credential}`,
      `token ${credential.toLowerCase()} is unknown`,
      'the password open-sesame is wrong',
      // It is cut where it is too long, but not before it is clean.
      `${'x'.repeat(490)} ${credential}`,
    ]) {
      gateway.script(apiError(400, { message }), reply(text('a'), streamError('api_error', message)));
      const model = claude({ headers, baseUrl: gateway.url });
      for (const error of [await failure(model), await failure(model)]) {
        assert.match(error.message, /\[key\]|x{490}/);
        assert.doesNotMatch(told(error), /gw-7f3a|sesame/i);
      }
    }
    await gateway.close();
    const baseUrl = gateway.url.replace('http://', 'http://me:open-sesame@');
    assert.doesNotMatch(told(await failure(claude({ baseUrl }))), /sesame/);
  });

  it('D7: leaves values of other headers in what is said', async () => {
    standIn.script(apiError(400, { message: 'anthropic error: no such route' }));
    const error = await failure(claude({ headers: { 'x-portkey-provider': 'anthropic' } }));
    assert.equal(error.message, 'anthropic error: no such route');
  });

  it('F9, S7: an API key that cannot travel in a header is a wrong key, and not printed', async () => {
    const error = await failure(claude({ apiKey: () => Promise.resolve('sk-ant-0123\n4567“') }));
    assert.deepEqual([error.kind, error.isRetryable], ['rejected-key', false]);
    assert.doesNotMatch(`${error.message} ${error.stack} ${String(error.cause)}`, /0123|4567/);
  });

  describe('with a hostile environment', () => {
    const names = [
      'ANTHROPIC_BASE_URL',
      'ANTHROPIC_API_KEY',
      'ANTHROPIC_AUTH_TOKEN',
      'ANTHROPIC_CUSTOM_HEADERS',
      'ANTHROPIC_LOG',
    ];
    const before = names.map((name) => process.env[name]);
    after(() => {
      for (const [index, name] of names.entries()) {
        const value = before[index];
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
    });

    it('A3: takes neither address, key, headers nor logging from it', async () => {
      process.env['ANTHROPIC_BASE_URL'] = 'http://127.0.0.1:9';
      process.env['ANTHROPIC_API_KEY'] = 'sk-ant-other';
      process.env['ANTHROPIC_AUTH_TOKEN'] = 'other';
      process.env['ANTHROPIC_CUSTOM_HEADERS'] = 'x-spy: 1\nauthorization: Bearer other\nx-api-key: other';
      process.env['ANTHROPIC_LOG'] = 'debug';
      standIn.script(reply(text('safe')));
      await ask(claude({ headers: { 'X-Mine': 'yes' } }));
      const { headers } = standIn.journal.messages[0]!;
      assert.deepEqual(
        [headers['x-mine'], headers['x-spy'], headers['x-api-key']],
        ['yes', undefined, undefined],
      );
      assert.deepEqual(standIn.journal.refused, []);
      assert.equal((await failure(claude({ apiKey: () => Promise.resolve(undefined) }))).kind, 'no-key');
    });
  });

  it('takes a credential from the person’s own headers, for gateways', async () => {
    standIn.script(reply(text('in')));
    await ask(claude({ apiKey: () => Promise.resolve(undefined), headers: { 'X-Api-Key': key } }));
    const { headers } = standIn.journal.messages[0]!;
    assert.deepEqual([headers['x-api-key'], headers['authorization']], ['***', undefined]);
  });

  it('L8: tells a path that is wrong from a model that is', async () => {
    assert.equal((await failure(claude({ baseUrl: `${standIn.url}/wrong` }))).kind, 'not-claude');
  });

  describe('the list of models', () => {
    const signal = new AbortController().signal;
    const asked = (): number => standIn.journal.entries.filter(({ path }) => path === '/v1/models').length;
    const idsOf = async (model: Claude): Promise<readonly string[]> =>
      (await model.list(signal)).map(({ id }) => id);
    const page = (...data: readonly unknown[]): { status: number; json: unknown } => ({
      status: 200,
      json: { data, has_more: false },
    });

    it('is asked for once an hour', async () => {
      let now = 0;
      const model = claude({ clock: () => now });
      assert.deepEqual(await model.list(signal), await model.list(signal));
      assert.equal(asked(), 1);
      now += 3_600_001;
      await model.list(signal);
      assert.equal(asked(), 2);
    });

    it('is asked for again with another key, and not without one', async () => {
      let current: string | undefined;
      const model = claude({ apiKey: async () => current });
      await model.list(signal);
      assert.equal(asked(), 0);
      for (const next of [key, `${key} `, 'sk-ant-other', undefined, key]) {
        current = next;
        await model.list(signal);
      }
      assert.equal(asked(), 3);
    });

    it('where it fails, is not asked for with every message, and keeps what was known', async () => {
      let now = 0;
      const model = claude({ clock: () => now });
      standIn.modelList({ status: 404, json: { error: 'no such path' } });
      for (let message = 0; message < 5; message++) {
        assert.ok((await idsOf(model)).includes('claude-sonnet-5-5'));
        now += 60_000;
      }
      assert.equal(asked(), 1);
      now += 600_000;
      standIn.modelList(page({ id: 'claude-of-the-house' }));
      assert.deepEqual(await idsOf(model), ['claude-of-the-house']);
      now += 3_600_001;
      standIn.modelList({ status: 500, json: {} });
      assert.deepEqual(await idsOf(model), ['claude-of-the-house']);
      assert.equal(asked(), 3);
    });

    it('L8: takes entries with fields that are missing or wrong, and leaves out what is none', async () => {
      const strange = {
        id: 'claude-x',
        display_name: 7,
        max_input_tokens: '9',
        max_tokens: -1,
        capabilities: [],
      };
      standIn.modelList(
        page(
          ...[null, 'claude', {}, { id: 7 }, { id: '' }, { id: 'claude-gone', lifecycle: 'retired' }],
          ...[{ id: 'claude-sonnet-5-5', capabilities: {} }, { id: 'claude-sonnet-5-5' }, strange],
          { id: 'small', max_input_tokens: 8_000 },
          {
            id: 'claude-opus-5-5',
            capabilities: { thinking: {}, effort: { supported: true }, image_input: null },
          },
        ),
      );
      const listed = await claude().list(signal);
      assert.deepEqual(
        listed.map((one) =>
          [one.id, one.name, one.contextTokens, one.maxOutputTokens, one.takesImages].concat(
            one.efforts.length,
          ),
        ),
        [
          ['claude-sonnet-5-5', 'Claude Sonnet 5.5', 1_000_000, 128_000, true, 5],
          ['claude-x', 'claude-x', 200_000, 64_000, true, 0],
          ['small', 'small', 8_000, 4_000, true, 0],
          ['claude-opus-5-5', 'Claude Opus 5.5', 1_000_000, 128_000, true, 5],
        ],
      );
    });

    it('L8: ends where pages do not, and where there is no list', async () => {
      standIn.modelList({
        status: 200,
        json: { data: [{ id: 'claude-a' }, { id: 'claude-b' }], has_more: true, last_id: 'claude-b' },
      });
      assert.deepEqual(await idsOf(claude()), ['claude-a', 'claude-b']);
      assert.equal(asked(), 2);
      for (const json of [null, 7, 'claude', {}, { data: null }, { data: {} }, { data: [] }, []]) {
        standIn.modelList({ status: 200, json });
        assert.ok((await idsOf(claude())).includes('claude-sonnet-5-5'), JSON.stringify(json));
      }
    });

    it('is that of Claude, or the built-in one when it cannot be asked', async () => {
      assert.ok((await idsOf(claude())).includes('claude-sonnet-5-5'));
      const fallback = await claude({ baseUrl: 'http://127.0.0.1:9' }).list(signal);
      assert.ok(
        fallback.some(({ id, contextTokens }) => id === 'claude-sonnet-5-5' && contextTokens === 1_000_000),
      );
    });
  });

  it('L8: a count of tokens that is none is an error', async () => {
    const fetchNone: typeof fetch = async () => Response.json({ tokens: 'many' });
    const model = claude({ fetch: fetchNone });
    await assert.rejects(model.countTokens(question, new AbortController().signal), { kind: 'not-claude' });
  });

  it('counts tokens', async () => {
    const count = await claude().countTokens(question, new AbortController().signal);
    assert.ok(count > 0);
    assert.equal(standIn.journal.entries[0]?.path, '/v1/messages/count_tokens');
  });
});

/** Neighbouring deltas of one kind as one. */
function joined(events: readonly ModelEvent[]): readonly string[] {
  const lines: string[] = [];
  let previous = '';
  for (const modelEvent of events) {
    const words = 'text' in modelEvent ? modelEvent.text : '';
    if (modelEvent.type === previous) lines[lines.length - 1] += words;
    else lines.push(`${modelEvent.type}: ${words}`);
    previous = modelEvent.type;
  }
  return lines;
}
