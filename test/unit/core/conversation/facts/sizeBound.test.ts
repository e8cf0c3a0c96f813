import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { SizeBound } from '../../../../../src/core/conversation/facts/sizeBound';
import { encodeMemory } from '../../../../../src/core/conversation/savedForm';
import { jsonBytes } from '../../../../../src/core/json';
import type { Message } from '../../../../../src/core/messages';
import { refusal } from '../../../../support/conversation/accepted';
import { exchange, remembered, TestWorkspace } from '../../../../support/conversation/testWorkspace';

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
  workspace.limits = { maxTurns: 0, timeoutSeconds: 0, eviction: 'oldest', tokenBudget: 0, whenFull: 'drop' };
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

  it('M23: over several conversations the oldest turns of all leave first, the newest of each last', async () => {
    const { workspace, memory } = await unlimited();
    for (const [index, conversation] of ['one', 'two', 'one', 'two', 'one', 'two'].entries()) {
      workspace.now += 1;
      await memory
        .forConversation(conversation)
        .saveTurn(workspace.turn(`t${index}`, answering(`t${index}`, 60_000)));
    }
    assert.deepEqual(
      [remembered(memory, 'one'), remembered(memory, 'two')],
      [
        ['t2', 't4'],
        ['t3', 't5'],
      ],
    );
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
        assert.ok(new SizeBound().total(conversations) >= jsonBytes(encodeMemory(conversations)));
        assert.equal(refusal(chat.history()), undefined);
        assert.equal(chat.history().length % 4, 0);
        assert.equal(chat.snapshot()?.turns.at(-1)?.id, `t${turns.length - 1}`);
      }),
      { numRuns: 30 },
    );
  });
});
