import assert from 'node:assert/strict';
import type Anthropic from '@anthropic-ai/sdk';
import { findModel } from '../../../support/claude/models';
import { createPromptCache } from '../../../support/claude/promptCache';
import { png } from '../../../support/claude/sampleImages';
import { reply, text } from '../../../support/claude/script';
import { startStandIn, type StandIn } from '../../../support/claude/standIn';
import { cpuTime } from '../../../support/cpuTime';
import { clientOf, readFileTool } from './client';

describe('the prompt cache of the stand-in', () => {
  let standIn: StandIn;
  let client: Anthropic;
  let now = 0;

  before(async () => {
    standIn = await startStandIn({ mind: reply(text('ok')), clock: () => now });
    client = clientOf(standIn);
  });
  beforeEach(() => {
    standIn.reset();
    now = 1_000_000;
  });
  after(() => standIn.close());

  /** What a request reads from the cache, writes to it, and pays in full. */
  const costOf = async (params: Partial<Anthropic.MessageCreateParamsNonStreaming>) => {
    const { usage } = await client.messages.create({ ...base, ...params });
    return {
      read: usage.cache_read_input_tokens,
      written: usage.cache_creation_input_tokens,
      full: usage.input_tokens,
    };
  };
  const sizeOf = async (params: Partial<Anthropic.MessageCreateParamsNonStreaming>) => {
    const { max_tokens: _, ...rest } = { ...base, ...params };
    return (await client.messages.countTokens(rest)).input_tokens;
  };

  it('follows a conversation: each turn reads all that the one before wrote', async () => {
    const first = [person('What is tea?')];
    const second = [...first, claude('A drink.'), person('And coffee?')];
    const third = [...second, claude('Another.'), person('And water?')];
    const sizes = [
      await sizeOf({ messages: first }),
      await sizeOf({ messages: second }),
      await sizeOf({ messages: third }),
    ];
    const [one = 0, two = 0, three = 0] = sizes;
    assert.deepEqual(await costOf({ messages: first }), { read: 0, written: one, full: 0 });
    assert.deepEqual(await costOf({ messages: second }), { read: one, written: two - one, full: 0 });
    assert.deepEqual(await costOf({ messages: third }), { read: two, written: three - two, full: 0 });
    assert.deepEqual(await costOf({ messages: third }), { read: three, written: 0, full: 0 });
  });

  it('caches nothing that is not marked, and nothing past the last mark', async () => {
    const messages = [person('Hello')];
    const whole = await sizeOf({ messages });
    const { cache_control: _, ...unmarked } = base;
    const plain = async (system: Anthropic.TextBlockParam[]) => {
      const { usage } = await client.messages.create({ ...unmarked, system, messages });
      return [usage.cache_read_input_tokens, usage.cache_creation_input_tokens, usage.input_tokens];
    };
    assert.deepEqual(await plain([{ type: 'text', text: instructions }]), [0, 0, whole]);
    const marked: Anthropic.TextBlockParam[] = [
      { type: 'text', text: instructions, cache_control: { type: 'ephemeral' } },
    ];
    const hello = (await sizeOf({ messages })) - (await sizeOf({ messages: [person('x')] })) + 1;
    assert.deepEqual(await plain(marked), [0, whole - hello, hello]);
    assert.deepEqual(await plain(marked), [whole - hello, 0, hello]);
  });

  it('caches nothing below the minimum of the model', async () => {
    const short = { system: 'x'.repeat(1500), messages: [person('Hello')] };
    const total = await sizeOf(short);
    assert.ok(total < 512);
    assert.deepEqual(await costOf(short), { read: 0, written: 0, full: total });
    assert.deepEqual(await costOf(short), { read: 0, written: 0, full: total });
  });

  it('misses when anything before the mark differs, even the order of keys', async () => {
    const messages = [person('Hello')];
    await costOf({ messages });
    for (const [what, change] of Object.entries({
      model: { model: 'claude-fable-5-2' },
      tools: { tools: [readFileTool] },
      system: { system: `${instructions}.` },
    })) {
      assert.equal((await costOf({ messages, ...change })).read, 0, what);
    }
    assert.ok((await costOf({ messages })).read! > 0);
    const use = (input: object): Anthropic.MessageParam[] => [
      ...messages,
      { role: 'assistant', content: [{ type: 'tool_use', id: 'a', name: 'read_file', input }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'x' }] },
    ];
    const tools = [readFileTool];
    await costOf({ tools, messages });
    const written = (await costOf({ tools, messages: use({ path: 'a', line: 1 }) })).written!;
    assert.equal((await costOf({ tools, messages: use({ path: 'a', line: 1 }) })).written, 0);
    assert.equal((await costOf({ tools, messages: use({ line: 1, path: 'a' }) })).written, written);
  });

  it('keeps tools and system when only a setting of the messages changes', async () => {
    const system: Anthropic.TextBlockParam[] = [
      { type: 'text', text: instructions, cache_control: { type: 'ephemeral' } },
    ];
    const messages = [person('Hello')];
    const { written } = await costOf({ system, messages, tools: [readFileTool] });
    for (const [what, change] of Object.entries({
      effort: { output_config: { effort: 'low' } },
      thinking: { thinking: { type: 'adaptive', display: 'summarized' } },
      tool_choice: { tool_choice: { type: 'none' } },
      image: { messages: [...messages, { role: 'user', content: [image] }] },
    } satisfies Record<string, Partial<Anthropic.MessageCreateParamsNonStreaming>>)) {
      const { read } = await costOf({ system, messages, tools: [readFileTool], ...change });
      assert.ok(read! > 1000 && read! < written!, `${what}: ${read} of ${written}`);
    }
  });

  it('forgets after five minutes, counted from the last read', async () => {
    const messages = [person('Hello')];
    const { written } = await costOf({ messages });
    now += 299_000;
    assert.equal((await costOf({ messages })).read, written);
    now += 299_000;
    assert.equal((await costOf({ messages })).read, written);
    now += 300_000;
    assert.equal((await costOf({ messages })).read, 0);
  });

  it('keeps alive what a longer prompt reads', async () => {
    const messages = [person('Hello')];
    const { written } = await costOf({ messages });
    now += 299_000;
    await costOf({ messages: [...messages, claude('Hi.'), person('How are you?')] });
    now += 299_000;
    assert.equal((await costOf({ messages })).read, written);
  });

  it('keeps for an hour what is marked so, and reports the two apart', async () => {
    const system: Anthropic.TextBlockParam[] = [
      { type: 'text', text: instructions, cache_control: { type: 'ephemeral', ttl: '1h' } },
    ];
    const messages = [person('Hello')];
    const { usage } = await client.messages.create({ ...base, system, messages });
    const long = usage.cache_creation?.ephemeral_1h_input_tokens;
    const short = usage.cache_creation?.ephemeral_5m_input_tokens;
    assert.ok(long! > 1000 && short! > 0);
    assert.equal(usage.cache_creation_input_tokens, long! + short!);
    now += 59 * 60_000;
    assert.deepEqual(await costOf({ system, messages }), { read: long, written: short, full: 0 });
  });

  it('looks back twenty blocks from a mark, and no further', async () => {
    const start = [person('Hello')];
    const { written } = await costOf({ messages: start });
    const grown = (blocks: number): Anthropic.MessageParam[] => [
      ...start,
      {
        role: 'user',
        content: Array.from({ length: blocks }, (_, at) => ({ type: 'text', text: `note ${at}` })),
      },
    ];
    assert.equal((await costOf({ messages: grown(20) })).read, 0);
    assert.equal((await costOf({ messages: grown(19) })).read, written);
  });

  it('looks back from each mark on its own', async () => {
    const system: Anthropic.TextBlockParam[] = [
      { type: 'text', text: instructions, cache_control: { type: 'ephemeral' } },
    ];
    await costOf({ system, messages: [person('Hello')] });
    const long: Anthropic.TextBlockParam[] = Array.from({ length: 40 }, (_, at) => ({
      type: 'text',
      text: `note ${at}`,
    }));
    assert.ok((await costOf({ system, messages: [{ role: 'user', content: long }] })).read! > 1000);
  });

  it('takes time in proportion to the request', () => {
    const best = (messages: number) => Math.min(...[1, 2, 3].map(() => timeFor(messages)));
    const ratio = best(20_001) / best(2001);
    assert.ok(ratio < 40, `ten times the messages took ${ratio.toFixed(1)} times as long`);
  });
});

const instructions = 'You are careful. '.repeat(300);

const base = {
  model: 'claude-opus-5-5',
  max_tokens: 100,
  system: instructions,
  cache_control: { type: 'ephemeral' },
  messages: [],
} satisfies Anthropic.MessageCreateParamsNonStreaming;

const image: Anthropic.ImageBlockParam = {
  type: 'image',
  source: { type: 'base64', media_type: 'image/png', data: png(10, 10).toString('base64') },
};

function person(said: string): Anthropic.MessageParam {
  return { role: 'user', content: said };
}

function claude(said: string): Anthropic.MessageParam {
  return { role: 'assistant', content: said };
}

/** What a few requests of this many messages take. */
function timeFor(turns: number): number {
  const messages = Array.from({ length: turns }, (_, at) =>
    at % 2 ? claude('x'.repeat(200)) : person('y'.repeat(200)),
  );
  return cpuTime(() => {
    const cache = createPromptCache(() => 0);
    for (let repeat = 0; repeat < 3; repeat++) cache.use({ ...base, messages }, findModel(base.model)!);
  });
}
