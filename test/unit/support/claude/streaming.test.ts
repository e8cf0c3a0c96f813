import assert from 'node:assert/strict';
import type Anthropic from '@anthropic-ai/sdk';
import { gate, reply, text, thinking, toolUse, words } from '../../../support/claude/script';
import { startStandIn, type StandIn } from '../../../support/claude/standIn';
import { clientOf, hello, readFileTool } from './client';

describe('the stand-in, streaming', () => {
  let standIn: StandIn;
  let client: Anthropic;

  before(async () => {
    standIn = await startStandIn();
    client = clientOf(standIn);
  });
  beforeEach(() => standIn.reset());
  after(() => standIn.close());

  it('tells a scripted dialogue: text, a tool use, its result, the answer', async () => {
    standIn.script(
      reply(text('Let me ', 'look.'), toolUse('read_file', { path: 'a.ts' }, { id: 'toolu_1' })),
      reply(text('Done.')),
    );
    const first = await client.messages.stream({ ...hello, tools: [readFileTool] }).finalMessage();
    assert.equal(first.stop_reason, 'tool_use');
    assert.deepEqual(first.content, [
      { type: 'text', text: 'Let me look.', citations: null },
      {
        type: 'tool_use',
        id: 'toolu_1',
        name: 'read_file',
        input: { path: 'a.ts' },
        caller: { type: 'direct' },
      },
    ]);
    const second = await client.messages
      .stream({
        ...hello,
        tools: [readFileTool],
        messages: [
          ...hello.messages,
          { role: 'assistant', content: first.content },
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'let a;' }] },
        ],
      })
      .finalMessage();
    assert.deepEqual(
      [second.stop_reason, second.content],
      ['end_turn', [{ type: 'text', text: 'Done.', citations: null }]],
    );
    assert.deepEqual([standIn.remaining, standIn.journal.refused], [0, []]);
  });

  it('holds a stream at a gate until the test opens it', async () => {
    const door = gate();
    standIn.script(reply(text('before ', door, 'after')));
    const stream = client.messages.stream(hello);
    const shown = stream.emitted('text');
    await Promise.all([door.reached, shown]);
    assert.equal(stream.currentMessage?.content.length, 1);
    assert.equal(standIn.journal.messages[0]?.outcome.state, 'open');
    door.open();
    assert.equal(await stream.finalText(), 'before after');
  });

  it('says a text word by word', async () => {
    standIn.script(reply(words('One two  three')));
    const heard: string[] = [];
    await client.messages
      .stream(hello)
      .on('text', (delta) => heard.push(delta))
      .done();
    assert.deepEqual(heard, ['One ', 'two  ', 'three']);
  });

  it('answers in one piece when it is not asked to stream', async () => {
    standIn.script(reply(text('Hi ', 'there.')));
    const message = await client.messages.create(hello);
    assert.deepEqual(message.content, [{ type: 'text', text: 'Hi there.', citations: null }]);
    assert.equal(message.stop_reason, 'end_turn');
    assert.match(message._request_id ?? '', /^req_/);
  });

  it('thinks in the open, in secret, or not at all, as the request says', async () => {
    const think = reply(thinking('Hm, ', 'hello.'), text('Hello!'));
    const ask = async (params: Partial<Anthropic.MessageStreamParams>) => {
      standIn.script(think);
      const { content } = await client.messages.stream({ ...hello, ...params }).finalMessage();
      return content.map((block) => (block.type === 'thinking' ? `thinking:${block.thinking}` : block.type));
    };
    assert.deepEqual(await ask({ thinking: { type: 'adaptive', display: 'summarized' } }), [
      'thinking:Hm, hello.',
      'text',
    ]);
    assert.deepEqual(await ask({ thinking: { type: 'adaptive', display: 'omitted' } }), [
      'thinking:',
      'text',
    ]);
    assert.deepEqual(await ask({}), ['thinking:', 'text']);
    assert.deepEqual(await ask({ model: 'claude-haiku-5-5', thinking: { type: 'disabled' } }), ['text']);
    assert.deepEqual(await ask({ model: 'claude-opus-4-8' }), ['text']);
  });

  it('reports usage at the start and in full at the end, thinking included', async () => {
    standIn.script(reply(thinking('x'.repeat(1000)), text('y'.repeat(100))));
    const stream = client.messages.stream(hello);
    const reported: unknown[] = [];
    for await (const part of stream) {
      if (part.type === 'message_start') reported.push(part.message.usage.output_tokens);
      if (part.type === 'message_delta') reported.push(part.usage);
    }
    const { input_tokens: input } = await client.messages.countTokens({
      model: hello.model,
      messages: hello.messages,
    });
    assert.deepEqual(reported, [
      1,
      {
        input_tokens: input,
        cache_creation_input_tokens: 0,
        cache_read_input_tokens: 0,
        output_tokens: 325 + 33,
        output_tokens_details: { thinking_tokens: 325 },
        server_tool_use: null,
      },
    ]);
  });

  it('says loudly that the script has no reply for a request', async () => {
    await assert.rejects(client.messages.stream(hello).finalMessage(), {
      status: 500,
      message: /no reply left for request 1, whose last message is user: Hello/,
    });
    assert.equal(standIn.journal.refused.length, 1);
  });
});
