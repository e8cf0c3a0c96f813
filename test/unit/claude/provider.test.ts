import assert from 'node:assert/strict';
import { createClaude } from '../../../src/claude/client';
import {
  providerAnswer,
  type ProviderRequest,
  createThinkingCache,
} from '../../../src/core/agent/providerAnswer';
import { toBase64 } from '../../../src/core/media';
import { blocksOf, type ContentBlock, type Message, type ToolUseBlock } from '../../../src/core/messages';
import { png } from '../../support/claude/sampleImages';
import { reply, text, thinking, toolUse } from '../../support/claude/script';
import { startStandIn, type StandIn } from '../../support/claude/standIn';
import { tool } from '../../support/turns';

/** What VS Code's own agent and other extensions send, over HTTP to a stand-in as strict as the API. */
describe('P2: callers of the model provider', () => {
  let standIn: StandIn;
  before(async () => {
    standIn = await startStandIn();
  });
  beforeEach(() => standIn.reset());
  after(() => standIn.close());

  const look = tool('look', () => assert.fail('callers run their own tools'));
  const system = [{ type: 'text', text: 'You are an agent. '.repeat(1_000) }] as const;
  const person = (content: string): Message => ({ role: 'user', content });
  const called = (id: string): ToolUseBlock => ({ type: 'tool_use', id, name: 'look', input: { at: id } });
  const result = (id: string): ContentBlock => ({
    type: 'tool_result',
    tool_use_id: id,
    content: `saw ${id}`,
  });

  function caller(modelId = 'claude-opus-5-5') {
    const cache = createThinkingCache();
    const model = createClaude({ apiKey: async () => 'sk-ant-test-0123456789', baseUrl: standIn.url });
    return async (request: Partial<ProviderRequest> & Pick<ProviderRequest, 'messages'>): Promise<string> => {
      const options = { model, thinking: cache, wait: () => Promise.resolve(), random: () => 0 };
      let said = '';
      const { signal } = new AbortController();
      for await (const event of providerAnswer(
        { modelId, system, tools: [look], ...request },
        options,
        signal,
      )) {
        if (event.type === 'text-delta') said += event.text;
      }
      return said;
    };
  }

  const rounds = (...ids: readonly string[]): Message[] =>
    ids.flatMap((id): Message[] => [
      { role: 'assistant', content: [called(id)] },
      { role: 'user', content: [result(id)] },
    ]);

  const refusals = () => standIn.journal.refused.map(({ outcome }) => outcome.problem?.message);

  it('L10, L9: goes on with its thoughts though callers cannot send them, and reads the cache', async () => {
    const ask = caller();
    standIn.script(
      reply(thinking('first'), toolUse('look', { at: 'a' }, { id: 'a' })),
      reply(thinking('second'), toolUse('look', { at: 'b' }, { id: 'b' })),
      reply(text('Done.')),
    );
    const messages = [person('look around')];
    await ask({ messages });
    await ask({ messages: [...messages, ...rounds('a')] });
    assert.equal(await ask({ messages: [...messages, ...rounds('a', 'b')] }), 'Done.');
    assert.deepEqual(refusals(), []);
    const usages = standIn.journal.messages.map(({ outcome }) => outcome.usage);
    assert.ok(usages.slice(1).every((usage) => (usage?.cache_read_input_tokens ?? 0) > 3_000));
    assert.ok(usages.slice(1).every((usage) => (usage?.input_tokens ?? 0) < 100));
  });

  it('L10: goes on without them when the caller has changed what stands before', async () => {
    const ask = caller();
    standIn.script(reply(thinking('hm'), toolUse('look', { at: 'a' }, { id: 'a' })), reply(text('Done.')));
    await ask({ messages: [person('look')] });
    assert.equal(await ask({ messages: [person('look, please'), ...rounds('a')] }), 'Done.');
    assert.match(String(refusals()[0]), /bound to a different conversation/);
  });

  it('M9: makes pairs of calls and results, and lets nothing empty or foreign through', async () => {
    const ask = caller('claude-sonnet-4-6');
    const image = (bytes: Uint8Array): ContentBlock => ({
      type: 'image',
      source: { type: 'base64', media_type: 'image/png', data: toBase64(bytes) },
    });
    const histories: readonly (readonly Message[])[] = [
      // Cut at the front, as agents do it.
      [...rounds('a').toReversed(), person('and now?')],
      // Stopped between a call and its result, then asked again.
      [person('look'), { role: 'assistant', content: [called('a'), called('b')] }, person('stop that')],
      [person('look'), ...rounds('a'), { role: 'user', content: [result('a'), result('z')] }],
      // The last word is the model's own.
      [person('hi'), { role: 'assistant', content: 'Hello' }],
      [person('hi'), { role: 'assistant', content: [{ type: 'text', text: ' ' }] }, person('half \ud83d')],
      [{ role: 'user', content: Array.from({ length: 25 }, () => image(png(3_000, 2))) }],
      [person('hi'), { role: 'assistant', content: [image(png(2, 2))] }, person('nice')],
      [],
    ];
    for (const messages of histories) {
      standIn.script(reply(text('ok')));
      assert.equal(await ask({ messages }), 'ok', JSON.stringify(refusals()));
    }
    assert.deepEqual(refusals(), []);
  });

  it('defines the tools that a history used, also when none is offered any more', async () => {
    standIn.script(reply(text('Fine.')));
    const messages = [person('look'), ...rounds('a'), { role: 'assistant', content: 'Seen.' } as const];
    assert.equal(await caller()({ messages: [...messages, person('sum it up')], tools: [] }), 'Fine.');
    assert.deepEqual(refusals(), []);
  });

  it('keeps the newest images where there are too many', async () => {
    standIn.script(reply(text('ok')));
    const images = Array.from({ length: 25 }, (_, number) => png(number + 1, 1));
    const messages = images.flatMap((bytes): Message[] => [
      {
        role: 'user',
        content: [
          { type: 'image', source: { type: 'base64', media_type: 'image/png', data: toBase64(bytes) } },
        ],
      },
      { role: 'assistant', content: 'Nice.' },
    ]);
    await caller()({ messages: [...messages, person('all seen?')] });
    const { messages: sent } = standIn.journal.messages[0]!.body as { messages: Message[] };
    assert.deepEqual(
      sent.flatMap((message) => (message.role === 'user' ? [blocksOf(message)[0]?.type] : [])),
      [...Array.from({ length: 5 }, () => 'text'), ...Array.from({ length: 20 }, () => 'image'), 'text'],
    );
  });
});
