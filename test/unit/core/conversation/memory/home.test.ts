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

describe('the workspace state behind the database', () => {
  it('M8: a turn is acknowledged once it is in the database, and the state follows', async () => {
    const workspace = new TestWorkspace();
    const { chat, store, release } = await slowStore(workspace);
    await chat.saveTurn(workspace.turn('a'));
    assert.equal((await workspace.rows('SELECT id FROM turns')).length, 1);
    assert.equal(store.get('assistant.memory'), undefined);
    release();
    await settled();
    assert.match(JSON.stringify(store.get('assistant.memory')), /answer a/);
  });

  it('M8: killed before the state has it, a turn is there', async () => {
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
    assert.deepEqual(remembered((await workspace.reopen({ database: false })).memory), ['a', 'b', 'c', 'd']);
  });

  it('M8: of state and database, the greater number counts as a whole', async () => {
    const workspace = new TestWorkspace();
    const first = await workspace.reopen();
    await first.chat.saveTurn(workspace.turn('a'));
    await first.chat.saveTurn(workspace.turn('b'));
    first.close();
    const without = await workspace.reopen({ database: false });
    await without.chat.forget({ turns: ['a'] });
    await without.chat.saveTurn(workspace.turn('c'));
    without.close();
    const again = await workspace.reopen();
    assert.deepEqual(remembered(again.memory), ['b', 'c'], 'the state is newer');
    assert.equal((await workspace.rows("SELECT id FROM turns WHERE id = 'a'")).length, 0);
    await again.chat.saveTurn(workspace.turn('d'));
    again.kill();
    const last = await workspace.reopen();
    assert.deepEqual(remembered(last.memory), ['b', 'c', 'd'], 'the database is newer');
    assert.match(JSON.stringify(last.store.get('assistant.memory')), /answer d/, 'and the state follows it');
  });

  it('M10: a state that lost its number counts where there is no database yet', async () => {
    const workspace = new TestWorkspace();
    const first = await workspace.reopen({ database: false });
    await first.chat.saveTurn(workspace.turn('a'));
    const { sequence: _lost, ...rest } = first.store.get('assistant.memory') as { sequence: number };
    await first.store.update('assistant.memory', rest);
    first.close();
    assert.deepEqual(remembered((await workspace.reopen()).memory), ['a']);
  });

  it('M13: what only the database has of a summary is still there after a window without one', async () => {
    const workspace = new TestWorkspace();
    const first = await workspace.reopen();
    for (const id of ['a', 'b', 'c']) await first.chat.saveTurn(workspace.turn(id));
    await first.chat.summarize('a and b', ['a', 'b']);
    first.close();
    const without = await workspace.reopen({ database: false });
    await without.chat.saveTurn(workspace.turn('d'));
    without.close();
    const { chat, memory } = await workspace.reopen();
    await chat.rewind(['b']);
    assert.deepEqual(remembered(memory), ['a', 'c', 'd']);
  });

  it('M6: a window that learns of another one’s turn has it in its state, too', async () => {
    const workspace = new TestWorkspace();
    const [one, two] = [await workspace.reopen(), await workspace.reopen()];
    await one.chat.saveTurn(workspace.turn('a'));
    await two.memory.refresh();
    await settled();
    assert.match(JSON.stringify(two.store.get('assistant.memory')), /answer a/);
    const numbers = [one, two].map(
      ({ store }) => (store.get('assistant.memory') as { sequence: number }).sequence,
    );
    assert.equal(numbers[0], numbers[1]);
  });

  it('F27: when the state cannot be stored, it is told once, and again after it has worked', async () => {
    const workspace = new TestWorkspace();
    const { chat, store, problems } = await workspace.reopen();
    const fail = async (id: string, failure: Error | undefined) => {
      store.failure = failure;
      await chat.saveTurn(workspace.turn(id));
      await settled();
    };
    await fail('a', new Error('disk full'));
    await fail('b', new Error('disk full'));
    assert.deepEqual(
      problems.map(({ kind }) => kind),
      ['store-failed'],
    );
    await fail('c', undefined);
    await fail('d', new Error('disk full'));
    assert.equal(problems.length, 2);
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
