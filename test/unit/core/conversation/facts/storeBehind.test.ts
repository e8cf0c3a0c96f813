import assert from 'node:assert/strict';
import { exchange, remembered, TestWorkspace } from '../../../../support/conversation/testWorkspace';

/** A window whose store takes its time; `release` lets everything through that waits, and all that comes later. */
async function slowStore(workspace: TestWorkspace, options: Parameters<TestWorkspace['open']>[0] = {}) {
  const window = await workspace.reopen(options);
  const update = window.store.update.bind(window.store);
  let release!: () => void;
  const released = new Promise<void>((resolve) => (release = resolve));
  const writes: unknown[] = [];
  window.store.update = async (key, value) => {
    writes.push(value);
    await released;
    await update(key, value);
  };
  return { ...window, writes, release };
}

/** Lets everything run that waits for nothing but its turn. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('the store behind the write-ahead file', () => {
  it('M8: a turn is acknowledged once it is in the file, and the store follows', async () => {
    const workspace = new TestWorkspace();
    const { chat, store, release } = await slowStore(workspace);
    await chat.saveTurn(workspace.turn('a'));
    assert.match(workspace.journals.text, /answer a/);
    assert.equal(store.get('assistant.memory'), undefined);
    release();
    await settled();
    assert.match(JSON.stringify(store.get('assistant.memory')), /answer a/);
  });

  it('M8: killed before the store has it, a turn is there', async () => {
    const workspace = new TestWorkspace();
    const first = await slowStore(workspace);
    await first.chat.saveTurn(workspace.turn('a'));
    first.kill();
    const { chat } = await workspace.reopen();
    assert.deepEqual(chat.history(), exchange('a'));
  });

  it('writes once for all that came while it was writing', async () => {
    const workspace = new TestWorkspace();
    const { chat, store, memory, writes, release } = await slowStore(workspace);
    for (const id of ['a', 'b', 'c', 'd']) await chat.saveTurn(workspace.turn(id));
    assert.equal(writes.length, 1);
    release();
    await settled();
    assert.equal(writes.length, 2);
    store.flush();
    assert.deepEqual(remembered(memory), ['a', 'b', 'c', 'd']);
    assert.deepEqual(remembered((await workspace.reopen({ journal: false })).memory), ['a', 'b', 'c', 'd']);
  });

  it('waits for the store where there is no file, or none that can be written', async () => {
    for (const isFolderMissing of [true, false]) {
      const workspace = new TestWorkspace();
      const { chat, release } = await slowStore(workspace, isFolderMissing ? { journal: false } : {});
      workspace.journals.failure = new Error('ENOSPC');
      let isSaved = false;
      const saved = chat.saveTurn(workspace.turn('a')).then(() => (isSaved = true));
      await settled();
      assert.equal(isSaved, false);
      release();
      await saved;
    }
  });

  it('M20: what is erased is gone from the store as well when that is told', async () => {
    const workspace = new TestWorkspace();
    const { chat, store, release } = await slowStore(workspace);
    await chat.saveTurn(workspace.turn('a'));
    let isCleared = false;
    const cleared = chat.clear().then(() => (isCleared = true));
    await settled();
    assert.equal(isCleared, false);
    release();
    await cleared;
    assert.doesNotMatch(JSON.stringify(store.get('assistant.memory')), /answer a/);
  });
});
