import assert from 'node:assert/strict';
import type Anthropic from '@anthropic-ai/sdk';
import {
  APIConnectionError,
  APIError,
  APIUserAbortError,
  OverloadedError,
  RateLimitError,
} from '@anthropic-ai/sdk';
import {
  apiError,
  cutToolUse,
  deltas,
  drop,
  endEarly,
  event,
  foreignBlock,
  garbage,
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
  type Scripted,
} from '../../../support/claude/script';
import { startStandIn, type StandIn } from '../../../support/claude/standIn';
import { clientOf, hello, readFileTool } from './client';

/** Each fault as the SDK meets it: what clients must cope with is written down here. */
describe('the stand-in, misbehaving', () => {
  let standIn: StandIn;
  let client: Anthropic;

  before(async () => {
    standIn = await startStandIn();
    client = clientOf(standIn);
  });
  beforeEach(() => standIn.reset());
  after(() => standIn.close());

  const ask = (scripted: Scripted) => {
    standIn.script(scripted);
    return client.messages.stream({ ...hello, tools: [readFileTool] });
  };
  const failureOf = async (scripted: Scripted): Promise<Error> => {
    const error: unknown = await ask(scripted)
      .finalMessage()
      .then(
        () => assert.fail('it was answered'),
        (reason: unknown) => reason,
      );
    assert.ok(error instanceof Error);
    return error;
  };

  it('answers with any status, the error body of the API and retry-after', async () => {
    const error = await failureOf(apiError(429, { message: 'Slow down', retryAfter: 7 }));
    assert.ok(error instanceof RateLimitError);
    assert.equal(error.type, 'rate_limit_error');
    assert.equal(error.apiMessage, 'Slow down');
    assert.equal(error.headers.get('retry-after'), '7');
    assert.equal(error.requestID, standIn.journal.messages[0]?.requestId);
    assert.ok((await failureOf(apiError(529))) instanceof OverloadedError);
  });

  it('carries the details of an error', async () => {
    const error = await failureOf(
      apiError(429, { message: 'Spent', details: { error_code: 'enforced_spend_limit_reached' } }),
    );
    assert.ok(error instanceof APIError);
    assert.equal(error.errorCode, 'enforced_spend_limit_reached');
  });

  it('is retried by an SDK that may, which the journal shows', async () => {
    standIn.script(apiError(529, { headers: { 'retry-after-ms': '1' } }), hangUp(), reply(text('Here.')));
    const patient = client.withOptions({ maxRetries: 2 });
    assert.equal(await patient.messages.stream(hello).finalText(), 'Here.');
    assert.deepEqual(
      standIn.journal.messages.map(({ outcome, headers }) => [
        outcome.status,
        outcome.state,
        headers['x-stainless-retry-count'],
      ]),
      [
        [529, 'answered', '0'],
        [undefined, 'dropped', '1'],
        [200, 'answered', '2'],
      ],
    );
  });

  it('hangs up before any header', async () => {
    assert.ok((await failureOf(hangUp())) instanceof APIConnectionError);
  });

  it('resets the connection in mid-answer, after what was said has arrived', async () => {
    const stream = ask(reply(text('Half an ans'), drop()));
    const heard = stream.emitted('text');
    await assert.rejects(stream.finalMessage(), /terminated/);
    assert.equal(await heard, 'Half an ans');
    assert.equal(standIn.journal.messages[0]?.outcome.state, 'dropped');
  });

  it('resets the connection in the middle of a tool input', async () => {
    const stream = ask(reply(cutToolUse('read_file', '{"path": "src/ma'), drop()));
    const blocks: unknown[] = [];
    stream.on('contentBlock', (block) => blocks.push(block));
    await assert.rejects(stream.finalMessage(), /terminated/);
    assert.deepEqual(blocks, []);
  });

  it('ends cleanly without message_stop: only finalMessage notices', async () => {
    const stream = ask(reply(text('Half an ans'), endEarly()));
    const events: string[] = [];
    for await (const { type } of stream) events.push(type);
    assert.equal(events.at(-1), 'content_block_stop');
    await assert.rejects(stream.finalMessage(), /ended without producing a Message/);
  });

  it('stalls after some text, and sees the client give up', async () => {
    const stream = ask(reply(text('Then '), stall()));
    await stream.emitted('text');
    stream.abort();
    await assert.rejects(stream.done(), APIUserAbortError);
    const entry = await standIn.waitFor(({ outcome }) => outcome.state === 'aborted');
    assert.equal(entry, standIn.journal.messages[0]);
  });

  it('keeps silent for ever, without even headers', async () => {
    const stream = ask(silence());
    await standIn.nextRequest();
    stream.abort();
    await assert.rejects(stream.done(), APIUserAbortError);
    await standIn.waitFor(({ outcome }) => outcome.state === 'aborted');
  });

  it('sends an error in mid-stream', async () => {
    const error = await failureOf(reply(text('Half'), streamError()));
    assert.ok(error instanceof APIError);
    assert.deepEqual([error.status, error.type], [undefined, 'overloaded_error']);
  });

  it('sends garbage between events, and in place of one', async () => {
    assert.equal(await ask(reply(garbage(), text('Still here.'))).finalText(), 'Still here.');
    const error = await failureOf(
      reply(garbage('event: content_block_delta\ndata: {"type": oops\n\n'), text('x')),
    );
    assert.match(error.message, /JSON/);
  });

  it('sends events and blocks that nobody knows, which the SDK tolerates', async () => {
    const message = await ask(
      reply(
        ping(),
        event('weather', { type: 'weather', sky: 'blue' }),
        foreignBlock({ type: 'hologram', light: 1 }),
        text('Seen.'),
      ),
    ).finalMessage();
    assert.deepEqual(
      message.content.map(({ type }) => type as string),
      ['hologram', 'text'],
    );
  });

  it('says something that is not Claude at all', async () => {
    assert.match((await failureOf(htmlPage())).message, /ended without sending any chunks/);
    const error = await failureOf(htmlPage(502, '<h1>Bad gateway</h1>'));
    assert.ok(error instanceof APIError);
    assert.equal(error.status, 502);
  });

  it('stops for every reason there is', async () => {
    const empty = await ask(reply()).finalMessage();
    assert.deepEqual([empty.stop_reason, empty.content], ['end_turn', []]);
    const long = await ask(reply(cutToolUse('read_file', '{"path": "a", "li'))).finalMessage();
    assert.equal(long.stop_reason, 'max_tokens');
    assert.deepEqual(long.content[0]?.type === 'tool_use' && long.content[0].input, { path: 'a' });
    const refused = await ask(reply(text('I'), refusal('Not that.', 'cyber'))).finalMessage();
    assert.equal(refused.stop_reason, 'refusal');
    assert.deepEqual(refused.stop_details, { type: 'refusal', category: 'cyber', explanation: 'Not that.' });
    for (const reason of ['pause_turn', 'model_context_window_exceeded', 'stop_sequence', 'tea_time', null]) {
      assert.equal((await ask(reply(text('x'), stop(reason))).finalMessage()).stop_reason, reason);
    }
  });

  it('answers in many deltas', async () => {
    let heard = 0;
    const stream = ask(reply(deltas(5000, 'ab ')));
    for await (const { type } of stream) heard += type === 'content_block_delta' ? 1 : 0;
    assert.equal(heard, 5000);
  });

  it('lets a reply depend on the request, and says when the script itself fails', async () => {
    assert.equal(
      await ask(({ messages }) =>
        reply(text(`You said ${JSON.stringify(messages[0]?.content)}.`)),
      ).finalText(),
      'You said "Hello".',
    );
    const error = await failureOf(() => assert.fail('a wrong request'));
    assert.match(error.message, /The script failed on this request: .*a wrong request/);
    assert.equal(standIn.journal.refused.length, 1);
  });
});
