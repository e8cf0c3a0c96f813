import assert from 'node:assert/strict';
import { createArchive } from '../../../src/core/conversation/archive/archive';
import { TestWorkspace, remembered } from '../../support/conversation/testWorkspace';
import { FailingDisk } from '../../support/storage/failingDisk';

/** Several changes that could not be written, made again in one transaction. */
describe('changes that are written late', () => {
  async function open() {
    const workspace = new TestWorkspace();
    workspace.limits = { ...workspace.limits, maxTurns: 2 };
    const disk = await FailingDisk.of(workspace.file);
    const { memory, chat, close } = await workspace.reopen({ open: disk.open });
    const say = async (...ids: readonly string[]) => {
      for (const id of ids) {
        workspace.now++;
        await chat.saveTurn(workspace.turn(id));
      }
    };
    const find = async (id: string) => (await memory.search((search) => search.place(id))) !== undefined;
    return { workspace, disk, memory, chat, close, say, find, archive: createArchive(memory) };
  }

  it('M27, F27: a turn that was evicted before its conversation was left stays findable', async () => {
    const { disk, memory, say, find, archive } = await open();
    disk.isReadOnly = true;
    await say('a', 'b', 'c');
    await archive.startFresh('workspace');
    disk.isReadOnly = false;
    await say('d');
    assert.deepEqual(remembered(memory), ['d']);
    assert.deepEqual(
      (await memory.archived()).map(({ title }) => title),
      ['question b'],
    );
    assert.deepEqual(await Promise.all(['a', 'b', 'c'].map(find)), [true, true, true]);
  });

  it('M27, F27: so does one that left a conversation that was resumed, and left again', async () => {
    const { workspace, disk, memory, say, find, archive } = await open();
    await say('a', 'b', 'c');
    await archive.startFresh('workspace');
    const [left] = await archive.list();
    disk.isReadOnly = true;
    await archive.resume('workspace', left!.id);
    await say('d');
    await archive.startFresh('workspace');
    disk.isReadOnly = false;
    await memory.refresh();
    assert.deepEqual(await Promise.all(['a', 'b', 'c', 'd'].map(find)), [true, true, true, true]);
    const lonely = 'SELECT id FROM turns WHERE conversation NOT IN (SELECT key FROM conversations)';
    assert.deepEqual(await workspace.rows(lonely), []);
  });

  it('M26, F27: what Clear had to leave is erased with it, evicted turns and those of what was resumed included', async () => {
    const { workspace, disk, say, chat, archive, memory } = await open();
    await say('a', 'b', 'c');
    await archive.startFresh('workspace');
    const [left] = await archive.list();
    disk.isReadOnly = true;
    await archive.resume('workspace', left!.id);
    await say('d');
    await chat.clear();
    disk.isReadOnly = false;
    await memory.refresh();
    for (const id of ['a', 'b', 'c', 'd']) assert.deepEqual(workspace.filesWith(`question ${id}`), [], id);
  });

  it('M26, F27: a Clear that is written late takes what had left the conversation before', async () => {
    const { workspace, disk, say, chat, memory } = await open();
    await say('a', 'b', 'c');
    disk.isReadOnly = true;
    await say('d');
    await chat.clear();
    disk.isReadOnly = false;
    await memory.refresh();
    assert.deepEqual(await memory.archived(), []);
    for (const id of ['a', 'b', 'c', 'd']) assert.deepEqual(workspace.filesWith(`question ${id}`), [], id);
  });

  it('M26, F27: and all of a conversation that another window had left meanwhile, what was evicted before included', async () => {
    const { workspace, disk, say, chat, memory } = await open();
    await say('a', 'b', 'c');
    const second = await workspace.reopen();
    await createArchive(second.memory).startFresh('workspace');
    disk.isReadOnly = true;
    await chat.clear();
    disk.isReadOnly = false;
    await memory.refresh();
    assert.deepEqual(await memory.archived(), []);
    for (const id of ['a', 'b', 'c']) assert.deepEqual(workspace.filesWith(`question ${id}`), [], id);
  });

  it('M2, F27: a turn that runs nowhere any more keeps no conversation from expiring', async () => {
    const { workspace, disk, chat, close } = await open();
    await chat.begin(workspace.turn('a')).begun;
    disk.isReadOnly = true;
    await chat.saveTurn(workspace.turn('a'));
    close();
    workspace.now += 3600_000;
    const { memory } = await workspace.reopen();
    assert.deepEqual(remembered(memory), []);
    assert.deepEqual(
      (await memory.archived()).map(({ title }) => title),
      ['question a'],
    );
  });

  it('M8, F27: a forgotten turn takes no other with it when the window goes before it is written', async () => {
    const { workspace, disk, say, chat, close, archive } = await open();
    await say('a', 'b');
    disk.isReadOnly = true;
    await chat.forget({ turns: ['a'] });
    await archive.startFresh('workspace');
    close();
    const { memory } = await workspace.reopen();
    await memory.refresh();
    assert.deepEqual(
      (await memory.archived()).map(({ title, turns }) => [title, turns]),
      [['question b', 1]],
    );
    assert.deepEqual(workspace.filesWith('question a'), []);
  });

  it('M8, F27: what another window has left is not live again by way of windows that could not write', async () => {
    const { workspace, disk, say, chat, close } = await open();
    await say('a');
    const second = await workspace.reopen();
    disk.isReadOnly = true;
    await chat.setPinned('a', true);
    close();
    const full = await FailingDisk.of(workspace.file);
    full.isReadOnly = true;
    const third = await workspace.reopen({ open: full.open });
    await createArchive(second.memory).startFresh('workspace');
    second.close();
    third.close();
    const { memory } = await workspace.reopen();
    assert.deepEqual(remembered(memory), []);
  });
});
