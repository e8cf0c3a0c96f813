import assert from 'node:assert/strict';
import {
  createArchive,
  type ConversationArchive,
} from '../../../../../src/core/conversation/archive/archive';
import { remembered, TestWorkspace, type TestWindow } from '../../../../support/conversation/testWorkspace';

describe('starting a fresh conversation', () => {
  let workspace: TestWorkspace;
  let window: TestWindow;
  let archive: ConversationArchive;

  beforeEach(async () => {
    workspace = new TestWorkspace();
    window = await workspace.reopen();
    archive = createArchive(window.memory);
  });

  const ask = (name: string, thread?: string) => {
    workspace.now += 1000;
    return window.chat.saveTurn({ ...workspace.turn(name), ...(thread !== undefined && { thread }) });
  };
  const expire = async () => {
    workspace.now += 3600_000;
    await window.memory.refresh();
  };
  const archivedIds = async () => (await archive.list()).map(({ id }) => id);
  const archivedTurns = async () => {
    const all = await Promise.all((await archivedIds()).map((id) => archive.get(id)));
    return all.map((one) => one?.conversation.turns.map(({ id }) => id));
  };

  it('M20: starting fresh leaves nothing in memory and all of it in the archive', async () => {
    await ask('one');
    await window.chat.merge({ order_id: 'O-1' }, 'one');
    const { left, archivedAs } = await archive.startFresh('workspace');
    assert.deepEqual([window.chat.history(), window.chat.params()], [[], {}]);
    const archived = await archive.get(archivedAs ?? '');
    assert.equal(archived?.ending.kind, 'left');
    assert.deepEqual(archived?.conversation, left);
    assert.equal(archived?.conversation.params[0]?.value, 'O-1');
  });

  it('M20: starting fresh with nothing remembered archives nothing', async () => {
    const nothing = { left: undefined, archivedAs: undefined };
    assert.deepEqual(await archive.startFresh('workspace'), nothing);
    assert.deepEqual(await archive.startFresh('workspace', { keepThread: 'thread-2' }), nothing);
    assert.deepEqual(await archivedIds(), []);
  });

  it('M20: starting fresh archives also the turns that wait to be summarized', async () => {
    workspace.limits = { ...workspace.limits, maxTurns: 1, whenFull: 'summarize' };
    await ask('one');
    await ask('two');
    await archive.startFresh('workspace');
    assert.deepEqual(await archivedTurns(), [['one', 'two']]);
  });

  it('M15, M20: values whose turns were forgotten are given to whoever can bring them back', async () => {
    await ask('one', 'thread-1');
    await window.chat.merge({ order: 'O-1', kept: 'K' }, 'one');
    await ask('two', 'thread-2');
    await window.chat.merge({ kept: 'new' }, 'two');
    await window.chat.forget({ turns: ['one'] });
    const inThread = await archive.startFresh('workspace', { keepThread: 'thread-2' });
    assert.deepEqual(window.chat.params(), { kept: 'new' });
    const lost = inThread.left?.params.map(({ name, value }) => [name, value]);
    assert.deepEqual(
      lost,
      [
        ['order', 'O-1'],
        ['kept', 'K'],
      ],
      'and not what is still there',
    );

    await window.chat.forget({ turns: ['two'] });
    const { left, archivedAs } = await archive.startFresh('workspace');
    assert.deepEqual([archivedAs, window.chat.params()], [undefined, {}]);
    assert.ok(left);
    await window.chat.restore({ conversation: left });
    assert.deepEqual(window.chat.params(), { kept: 'new' });
  });

  it('M11: starting fresh from a new thread keeps what was said there', async () => {
    await ask('old', 'thread-1');
    await window.chat.merge({ old_value: 'a', orphan: 'c' }, 'old');
    await window.chat.setSummary('Long before.');
    await ask('new', 'thread-2');
    await window.chat.merge({ new_value: 'b' }, 'new');
    await archive.startFresh('workspace', { keepThread: 'thread-2' });
    const left = await workspace.rows('SELECT turn, reason FROM departures');
    assert.deepEqual(
      left.map(({ turn, reason }) => [turn, reason]),
      [['old', 'fresh']],
      'what is counted begins anew, too',
    );
    assert.deepEqual(remembered(window.memory), ['new']);
    assert.deepEqual(window.chat.params(), { new_value: 'b' });
    assert.equal(window.chat.snapshot()?.summary, undefined);
    const [id = ''] = await archivedIds();
    const archived = await archive.get(id);
    assert.deepEqual(await archivedTurns(), [['old']]);
    assert.equal(archived?.conversation.summary?.text, 'Long before.');
  });

  it('M11, M18: starting fresh from a thread keeps what of it was in the summary, as it was', async () => {
    await ask('old', 'thread-1');
    await ask('first', 'thread-2');
    await window.chat.merge({ first_value: 'b' }, 'first');
    await ask('second', 'thread-2');
    await window.chat.summarize('about old and first', ['old', 'first']);
    await archive.startFresh('workspace', { keepThread: 'thread-2' });
    assert.deepEqual(remembered(window.memory), ['first', 'second']);
    assert.deepEqual(window.chat.params(), { first_value: 'b' });
    assert.deepEqual(await archivedTurns(), [['old']]);

    await window.chat.summarize('about first', ['first']);
    await archive.startFresh('workspace', { keepThread: 'thread-2' });
    assert.equal(window.chat.snapshot()?.summary?.text, 'about first', 'it tells of this thread alone');
  });

  it('M15, M20: undone, a value that both threads remembered is again the newer one', async () => {
    await ask('first', 'thread-2');
    await window.chat.merge({ branch: 'main' }, 'first');
    await ask('old', 'thread-1');
    await window.chat.merge({ branch: 'release' }, 'old');
    await ask('second', 'thread-2');
    const { archivedAs = '' } = await archive.startFresh('workspace', { keepThread: 'thread-2' });
    assert.deepEqual(window.chat.params(), { branch: 'main' });
    await archive.continueEnded('workspace', archivedAs);
    assert.deepEqual(window.chat.params(), { branch: 'release' });
    assert.equal(window.chat.snapshot()?.params.length, 2, 'what both had is there once');
  });

  it('M18, M20: what only a summary tells of is archived when it ends, and comes back beside a newer summary', async () => {
    await ask('one', 'thread-1');
    await ask('two', 'thread-1');
    await window.chat.summarize('about one', ['one']);
    await window.chat.rewind(['two']);
    await expire();
    assert.deepEqual(
      await archivedTurns(),
      [['one'], ['two']],
      'the branch has both, in a summary or as it was',
    );
    await ask('three');
    await ask('four');
    await window.chat.summarize('about three', ['three']);
    await expire();
    await ask('five');
    await ask('six');
    await window.chat.summarize('about five', ['five']);
    const [id = ''] = await archivedIds();
    await archive.continueEnded('workspace', id);
    assert.equal(window.chat.snapshot()?.summary?.text, 'about three\nabout five');
    assert.deepEqual(remembered(window.memory).slice(1), ['four', 'six']);
  });
});
