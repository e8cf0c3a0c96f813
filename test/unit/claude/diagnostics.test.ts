import assert from 'node:assert/strict';
import { createClaude, type Claude } from '../../../src/claude/client';
import { ModelError } from '../../../src/core/errors';
import type { ModelAnswer, ModelRequest } from '../../../src/core/ports';
import { gatewayError, reply, text } from '../../support/claude/script';
import { startStandIn, type StandIn } from '../../support/claude/standIn';

const question: ModelRequest = {
  model: 'claude-sonnet-5-5',
  system: [{ type: 'text', text: 'Be kind.' }],
  tools: [],
  messages: [{ role: 'user', content: 'Hello' }],
};

describe('asking the API why the cache missed', () => {
  let standIn: StandIn;
  let claude: Claude;

  before(async () => {
    standIn = await startStandIn({ mind: reply(text('ok')) });
  });
  beforeEach(() => {
    standIn.reset();
    claude = createClaude({ apiKey: async () => 'sk-ant-test', baseUrl: standIn.url });
  });
  after(() => standIn.close());

  async function ask(request: Partial<ModelRequest>, model = claude): Promise<ModelAnswer> {
    for await (const one of model.stream({ ...question, ...request }, new AbortController().signal))
      if (one.type === 'answer') return one.answer;
    return assert.fail('no answer');
  }
  /** Each request as it arrived. */
  const sent = (): unknown[] =>
    standIn.journal.messages.map(({ body }) =>
      Object.entries(body ?? {}).flatMap(([name, value]) => (name === 'diagnostics' ? [value] : [])),
    );

  it('P6: names the message before, `null` for the first, and nothing unless it is asked to', async () => {
    const { id } = await ask({ previousMessage: null });
    await ask({ previousMessage: id });
    await ask({});
    assert.deepEqual(sent(), [[{ previous_message_id: null }], [{ previous_message_id: id }], []]);
  });

  it('P6: reads where the request differs, or that it does not', async () => {
    const { id, promptChange: first } = await ask({ previousMessage: null });
    assert.equal(first, undefined);
    assert.equal((await ask({ previousMessage: id })).promptChange, 'none');
    const system = [{ type: 'text', text: 'Be brief.' }] as const;
    assert.equal((await ask({ previousMessage: id, system })).promptChange, 'system');
    assert.equal((await ask({ previousMessage: id, model: 'claude-opus-5-5' })).promptChange, 'model');
    assert.equal((await ask({})).promptChange, undefined);
  });

  it('P6: takes what it does not know for no answer: an id, a comparison under way, another kind', async () => {
    assert.equal((await ask({ previousMessage: 'msg_nobody' })).promptChange, undefined);
    const answers: readonly unknown[] = [
      { cache_miss_reason: null },
      { cache_miss_reason: { type: 'unavailable' } },
      { cache_miss_reason: { type: 'constructor' } },
      { cache_miss_reason: 'tools_changed' },
      'tools_changed',
      undefined,
    ];
    for (const diagnostics of answers) {
      const start = { type: 'message_start', message: { id: 'msg_1', model: 'm', diagnostics, usage: {} } };
      const stop = { type: 'message_stop' };
      const bytes = [start, stop]
        .map((one) => `event: ${one.type}\ndata: ${JSON.stringify(one)}\n\n`)
        .join('');
      standIn.script(gatewayError(200, bytes, { 'content-type': 'text/event-stream' }));
      assert.equal(
        (await ask({ previousMessage: 'msg_0' })).promptChange,
        undefined,
        JSON.stringify(diagnostics),
      );
    }
  });

  it('P6: leaves tools, system and messages as they are, and the cache finds them', async () => {
    const system = [
      { type: 'text', text: 'Be kind. '.repeat(1000), cache_control: { type: 'ephemeral' } },
    ] as const;
    const { id } = await ask({ system });
    assert.ok((await ask({ system, previousMessage: id })).usage.cacheRead > 1000);
  });

  it('P6: is not asked of an endpoint that refuses it, which gets the request again at once', async () => {
    standIn.lacks('diagnostics');
    assert.equal((await ask({ previousMessage: null })).content.length, 1);
    await ask({ previousMessage: 'msg_1' });
    assert.deepEqual(sent(), [[{ previous_message_id: null }], [], []]);
    const other = createClaude({ apiKey: async () => 'sk-ant-test', baseUrl: `${standIn.url}/` });
    standIn.lacks();
    await ask({ previousMessage: 'msg_1' }, other);
    assert.deepEqual(sent().at(-1), [{ previous_message_id: 'msg_1' }]);
  });

  const words = [
    'Unknown field: diagnostics',
    "property 'diagnostics' is unsupported",
    { detail: [{ loc: ['body', 'diagnostics'], msg: 'extra fields not permitted' }] },
  ];
  for (const body of words) {
    it(`P6: knows a refusal in other words: ${JSON.stringify(body)}`, async () => {
      standIn.script(gatewayError(422, body));
      assert.equal((await ask({ previousMessage: null })).stopReason, 'end_turn');
    });
  }

  it('P6: does not take another refusal for that, and sends nothing twice', async () => {
    for (const message of ['tools.3.custom.name: get_diagnostics is taken', 'messages: too many'])
      for (const previousMessage of [null, 'msg_1']) {
        standIn.script(
          gatewayError(400, { type: 'error', error: { type: 'invalid_request_error', message } }),
        );
        await assert.rejects(ask({ previousMessage }), ModelError);
      }
    assert.equal(standIn.journal.messages.length, 4);
    await ask({ previousMessage: null });
    assert.deepEqual(sent().at(-1), [{ previous_message_id: null }]);
  });

  it('P6: is no part of a count of tokens', async () => {
    assert.ok(
      (await claude.countTokens({ ...question, previousMessage: null }, new AbortController().signal)) > 0,
    );
  });
});
