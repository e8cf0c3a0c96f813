import assert from 'node:assert/strict';
import { createArchive } from '../../../../../src/core/conversation/archive/archive';
import { withoutTurns } from '../../../../../src/core/conversation/changes';
import { Home } from '../../../../../src/core/conversation/memory/home';
import { StoreError } from '../../../../../src/core/conversation/store';
import type { Waiting } from '../../../../../src/core/conversation/turn';
import { createMemoryDatabase } from '../../../../../src/storage/memoryDatabase';
import { Sqlite } from '../../../../../src/storage/sqlite';
import { remembered, TestWorkspace } from '../../../../support/conversation/testWorkspace';
import { WorkspaceState } from '../../../../support/conversation/workspaceState';
import { FailingDisk } from '../../../../support/storage/failingDisk';

const question = (turnId: string): Waiting => ({
  param: 'order',
  question: 'Which one?',
  turnId,
  askedAt: 1,
  tries: 1,
  toolUse: { type: 'tool_use', id: 'toolu_1', name: 'ask_user', input: {} },
  results: [],
  sent: [{ role: 'user', content: 'question a' }],
  tools: ['look'],
});

/** A window whose disk can be full, and one beside it that is well. */
async function twoWindows() {
  const workspace = new TestWorkspace();
  const disk = await FailingDisk.of(workspace.file);
  const troubled = await workspace.reopen({ open: disk.open });
  const well = await workspace.reopen();
  return { workspace, disk, troubled, well };
}

