import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { decodeMemory, encodeMemory } from '../../../../src/core/conversation/savedForm';
import { refusal } from '../../../support/conversation/accepted';
import { damagedMessages } from '../../../support/conversation/storedMessages';
import { exchange, remembered, TestWorkspace } from '../../../support/conversation/testWorkspace';

const key = 'assistant.memory';
const now = new TestWorkspace().now;
const storedTurn = (id: string) => ({
  id,
  order: now,
  startedAt: now,
  endedAt: now,
  outcome: 'finished',
  messages: exchange(id),
});
const saved = (...turns: unknown[]) => ({
  version: 3,
  sequence: 5,
  conversations: { workspace: { lastActive: now, turns, summarized: [], params: [] } },
});

/** A workspace whose stored state holds this. */
async function storing(value: unknown, options: Parameters<TestWorkspace['open']>[0] = {}) {
  const workspace = new TestWorkspace();
  const before = workspace.state.openWindow();
  await before.update(key, value);
  before.flush();
  const window = await workspace.reopen(options);
  return { workspace, ...window };
}

describe('saved form', () => {
  it('M10: what is encoded is decoded the same, through JSON', async () => {
    const { chat, memory, workspace } = await storing(undefined);
    await chat.saveTurn({
      ...workspace.turn('a'),
      model: 'claude',
      usage: { input: 1, cacheRead: 2, cacheWrite: 3, output: 4 },
    });
    await chat.setPinned('a', true);
    await chat.merge({ order: '17', ['__proto__']: 'y', constructor: 'z' }, 'a');
    const conversations = memory.conversations();
    const loaded = decodeMemory(JSON.parse(JSON.stringify(encodeMemory(conversations, 17))));
    assert.deepEqual(loaded, { kind: 'loaded', sequence: 17, conversations, damaged: [] });
    assert.deepEqual(Object.keys(chat.params()), ['order', '__proto__', 'constructor']);
  });

  it('M13: of what a summary stands for, only the names go along, and of those the newest hundred', async () => {
    const { chat, memory, workspace } = await storing(undefined);
    workspace.limits = { ...workspace.limits, maxTurns: 0 };
    const ids = Array.from({ length: 130 }, (_, index) => `t${String(index).padStart(3, '0')}`);
    for (const id of ids) await chat.saveTurn({ ...workspace.turn(id), thread: 's', position: 1 });
    await chat.summarize('all of it', ids.slice(0, -1));
    const text = JSON.stringify(encodeMemory(memory.conversations(), 1));
    assert.doesNotMatch(text, /question t0/);
    const loaded = decodeMemory(JSON.parse(text));
    const told = loaded.kind === 'loaded' ? loaded.conversations[0]?.summarized : undefined;
    assert.deepEqual(
      told?.map(({ id }) => id),
      ids.slice(29, -1),
    );
    assert.deepEqual([told?.[0]?.thread, told?.[0]?.position, told?.[0]?.messages], ['s', 1, []]);
  });

  for (const version of [1, 2]) {
    it(`M10: version ${version} is known as an older one, and read by those who know it`, () => {
      assert.deepEqual(decodeMemory({ version, conversations: {} }), { kind: 'older' });
    });
  }

  it('M10, F21: a newer version is left untouched, said once, and the chat starts fresh beside it', async () => {
    const newer = { version: 4, conversations: [], somethingNew: true };
    const { chat, store, problems, workspace, close } = await storing(newer);
    assert.deepEqual(chat.history(), []);
    await chat.saveTurn(workspace.turn('a'));
    assert.deepEqual(store.get(key), newer);
    assert.deepEqual(
      problems.map(({ kind }) => kind),
      ['newer-version'],
    );
    close();
    const again = await workspace.reopen();
    assert.deepEqual(remembered(again.memory), ['a']);
    assert.deepEqual(again.store.get(key), newer);
  });

  it('M10: turns kept beside a newer version join the rest once ours is the version again', async () => {
    const { chat, store, workspace, close } = await storing({ version: 4 });
    await chat.saveTurn(workspace.turn('b'));
    await store.update(key, { ...saved({ ...storedTurn('a'), order: now - 1 }), sequence: 50 });
    close();
    const { memory, store: later, chat: laterChat } = await workspace.reopen();
    assert.deepEqual(remembered(memory), ['a', 'b']);
    await laterChat.saveTurn(workspace.turn('c'));
    assert.deepEqual(later.keys(), [key]);
  });

  for (const damage of [
    'truncated {"versi',
    7,
    [],
    null,
    {},
    { version: 'two' },
    { version: 3 },
    { version: 0, conversations: {} },
  ]) {
    it(`M10, F21: ${JSON.stringify(damage)} is set aside, said once, and the chat starts fresh`, async () => {
      const { chat, memory, store, problems, workspace, close } = await storing(damage);
      assert.deepEqual(chat.history(), []);
      assert.equal(problems.length, 1);
      const aside = store.get(problems[0]!.key!);
      assert.deepEqual(JSON.parse(JSON.stringify(aside)).data[0].data, damage);
      assert.deepEqual(memory.setAside(), [{ key: problems[0]!.key, value: aside }]);
      await chat.saveTurn(workspace.turn('a'));
      close();
      const again = await workspace.reopen();
      assert.deepEqual([remembered(again.memory), again.problems], [['a'], []]);
      assert.equal(again.memory.setAside().length, 1);
    });
  }

  it('M10, F22: one bad turn is set aside, the others load', async () => {
    const bad = { ...storedTurn('bad'), messages: 'lost' };
    const mute = {
      ...storedTurn('mute'),
      messages: [{ role: 'user', content: [{ type: 'text', text: 1.5 }] }],
    };
    const { memory, problems, store } = await storing(
      saved(storedTurn('a'), bad, mute, storedTurn('b'), null),
    );
    assert.deepEqual(remembered(memory), ['a', 'b']);
    assert.equal(problems.length, 1);
    assert.match(problems[0]!.message, /a turn of conversation workspace and 2 more/);
    assert.match(JSON.stringify(store.get(problems[0]!.key!)), /"messages":"lost"/);
  });

  it('M10: damaged data is not overwritten before it is safe', async () => {
    const workspace = new TestWorkspace();
    const before = workspace.state.openWindow();
    await before.update(key, 'precious');
    before.flush();
    const store = workspace.state.openWindow();
    store.failure = new Error('disk full');
    const { chat } = await workspace.reopen({ store });
    await chat.saveTurn(workspace.turn('a'));
    assert.equal(store.get(key), 'precious');
    store.failure = undefined;
    await chat.saveTurn(workspace.turn('b'));
    assert.equal(store.keys().length, 2);
    assert.match(JSON.stringify(store.keys().map((one) => store.get(one))), /precious/);
  });

  it('M10, X6: a turn that runs into the end of time is set aside, and what is said now stays the last', async () => {
    const { chat, memory, problems, workspace } = await storing(
      saved(storedTurn('a'), { ...storedTurn('late'), order: 2 ** 53 }),
    );
    assert.equal(problems.length, 1);
    await chat.saveTurn(workspace.turn('b'));
    assert.deepEqual(remembered(memory), ['a', 'b']);
  });

  it('M10, X4: what is no block of a message, in the record of a turn that was running, does not stop the rest', async () => {
    const workspace = new TestWorkspace();
    const first = await workspace.reopen();
    await first.chat.saveTurn(workspace.turn('a'));
    const go = { role: 'user', content: 'go' } as const;
    const use = { type: 'tool_use', id: 't', name: 'edit_file', input: {} } as const;
    await first.chat.begin(workspace.turn('x')).record([go, { role: 'user', content: 'more' }]);
    await first.chat.begin({ ...workspace.turn('y'), startedAt: workspace.now + 1 }).record([
      { role: 'user', content: 'question y' },
      { role: 'assistant', content: [use] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'edited' }] },
    ]);
    await workspace.rows(
      `UPDATE rounds SET message = '{"role":"user","content":[null]}' WHERE turn = 'x' AND position = 1`,
    );
    await workspace.rows(
      `UPDATE rounds SET message = replace(message, 'tool_result', 'tool_resul') WHERE turn = 'y'`,
    );
    first.kill();
    const second = await workspace.reopen();
    assert.ok(remembered(second.memory).includes('a'));
    assert.ok(remembered(second.memory).includes('y'), 'a result that cannot be read was one all the same');
    assert.equal(refusal(second.chat.history()), undefined);
  });

  it('M9, M10: whatever is stored, the chat goes on and the API accepts what is sent', async () => {
    const turn = fc.oneof(
      damagedMessages.map((messages) => Object.assign(storedTurn('x'), { messages })),
      fc.record({ id: fc.constantFrom('a', 'b', '', 3), order: fc.double(), messages: fc.jsonValue() }),
      fc.jsonValue(),
    );
    const stored = fc.oneof(
      fc.jsonValue(),
      fc.record({ version: fc.constantFrom(0, 1, 2, 3, 4, '3'), conversations: fc.jsonValue() }),
      fc.array(turn, { maxLength: 4 }).map((turns) => saved(...turns)),
    );
    await fc.assert(
      fc.asyncProperty(stored, async (value) => {
        const { chat, workspace, store } = await storing(value, { database: false });
        assert.equal(refusal(chat.history()), undefined);
        await chat.saveTurn(workspace.turn('new'));
        assert.equal(refusal(chat.history()), undefined);
        assert.deepEqual(chat.history().slice(-2), exchange('new'));
        assert.equal(decodeMemory(store.get(key)).kind === 'newer', isNewer(value));
      }),
      { numRuns: 1_500 },
    );
  });
});

function isNewer(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'version' in value && value.version === 4;
}
