import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { bytesOf, fitSize, maxStateBytes } from '../../../../src/core/conversation/fitSize';
import type { ConversationMemory } from '../../../../src/core/conversation/memory/memory';
import { encodeMemory } from '../../../../src/core/conversation/savedForm';
import type { Conversation } from '../../../../src/core/conversation/turn';
import type { Message } from '../../../../src/core/messages';
import { jsonBytes } from '../../../../src/core/text/json';
import { refusal } from '../../../support/conversation/accepted';
import { noLimits } from '../../../support/conversation/limits';
import { aConversation, aTurn } from '../../../support/conversation/stored';
import { exchange, remembered, TestWorkspace } from '../../../support/conversation/testWorkspace';

type Chat = ReturnType<ConversationMemory['forConversation']>;

const limit = 256 * 1024;

/** A turn whose tool returned this much. */
function reading(name: string, characters: number, answer = `answer ${name}`): Message[] {
  return [
    { role: 'user', content: `question ${name}` },
    { role: 'assistant', content: [{ type: 'tool_use', id: `use-${name}`, name: 'read_file', input: {} }] },
    {
      role: 'user',
      content: [{ type: 'tool_result', tool_use_id: `use-${name}`, content: 'x'.repeat(characters) }],
    },
    { role: 'assistant', content: answer },
  ];
}

function answering(name: string, characters: number): Message[] {
  return [
    { role: 'user', content: `question ${name}` },
    { role: 'assistant', content: 'y'.repeat(characters) },
  ];
}

async function unlimited() {
  const workspace = new TestWorkspace();
  workspace.limits = noLimits;
  return { workspace, ...(await workspace.reopen()) };
}

