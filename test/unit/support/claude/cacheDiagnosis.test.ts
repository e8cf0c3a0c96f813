import assert from 'node:assert/strict';
import type Anthropic from '@anthropic-ai/sdk';
import { reply, text } from '../../../support/claude/script';
import { startStandIn, type StandIn } from '../../../support/claude/standIn';
import { clientOf, hello, readFileTool } from './client';

describe('cache diagnostics of the stand-in', () => {
  let standIn: StandIn;
  let client: Anthropic;
  let now = 0;

  before(async () => {
    standIn = await startStandIn({ mind: reply(text('ok')), clock: () => now });
    client = clientOf(standIn);
  });
  beforeEach(() => standIn.reset());
  after(() => standIn.close());

  const base = { ...hello, system: 'Be kind.', tools: [readFileTool] };
  const more = [
    ...hello.messages,
    { role: 'assistant', content: 'Hi' },
    { role: 'user', content: 'And?' },
  ] satisfies Anthropic.MessageParam[];
  const ask = (
    previous: string | null,
    change: Partial<Anthropic.MessageCreateParamsNonStreaming> = {},
  ): Promise<Anthropic.Message> =>
    client.messages.create({ ...base, ...change, diagnostics: { previous_message_id: previous } });
  const reasonFor = async (change: Partial<Anthropic.MessageCreateParamsNonStreaming>) => {
    const { id } = await ask(null);
    return (await ask(id, change)).diagnostics?.cache_miss_reason?.type;
  };

  it('says nothing unless it is asked, of a first request, and of one that only goes on', async () => {
    assert.equal((await client.messages.create(base)).diagnostics, null);
    const first = await ask(null);
    assert.equal(first.diagnostics, null);
    assert.equal((await ask(first.id, { messages: more })).diagnostics, null);
  });

  const changes: Readonly<Record<string, Partial<Anthropic.MessageCreateParamsNonStreaming>>> = {
    model_changed: { model: 'claude-fable-5-2' },
    tools_changed: { tools: [{ ...readFileTool, description: 'Reads.' }] },
    system_changed: { system: 'Be brief.' },
    messages_changed: { messages: [{ role: 'user', content: 'Hello?' }, ...more.slice(1)] },
    unavailable: { output_config: { effort: 'low' } },
  };
  for (const [reason, change] of Object.entries(changes)) {
    it(`says ${reason}`, async () => {
      assert.equal(await reasonFor({ messages: more, ...change }), reason);
    });
  }

  it('says the first of several, and about how much it is', async () => {
    const first = await ask(null);
    const { diagnostics } = await ask(first.id, {
      ...changes['system_changed'],
      ...changes['tools_changed'],
    });
    assert.ok(diagnostics?.cache_miss_reason?.type === 'tools_changed');
    assert.equal(diagnostics.cache_miss_reason.cache_missed_input_tokens, first.usage.input_tokens);
  });

  it('compares what was asked, marks aside and whatever the cache held', async () => {
    const { id } = await ask(null);
    standIn.dropCache();
    const marked: Anthropic.TextBlockParam[] = [
      { type: 'text', text: 'Be kind.', cache_control: { type: 'ephemeral', ttl: '1h' } },
    ];
    assert.equal((await ask(id, { system: marked, messages: more })).diagnostics, null);
  });

  it('does not know ids that it never gave, of requests that did not ask, and after an hour', async () => {
    const notFound = { cache_miss_reason: { type: 'previous_message_not_found' } };
    assert.deepEqual((await ask('msg_nobody')).diagnostics, notFound);
    const { id } = await client.messages.create(base);
    assert.deepEqual((await ask(id)).diagnostics, notFound);
    const asked = await ask(null);
    now += 3_600_001;
    assert.deepEqual((await ask(asked.id)).diagnostics, notFound);
  });

  it('says it in the first event of a stream', async () => {
    const { id } = await ask(null);
    const stream = client.messages.stream({
      ...base,
      system: 'Be brief.',
      diagnostics: { previous_message_id: id },
    });
    for await (const event of stream) {
      assert.ok(event.type === 'message_start');
      assert.equal(event.message.diagnostics?.cache_miss_reason?.type, 'system_changed');
      break;
    }
  });

  const refused: Readonly<Record<string, unknown>> = {
    'a text': 'msg_1',
    'another key': { previous_message: 'msg_1' },
    'an id that is none': { previous_message_id: 1 },
  };
  for (const [what, diagnostics] of Object.entries(refused)) {
    it(`refuses ${what}`, async () => {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it is wrong on purpose
      const params = { ...base, diagnostics } as Anthropic.MessageCreateParamsNonStreaming;
      await assert.rejects(client.messages.create(params), /diagnostics/);
    });
  }

  it('can be a host that does not know them', async () => {
    standIn.lacks('diagnostics');
    await assert.rejects(ask(null), /diagnostics: Extra inputs are not permitted/);
    assert.equal((await client.messages.create(base)).diagnostics, null);
  });
});