/** Each of these was first found by the simulation. */
describe('two windows, and a disk that refuses for a while', () => {
  it('M13, M26: a question keeps no words of a turn that was taken back or forgotten', async () => {
    const workspace = new TestWorkspace();
    const { chat } = await workspace.reopen();
    for (const id of ['a', 'b']) await chat.saveTurn(workspace.turn(id));
    await chat.setWaiting(question('b'));
    const { sent: _sent, tools: _tools, ...rest } = question('b');
    assert.deepEqual(withoutTurns(chat.snapshot()!, ['a']).waiting, rest);
    assert.deepEqual(withoutTurns(chat.snapshot()!, ['other']).waiting, question('b'));
    await chat.forget({ turns: ['a'] });
    assert.deepEqual(workspace.filesWith('question a'), []);
  });

  it('M26: nor of one that another window erased while the turn that asks was under way', async () => {
    const { workspace, well, troubled } = await twoWindows();
    for (const id of ['a', 'b']) await well.chat.saveTurn(workspace.turn(id));
    await well.chat.setWaiting({ ...question('b'), sentWith: ['a'] });
    assert.deepEqual(well.chat.waiting()?.sentWith, ['a']);
    await well.chat.setWaiting(undefined);
    await troubled.chat.forget({ turns: ['a'] });
    await well.chat.setWaiting({ ...question('b'), sentWith: ['a'] });
    assert.deepEqual([well.chat.waiting()?.sent, well.chat.waiting()?.sentWith], [undefined, undefined]);
    assert.deepEqual(workspace.filesWith('question a'), []);
  });

  it('M26: nor a value that was erased, before it is asked or after', async () => {
    const { workspace, well, troubled } = await twoWindows();
    await well.chat.saveTurn(workspace.turn('a'));
    await well.chat.merge({ order: 'O-1' });
    const since = well.chat.snapshot();
    await well.chat.merge({ order: 'O-2' }, 'a');
    await well.chat.setWaiting(question('a'), since);
    assert.deepEqual(well.chat.waiting(), question('a'), 'what a turn itself has changed is no reason');
    await troubled.chat.forget({ params: ['order'] });
    await well.memory.refresh();
    assert.equal(well.chat.waiting()?.sent, undefined);
    await well.chat.merge({ order: 'O-3' }, 'a');
    await well.chat.setWaiting(question('a'), since);
    assert.equal(well.chat.waiting()?.sent, undefined);
  });

  it('M3, M26: a turn that ends when it is over the cap already is kept as what was said', async () => {
    const workspace = new TestWorkspace();
    workspace.limits = { ...workspace.limits, maxTurns: 1 };
    const { chat, memory } = await workspace.reopen();
    const late = workspace.turn('late');
    chat.begin(late);
    workspace.now += 1_000;
    await chat.saveTurn(workspace.turn('a'));
    await chat.saveTurn(late);
    assert.deepEqual(remembered(memory), ['a']);
    const [row] = await workspace.rows("SELECT state FROM turns WHERE id = 'late'");
    assert.equal(row?.['state'], 'cap');
  });

  it('M26: a turn that another window has taken back is forgotten all the same', async () => {
    const { workspace, troubled, well } = await twoWindows();
    for (const id of ['a', 'b']) await well.chat.saveTurn(workspace.turn(id));
    await troubled.memory.refresh();
    await well.chat.rewind(['a']);
    assert.equal((await well.memory.archived()).length, 1);
    await troubled.chat.forget({ turns: ['a'] });
    assert.deepEqual(workspace.filesWith('question a'), []);
  });

  it('M26: and one that another window has let go over the cap', async () => {
    const { workspace, troubled, well } = await twoWindows();
    await well.chat.saveTurn(workspace.turn('a'));
    await troubled.memory.refresh();
    workspace.limits = { ...workspace.limits, maxTurns: 1 };
    await well.chat.saveTurn(workspace.turn('b'));
    await troubled.chat.forget({ turns: ['a'] });
    assert.deepEqual(workspace.filesWith('question a'), []);
  });

  it('M20: what left over the cap is in the archive when all else was forgotten', async () => {
    const workspace = new TestWorkspace();
    workspace.limits = { ...workspace.limits, maxTurns: 1 };
    const { chat, memory } = await workspace.reopen();
    for (const id of ['a', 'b']) await chat.saveTurn(workspace.turn(id));
    await chat.forget({ turns: ['b'] });
    const [left] = await memory.archived();
    assert.deepEqual([left?.title, left?.turns], ['question a', 1]);
  });

  it('M20: the same in the archive', async () => {
    const { workspace, troubled, well } = await twoWindows();
    workspace.limits = { ...workspace.limits, maxTurns: 1 };
    for (const id of ['a', 'b']) await well.chat.saveTurn(workspace.turn(id));
    await troubled.memory.refresh();
    await createArchive(well.memory).startFresh('workspace');
    await troubled.chat.forget({ turns: ['b'] });
    const [left] = await well.memory.archived();
    assert.deepEqual([left?.title, left?.turns], ['question a', 1]);
  });

  it('M8, M20, F33, F35: a conversation that was left is in the archive, though it could only be written after a crash', async () => {
    const { workspace, disk, troubled } = await twoWindows();
    await troubled.chat.saveTurn(workspace.turn('a'));
    disk.isReadOnly = true;
    await createArchive(troubled.memory).startFresh('workspace');
    troubled.close();
    const { memory } = await workspace.reopen();
    assert.deepEqual(remembered(memory), []);
    assert.deepEqual(
      (await memory.archived()).map(({ title }) => title),
      ['question a'],
    );
  });

  it('M26: what was cleared is not, though it could only be written after a crash', async () => {
    const { workspace, disk, troubled } = await twoWindows();
    await troubled.chat.saveTurn(workspace.turn('a'));
    disk.isReadOnly = true;
    await troubled.chat.clear();
    troubled.close();
    const { memory } = await workspace.reopen();
    assert.deepEqual([remembered(memory), await memory.archived()], [[], []]);
    assert.deepEqual(workspace.filesWith('question a'), []);
  });

  it('M26: Clear takes what was cut from the conversation, though it can only be written later', async () => {
    const { workspace, disk, troubled, well } = await twoWindows();
    for (const id of ['a', 'b']) await troubled.chat.saveTurn(workspace.turn(id));
    await troubled.chat.rewind(['b']);
    disk.isReadOnly = true;
    await troubled.chat.clear();
    await well.chat.saveTurn(workspace.turn('c'));
    disk.isReadOnly = false;
    await troubled.memory.refresh();
    await well.memory.refresh();
    assert.deepEqual([remembered(well.memory), await well.memory.archived()], [['c'], []]);
    assert.deepEqual(workspace.filesWith('question b'), []);
  });

  it('M26: what could not be erased from the state of VS Code is, with the next look', async () => {
    const { workspace, troubled, well } = await twoWindows();
    await well.chat.saveTurn(workspace.turn('a'));
    await troubled.memory.refresh();
    const words = () => JSON.stringify(troubled.store.keys().map((key) => troubled.store.get(key)));
    assert.match(words(), /question a/);
    await well.chat.clear();
    troubled.store.failure = new Error('it is full');
    await troubled.memory.refresh();
    troubled.store.failure = undefined;
    await troubled.memory.refresh();
    assert.doesNotMatch(words(), /question a/);
  });

  it('M6: Clear is about what was there then, and not about what another window said since', async () => {
    const { workspace, disk, troubled, well } = await twoWindows();
    await well.chat.saveTurn(workspace.turn('a'));
    await troubled.memory.refresh();
    disk.isReadOnly = true;
    await troubled.chat.clear();
    await well.chat.saveTurn(workspace.turn('b'));
    disk.isReadOnly = false;
    await troubled.memory.refresh();
    await well.memory.refresh();
    assert.deepEqual([remembered(troubled.memory), remembered(well.memory)], [['b'], ['b']]);
  });

  it('M6: a window that cannot write knows what another one erased', async () => {
    const { workspace, disk, troubled, well } = await twoWindows();
    for (const id of ['a', 'b']) await well.chat.saveTurn(workspace.turn(id));
    await troubled.memory.refresh();
    disk.isReadOnly = true;
    await troubled.chat.saveTurn(workspace.turn('c'));
    await well.chat.forget({ turns: ['a'] });
    await troubled.memory.refresh();
    assert.deepEqual(remembered(troubled.memory), ['b', 'c']);
    disk.isReadOnly = false;
    await troubled.memory.refresh();
    await well.memory.refresh();
    assert.deepEqual(remembered(well.memory), ['b', 'c']);
  });

  it('M20: several things that could not be written one by one are right when they are written at once', async () => {
    const { workspace, disk, troubled, well } = await twoWindows();
    const archive = createArchive(troubled.memory);
    await troubled.chat.saveTurn(workspace.turn('a'));
    await archive.startFresh('workspace');
    const [archived] = await troubled.memory.archived();
    await troubled.chat.saveTurn(workspace.turn('b'));
    disk.isReadOnly = true;
    await archive.resume('workspace', archived!.id);
    await troubled.chat.clear();
    await troubled.chat.saveTurn(workspace.turn('c'));
    await archive.startFresh('workspace');
    disk.isReadOnly = false;
    await troubled.memory.refresh();
    const titles = (await well.memory.archived()).map(({ title }) => title);
    assert.deepEqual(new Set(titles), new Set(['question b', 'question c']));
    disk.isReadOnly = true;
    const [newest] = await troubled.memory.archived();
    await archive.resume('workspace', newest!.id);
    await archive.startFresh('workspace');
    disk.isReadOnly = false;
    await troubled.memory.refresh();
    assert.equal((await well.memory.archived()).length, 2);
  });

  it('M20: what came to the archive and left it in one write takes no room there', async () => {
    const { workspace, disk, troubled, well } = await twoWindows();
    workspace.limits = { ...workspace.limits, archiveSize: 2 };
    const archive = createArchive(troubled.memory);
    for (const id of ['a', 'b']) {
      await troubled.chat.saveTurn(workspace.turn(id));
      await archive.startFresh('workspace');
    }
    const oldest = (await troubled.memory.archived()).find(({ title }) => title === 'question a')!;
    await troubled.chat.saveTurn(workspace.turn('c'));
    disk.isReadOnly = true;
    await archive.resume('workspace', oldest.id);
    await archive.startFresh('workspace');
    await archive.resume('workspace', oldest.id);
    disk.isReadOnly = false;
    await troubled.memory.refresh();
    assert.deepEqual(remembered(troubled.memory), ['a']);
    const titles = (await well.memory.archived()).map(({ title }) => title);
    assert.deepEqual(titles.toSorted(), ['question b', 'question c']);
  });

  it('M16: a question whose turn is gone does not begin another conversation', async () => {
    const { workspace, disk, troubled, well } = await twoWindows();
    await troubled.chat.saveTurn(workspace.turn('a'));
    disk.isReadOnly = true;
    await troubled.chat.setWaiting(question('a'));
    await createArchive(well.memory).startFresh('workspace');
    disk.isReadOnly = false;
    await troubled.memory.refresh();
    assert.equal(troubled.chat.waiting(), undefined);
  });

  it('M8: a database that could not be opened is looked at again before the next message', async () => {
    const workspace = new TestWorkspace();
    await (await workspace.reopen()).chat.saveTurn(workspace.turn('a'));
    let isThere = false;
    const { memory } = await workspace.reopen({
      open: async () => {
        if (!isThere) throw new StoreError('failed');
        return createMemoryDatabase(await Sqlite.open(workspace.file));
      },
    });
    assert.deepEqual(remembered(memory), []);
    isThere = true;
    await memory.refresh();
    assert.deepEqual(remembered(memory), ['a']);
  });

  it('M26: Delete All waits for a lock, and erases what another window wrote meanwhile', async () => {
    const workspace = new TestWorkspace();
    const well = await workspace.reopen();
    await well.chat.saveTurn(workspace.turn('a'));
    let locks = 2;
    const { memory, store } = await workspace.reopen({
      wait: async () => undefined,
      open: async () => {
        const database = createMemoryDatabase(await Sqlite.open(workspace.file));
        const eraseAll = () => {
          if (locks-- > 0) throw new StoreError('busy');
          database.eraseAll();
        };
        return { ...database, eraseAll };
      },
    });
    const update = store.update.bind(store);
    store.update = async (key, value) => {
      if (locks > 0) await well.chat.saveTurn(workspace.turn('b'));
      await update(key, value);
    };
    await memory.deleteAll();
    assert.deepEqual(remembered(memory), []);
    assert.deepEqual(workspace.filesWith('question'), []);
    assert.doesNotMatch(JSON.stringify(store.get('assistant.memory')), /question/);
  });

  it('M26: Clear leaves no rounds of a window that died', async () => {
    const { workspace, troubled, well } = await twoWindows();
    const turn = troubled.chat.begin(workspace.turn('a'));
    await turn.record([
      { role: 'user', content: 'question a' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'look', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: 'seen a' }] },
    ]);
    await well.chat.saveTurn(workspace.turn('a'));
    await well.memory.change((draft) => draft.setRunning('a', { ...workspace.turn('a'), ...dead }));
    await well.chat.clear();
    assert.deepEqual(workspace.filesWith('question a'), []);
  });

  it('M2: a conversation that had ended does not come back by a message that could not be written at first', async () => {
    const { workspace, disk, troubled } = await twoWindows();
    await troubled.chat.saveTurn(workspace.turn('a'));
    workspace.now += 1_860_000;
    disk.isReadOnly = true;
    await troubled.memory.refresh();
    disk.isReadOnly = false;
    await troubled.chat.begin(workspace.turn('b')).begun;
    assert.deepEqual(remembered(troubled.memory), []);
    assert.equal((await troubled.memory.archived()).length, 1);
  });

  it('M2, F36: all windows agree when it ends, though a clock was set back in mid-turn', async () => {
    const { workspace, troubled, well } = await twoWindows();
    await troubled.chat.saveTurn(workspace.turn('a'));
    troubled.chat.touch();
    const turn = workspace.turn('b');
    await troubled.chat.begin(turn).begun;
    workspace.now -= 600_000;
    await troubled.chat.saveTurn(turn);
    workspace.now += 1_860_000;
    for (const { memory } of [troubled, well]) {
      await memory.refresh();
      assert.deepEqual(remembered(memory), []);
    }
  });

  it('M8: the state has the newest, whenever it is saved while it is being saved', async () => {
    for (let ticks = 0; ticks < 8; ticks++) {
      const store = new WorkspaceState().openWindow();
      const home = new Home({ store, clock: () => 0, ids: () => 'id' });
      const first = home.save([], 1);
      for (let tick = 0; tick < ticks; tick++) await Promise.resolve();
      await home.save([], 2);
      await first;
      assert.deepEqual(
        store.get('assistant.memory'),
        { version: 3, sequence: 2, conversations: {} },
        `${ticks}`,
      );
    }
  });
});

const dead = {
  conversation: 'workspace',
  order: 1,
  activation: 'w0',
  owner: { pid: 99, startedAt: 1 },
  at: 1,
};