describe('size bound', () => {
  it('M23: long results of older turns are shortened first, with a mark, and no turn leaves for it', async () => {
    const { workspace, chat, memory, store } = await unlimited();
    const names = Array.from({ length: 12 }, (_, index) => `t${index}`);
    for (const name of names) await chat.saveTurn(workspace.turn(name, reading(name, 30_000)));
    assert.deepEqual(remembered(memory), names);
    store.flush();
    assert.ok(workspace.state.bytes < limit);
    const results = chat
      .history()
      .filter((_, index) => index % 4 === 2)
      .map((message) => JSON.stringify(message));
    assert.match(results[0]!, /shortened to keep memory small: 28100 of 30000 characters left out/);
    assert.ok(results[0]!.length < 2_500);
    assert.ok(results.at(-1)!.length > 30_000, 'the newest is whole');
    assert.equal(refusal(chat.history()), undefined);
  });

  it('M23: then the oldest turns leave, also with maxTurns 0, pinned ones last', async () => {
    const { workspace, chat, memory, store } = await unlimited();
    await chat.saveTurn(workspace.turn('pinned', answering('pinned', 50_000)));
    await chat.setPinned('pinned', true);
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f'])
      await chat.saveTurn(workspace.turn(name, answering(name, 50_000)));
    assert.deepEqual(remembered(memory), ['pinned', 'c', 'd', 'e', 'f']);
    store.flush();
    assert.ok(workspace.state.bytes < limit);
  });

  it('M23: one turn that is larger than all there is room for is shortened, not lost', async () => {
    const { workspace, chat, memory, store } = await unlimited();
    await chat.saveTurn(workspace.turn('a', reading('a', 900_000, '\u{1F600}'.repeat(300_000))));
    assert.deepEqual(remembered(memory), ['a']);
    store.flush();
    assert.ok(workspace.state.bytes < limit);
    assert.equal(refusal(chat.history()), undefined);
  });

  it('M23: bytes count, not characters', async () => {
    const { workspace, chat, store } = await unlimited();
    for (let index = 0; index < 10; index++) {
      await chat.saveTurn(
        workspace.turn(`t${index}`, [
          exchange('x')[0]!,
          { role: 'assistant', content: '\u6587'.repeat(20_000) },
        ]),
      );
    }
    store.flush();
    assert.ok(workspace.state.bytes < limit);
    assert.ok(workspace.state.bytes > limit / 2);
  });

  it('M23: what was set aside is part of the sum', async () => {
    const workspace = new TestWorkspace();
    const before = workspace.state.openWindow();
    await before.update('assistant.memory', 'z'.repeat(100_000));
    before.flush();
    const { chat, store, memory } = await workspace.reopen();
    for (let index = 0; index < 8; index++)
      await chat.saveTurn(workspace.turn(`t${index}`, reading(`t${index}`, 30_000)));
    store.flush();
    assert.equal(memory.setAside().length, 1);
    assert.ok(workspace.state.bytes < limit);
  });

  it('M9, M23: over several conversations the oldest end and are archived, and no turn of the others leaves', async () => {
    const { workspace, memory } = await unlimited();
    for (const [index, conversation] of ['one', 'two', 'three', 'two', 'one', 'two'].entries()) {
      workspace.now += 1;
      await memory
        .forConversation(conversation)
        .saveTurn(workspace.turn(`t${index}`, answering(`t${index}`, 60_000)));
    }
    const kept = ['one', 'two', 'three'].map((id) => remembered(memory, id));
    assert.deepEqual(kept, [[], ['t1', 't3', 't5'], []]);
    const archived = await memory.archived();
    assert.deepEqual(
      archived.map(({ title, turns, ending }) => [title, turns, ending.kind]),
      [
        ['question t0', 2, 'left'],
        ['question t2', 1, 'left'],
      ],
    );
  });

  it('M23: the conversation in which something was just said does not end for it, though the clock stands still', async () => {
    const { workspace, memory } = await unlimited();
    for (const [index, conversation] of ['one', 'two', 'one'].entries()) {
      await memory
        .forConversation(conversation)
        .saveTurn(workspace.turn(`t${index}`, answering(`t${index}`, 100_000)));
    }
    assert.deepEqual([remembered(memory, 'one'), remembered(memory, 'two')], [['t0', 't2'], []]);
  });

  it('M23: a conversation in which a turn runs ends last', async () => {
    const { workspace, memory } = await unlimited();
    const [one, two] = ['one', 'two'].map((id) => memory.forConversation(id)) as [Chat, Chat];
    await one.saveTurn(workspace.turn('a', answering('a', 60_000)));
    const running = workspace.turn('c', answering('c', 1_000));
    one.begin(running);
    workspace.now += 1;
    for (const id of ['b', 'd', 'e', 'f']) await two.saveTurn(workspace.turn(id, answering(id, 60_000)));
    await one.saveTurn(running);
    assert.deepEqual(remembered(memory, 'one'), ['a', 'c']);
  });

  it('M9: with 50 conversations that have summaries, params and questions, live turns stay and old ones are archived', async () => {
    const { workspace, memory, store } = await unlimited();
    for (let index = 0; index < 50; index++) {
      workspace.now += 1;
      const chat = memory.forConversation(`thread-${index}`);
      for (const part of ['a', 'b', 'c']) {
        await chat.saveTurn(workspace.turn(`${part}${index}`, answering(`${part}${index}`, 1_000)));
      }
      await chat.summarize('s'.repeat(8_000), [`a${index}`]);
      await chat.merge({ p: 'v'.repeat(1_000) });
    }
    store.flush();
    assert.ok(workspace.state.bytes < limit, `${workspace.state.bytes} bytes`);
    const live = memory.conversations();
    assert.ok(live.length > 15, `only ${live.length} are left`);
    assert.deepEqual(
      live.filter(({ turns }) => turns.length !== 2),
      [],
    );
    assert.deepEqual(live.map(({ id }) => id).at(-1), 'thread-49');
    assert.equal((await memory.archived()).length, 50 - live.length);
    const [oldest] = (await memory.archived()).toReversed();
    const whole = await memory.archivedConversation(oldest?.id ?? '');
    assert.deepEqual(
      [whole?.turns.map(({ id }) => id), whole?.summarized.map(({ id }) => id)],
      [['b0', 'c0'], ['a0']],
    );
  });

  it('M9: nothing is cut when it cannot help', () => {
    const turns = ['a', 'b', 'c'].map((id, order) => aTurn(id, { order }));
    const waiting = {
      param: 'p',
      question: 'q'.repeat(300_000),
      turnId: 'c',
      askedAt: 1,
      tries: 1,
      toolUse: { type: 'tool_use', id: 'u', name: 'ask_user', input: {} },
      results: [],
    } as const;
    const fit = fitSize([aConversation('one', { turns, waiting })], maxStateBytes);
    assert.deepEqual([fit.conversations[0]?.turns, fit.evicted, fit.ended], [turns, [], []]);
  });

  it('M23, F26: whatever is saved stays below the bound and valid, whole turns only', async () => {
    const turn = fc.tuple(fc.nat(60_000), fc.nat(40_000), fc.boolean());
    await fc.assert(
      fc.asyncProperty(fc.array(turn, { minLength: 5, maxLength: 25 }), async (turns) => {
        const { workspace, chat, memory, store } = await unlimited();
        for (const [index, [result, answer, isPinned]] of turns.entries()) {
          const name = `t${index}`;
          await chat.saveTurn(workspace.turn(name, reading(name, result, `answer ${'z'.repeat(answer)}`)));
          if (isPinned) await chat.setPinned(name, true);
        }
        store.flush();
        assert.ok(workspace.state.bytes < limit);
        const conversations = memory.conversations();
        const counted = conversations.reduce((sum, one) => sum + bytesOf(one), 64);
        assert.ok(counted >= jsonBytes(encodeMemory(conversations, 1_000_000)));
        assert.equal(refusal(chat.history()), undefined);
        assert.equal(chat.history().length % 4, 0);
        assert.equal(chat.snapshot()?.turns.at(-1)?.id, `t${turns.length - 1}`);
      }),
      { numRuns: 30 },
    );
  });

  it('M23: keeps all that fits to the last byte, and evicts for one byte too many', () => {
    const sizeOf = (all: readonly Conversation[]) => all.reduce((sum, one) => sum + bytesOf(one), 64);
    const two = ['old', 'new'].map((id) => aConversation(id, { turns: [aTurn(id)] }));
    assert.equal(fitSize(two, sizeOf(two)).conversations, two);
    assert.deepEqual(fitSize(two, sizeOf(two) - 1), {
      conversations: two.slice(1),
      evicted: [],
      ended: two.slice(0, 1),
    });
    const [first, second] = [aTurn('first'), aTurn('second', { order: 2 })];
    const one = [aConversation('only', { turns: [first, second] })];
    assert.equal(fitSize(one, sizeOf(one)).conversations, one);
    const fit = fitSize(one, sizeOf(one) - 1);
    assert.deepEqual(
      [fit.conversations, fit.evicted.map(({ turn }) => turn), fit.ended],
      [[aConversation('only', { turns: [second] })], [first], []],
    );
  });

  it('M18, M23: a summary that stands for a thousand turns takes no room from those that are remembered', () => {
    const summarized = Array.from({ length: 1_000 }, (_, index) =>
      aTurn(`0b5e1c1e-0000-4000-8000-${index}`, { order: index, thread: 'thread', activation: 'activation' }),
    );
    const turns = ['a', 'b'].map((id) => aTurn(id, { order: 10_000, messages: answering(id, 60_000) }));
    const summary = { text: 'Much was said.', at: 1, turns: summarized.length };
    const all = [aConversation('c', { turns, summarized, summary })];
    assert.ok(jsonBytes(encodeMemory(all, 1)) < limit);
    assert.equal(fitSize(all, limit).conversations, all);
  });
});
