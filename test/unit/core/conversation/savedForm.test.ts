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
  revision: 1,
  startedAt: now,
  endedAt: now,
  outcome: 'finished',
  messages: exchange(id),
});
const saved = (...turns: unknown[]) => ({
  version: 2,
  conversations: { workspace: { lastActive: now, turns, params: {}, waitingRevision: 0 } },
});

/** A workspace whose stored state holds this. */
async function storing(value: unknown) {
  const workspace = new TestWorkspace();
  const before = workspace.state.openWindow();
  await before.update(key, value);
  before.flush();
  const window = await workspace.reopen();
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
    const loaded = decodeMemory(JSON.parse(JSON.stringify(encodeMemory(conversations))));
    assert.deepEqual(loaded, { kind: 'loaded', conversations, damaged: [] });
    assert.deepEqual(Object.keys(chat.params()), ['order', '__proto__', 'constructor']);
  });

  it('M10: version 1 migrates, thinking and images of its time included', async () => {
    const messages = [
      { role: 'user', content: [{ type: 'image', source: {} }] },
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'hm', signature: 's' },
          { type: 'text', text: 'a cat' },
        ],
      },
    ];
    const turns = [
      { id: 'a', at: now - 2, messages: exchange('a') },
      { id: 'b', at: now - 1, messages },
    ];
    const { chat, problems, store, workspace } = await storing({
      version: 1,
      conversations: { workspace: { lastActive: now, turns } },
    });
    assert.deepEqual(chat.history(), [
      ...exchange('a'),
      { role: 'user', content: [{ type: 'text', text: '[Image sent: photo]' }] },
      { role: 'assistant', content: [{ type: 'text', text: 'a cat' }] },
    ]);
    await chat.saveTurn(workspace.turn('c'));
    assert.equal(decodeMemory(store.get(key)).kind, 'loaded');
    assert.match(JSON.stringify(store.get(key)), /"version":2/);
    assert.deepEqual(problems, []);
  });

  it('M10, F21: a newer version is left untouched, said once, and the chat starts fresh beside it', async () => {
    const newer = { version: 3, conversations: [], somethingNew: true };
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
    const { chat, store, workspace, close } = await storing({ version: 3 });
    await chat.saveTurn(workspace.turn('b'));
    await store.update(key, saved({ ...storedTurn('a'), order: now - 1 }));
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
    { version: 2 },
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
    const { memory, problems, store } = await storing(saved(storedTurn('a'), bad, storedTurn('b'), null));
    assert.deepEqual(remembered(memory), ['a', 'b']);
    assert.equal(problems.length, 1);
    assert.match(problems[0]!.message, /a turn of conversation workspace and 1 more/);
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

  it('M10: a damaged line of a write-ahead file is set aside once, the others count', async () => {
    const workspace = new TestWorkspace();
    const first = await workspace.reopen();
    await first.chat.saveTurn(workspace.turn('a'));
    workspace.journals.files.set('dead.1', Buffer.from('{"v":2,"kind":"nonsense"}\n{"v":9}\n'));
    workspace.journals.end('dead');
    first.kill();
    const second = await workspace.reopen();
    assert.deepEqual(remembered(second.memory), ['a']);
    assert.deepEqual(
      second.problems.map(({ kind }) => kind),
      ['damaged'],
    );
    second.close();
    workspace.now += 3_000;
    const third = await workspace.reopen();
    workspace.now += 3_000;
    await third.memory.refresh();
    assert.deepEqual(third.problems, []);
    assert.ok(
      workspace.journals.files.has('dead.1'),
      'a file with lines of a newer version is not ours to remove',
    );
    assert.ok(!workspace.journals.files.has('w1.1'));
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
    first.kill();
    const at = workspace.now;
    const broken = {
      v: 2,
      kind: 'running',
      conversation: 'workspace',
      startedAt: at,
      order: at,
      revision: 1,
      at,
      keep: 0,
    };
    const lines = [
      {
        ...broken,
        id: 'x',
        messages: [
          { role: 'user', content: 'go' },
          { role: 'user', content: [null] },
        ],
      },
      {
        ...broken,
        id: 'y',
        messages: [
          { role: 'user', content: 'question y' },
          { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'edit_file', input: {} }] },
          { role: 'user', content: [{ type: 'tool_resul', tool_use_id: 't', content: 'edited' }] },
        ],
      },
    ];
    workspace.journals.files.set(
      'dead.1',
      Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join('')),
    );
    workspace.journals.end('dead');
    const second = await workspace.reopen();
    assert.deepEqual(
      remembered(second.memory),
      ['a', 'y'],
      'a result that cannot be read was one all the same',
    );
    assert.deepEqual(
      second.problems.map(({ kind }) => kind),
      ['damaged'],
    );
  });

  it('M9, M10: whatever is stored, the chat goes on and the API accepts what is sent', async () => {
    const turn = fc.oneof(
      damagedMessages.map((messages) => Object.assign(storedTurn('x'), { messages })),
      fc.record({ id: fc.constantFrom('a', 'b', '', 3), order: fc.double(), messages: fc.jsonValue() }),
      fc.jsonValue(),
    );
    const stored = fc.oneof(
      fc.jsonValue(),
      fc.record({ version: fc.constantFrom(0, 1, 2, 3, '2'), conversations: fc.jsonValue() }),
      fc.array(turn, { maxLength: 4 }).map((turns) => saved(...turns)),
    );
    await fc.assert(
      fc.asyncProperty(stored, async (value) => {
        const { chat, workspace, store } = await storing(value);
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
  return typeof value === 'object' && value !== null && 'version' in value && value.version === 3;
}
