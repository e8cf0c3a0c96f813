import assert from 'node:assert/strict';
import { AuthenticationError } from '@anthropic-ai/sdk';
import { gate, reply, stall, text } from '../../../support/claude/script';
import { startStandIn, type StandIn } from '../../../support/claude/standIn';
import { clientOf, hello } from './client';

describe('the stand-in as a server', () => {
  let standIn: StandIn;

  before(async () => {
    standIn = await startStandIn({ keys: ['sk-right'] });
  });
  beforeEach(() => standIn.reset());
  after(() => standIn.close());

  const post = (headers: Record<string, string>, body: string) =>
    fetch(`${standIn.url}/v1/messages`, { method: 'POST', headers, body });

  it('lets in those with a key, as Bearer or x-api-key, and x-api-key wins', async () => {
    standIn.mind(reply(text('ok')));
    const version = { 'anthropic-version': '2026-10-21' };
    const statuses = [];
    for (const headers of [
      { authorization: 'Bearer sk-right' },
      { 'x-api-key': 'sk-right' },
      { 'x-api-key': 'sk-right', authorization: 'Bearer sk-wrong' },
      { 'x-api-key': 'sk-wrong', authorization: 'Bearer sk-right' },
      {},
    ]) {
      const response = await post({ ...version, ...headers }, JSON.stringify(hello));
      statuses.push(response.status);
      await response.text();
    }
    standIn.mind(undefined);
    assert.deepEqual(statuses, [200, 200, 200, 401, 401]);
  });

  it('refuses a wrong key as the SDK knows it', async () => {
    await assert.rejects(clientOf(standIn, 'sk-wrong').messages.create(hello), AuthenticationError);
  });

  it('refuses with the body of the API, its request id in body and header', async () => {
    const response = await post({}, '{}');
    const id = response.headers.get('request-id');
    assert.deepEqual(await response.json(), {
      type: 'error',
      error: { type: 'authentication_error', message: 'x-api-key header is required' },
      request_id: id,
    });
  });

  it('wants a version, JSON, less than 32 MB, and a path that exists', async () => {
    const key = { 'x-api-key': 'sk-right' };
    const headers = { ...key, 'anthropic-version': '2026-10-21' };
    assert.equal(
      await told(await post(key, '{}')),
      '400 invalid_request_error: anthropic-version: header is required',
    );
    assert.match(
      await told(await post(headers, '{"model"')),
      /^400 invalid_request_error: The request body is not valid JSON/,
    );
    assert.equal(
      await told(await post(headers, ' '.repeat(32 * 1024 * 1024 + 1))),
      '413 request_too_large: Request exceeds the maximum size',
    );
    assert.equal(
      await told(await fetch(`${standIn.url}/v1/other`, { headers })),
      '404 not_found_error: Not found',
    );
  });

  it('counts tokens under the same rules, without using up the script', async () => {
    const client = clientOf(standIn, 'sk-right');
    const { model, messages } = hello;
    const { input_tokens: small } = await client.messages.countTokens({ model, messages });
    const { input_tokens: large } = await client.messages.countTokens({
      model,
      messages: [{ role: 'user', content: 'Hello'.repeat(1000) }],
    });
    assert.ok(small > 0 && large > 500 * small, `${small} and ${large}`);
    await assert.rejects(client.messages.countTokens({ model, messages: [] }), /at least one message/);
  });

  it('keeps every request in the journal, raw, with the key masked', async () => {
    standIn.script(reply(text('Hi.')));
    await clientOf(standIn, 'sk-right').messages.stream(hello).finalMessage();
    const entry = await standIn.nextRequest();
    await entry.ended;
    assert.deepEqual(entry.body, { ...hello, stream: true });
    assert.deepEqual(JSON.parse(entry.bodyText), entry.body);
    assert.equal(entry.headers['authorization'], 'Bearer ***');
    assert.equal(entry.outcome.state, 'answered');
    assert.equal(entry.outcome.usage?.output_tokens, 1);
    assert.doesNotMatch(JSON.stringify(standIn.journal), /sk-right/);
  });

  it('hands out requests in order and waits for those to come', async () => {
    const client = clientOf(standIn, 'sk-right');
    standIn.script(reply(text('1')), reply(text('2')));
    const [first, second] = [standIn.nextRequest(), standIn.nextRequest()];
    await client.messages.create(hello);
    await client.messages.create({ ...hello, max_tokens: 2 });
    assert.deepEqual((await first).body, hello);
    assert.deepEqual((await second).body, { ...hello, max_tokens: 2 });
  });

  it('ends open streams at once when it is closed or reset', async () => {
    const other = await startStandIn({ mind: reply(text('a'), stall()) });
    const stream = clientOf(other).messages.stream(hello);
    await stream.emitted('text');
    await Promise.all([other.close(), assert.rejects(stream.done())]);

    const door = gate();
    standIn.script(reply(door));
    const held = clientOf(standIn, 'sk-right').messages.stream(hello);
    await door.reached;
    standIn.reset();
    await assert.rejects(held.done());
    assert.deepEqual(standIn.journal.entries, []);
  });

  it('can be given a port, and says when it is taken', async () => {
    const port = Number(new URL(standIn.url).port);
    await assert.rejects(startStandIn({ port }), { code: 'EADDRINUSE' });
  });
});

/** A refusal in one line. */
async function told(response: Response): Promise<string> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- compared just below.
  const { error } = (await response.json()) as { error: { type: string; message: string } };
  return `${response.status} ${error.type}: ${error.message}`;
}
