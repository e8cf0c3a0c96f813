import assert from 'node:assert/strict';
import { StoreError, type OlderData } from '../../../../../src/core/conversation/store';
import { createMemoryDatabase } from '../../../../../src/storage/memoryDatabase';
import { Sqlite } from '../../../../../src/storage/sqlite';
import { aConversation, aTurn } from '../../../../support/conversation/stored';
import { exchange, remembered, TestWorkspace } from '../../../../support/conversation/testWorkspace';
import { until } from '../../../../support/until';

const oldTurn = (id: string) => ({ ...aTurn(id), messages: exchange(id) });

/** A workspace in which an older version has stored something. */
function storedBefore(older: Partial<OlderData> = {}) {
  const workspace = new TestWorkspace();
  const conversation = aConversation('workspace', { lastActive: workspace.now, turns: [oldTurn('old')] });
  const data: OlderData = {
    conversations: [conversation],
    archived: [],
    answers: [],
    departures: [],
    unreadable: [],
    damaged: [],
    files: ['file'],
    ...older,
  };
  let isThere = true;
  return {
    workspace,
    readOlder: async () => (isThere ? data : undefined),
    removeOlder: async () => void (isThere = false),
    isThere: () => isThere,
  };
}

describe('taking in what older versions stored', () => {
  it('M26: files that could not be taken in at once are gone as soon as they are, and nothing erased comes back', async () => {
    const { workspace, isThere, ...older } = storedBefore();
    let isFailing = true;
    const open = async () => {
      if (isFailing) throw new StoreError('failed');
      return createMemoryDatabase(await Sqlite.open(workspace.file));
    };
    const { chat, memory, close } = await workspace.reopen({ ...older, open });
    assert.deepEqual([remembered(memory), isThere()], [['old'], true]);
    isFailing = false;
    await chat.saveTurn(workspace.turn('new'));
    assert.deepEqual([remembered(memory), isThere()], [['old', 'new'], false]);
    await chat.clear();
    close();
    assert.deepEqual(remembered((await workspace.reopen(older)).memory), []);
  });

  it('M8, F35: killed after they were taken in and before they are removed, nothing is there twice', async () => {
    const { workspace, ...older } = storedBefore();
    const isKilled = new Promise<never>(() => undefined);
    const { memory, chat, kill } = workspace.open({ ...older, removeOlder: () => isKilled });
    void memory.load();
    await until(() => remembered(memory).length > 0);
    kill();
    const next = await workspace.reopen(older);
    assert.deepEqual([remembered(next.memory), older.isThere()], [['old'], false]);
    await next.chat.saveTurn(workspace.turn('new'));
    assert.deepEqual(remembered(next.memory), ['old', 'new']);
    assert.equal(chat.history().length, 2);
  });

  it('M10: files that cannot be read are named once, and nothing is said where all could be', async () => {
    const messages = async (unreadable: readonly string[]) => {
      const { workspace, readOlder, removeOlder } = storedBefore({ unreadable });
      const { memory, problems } = await workspace.reopen({ readOlder, removeOlder });
      assert.deepEqual(remembered(memory), ['old']);
      return problems.map(({ message }) => message);
    };
    assert.deepEqual(await messages([]), []);
    assert.deepEqual(await messages(['a.json', 'b.json']), [
      'Files of the conversation memory could not be read and are left where they are: a.json, b.json',
    ]);
  });

  it('M10: files that cannot be removed do not stop the chat', async () => {
    const { workspace, readOlder } = storedBefore();
    const removeOlder = async () => {
      throw new Error('EBUSY: resource busy or locked');
    };
    const { chat, memory } = await workspace.reopen({ readOlder, removeOlder });
    await chat.saveTurn(workspace.turn('new'));
    assert.deepEqual(remembered(memory), ['old', 'new']);
  });

  it('M10: where the database is of a newer version, the files stay: only they have the archive', async () => {
    const { workspace, isThere, ...older } = storedBefore();
    const { memory } = await workspace.reopen({
      ...older,
      open: async () => {
        throw new StoreError('newer');
      },
    });
    assert.deepEqual([remembered(memory), isThere()], [['old'], true]);
  });

  it('M26: Clear erases what was cut from it, by this version or an older one', async () => {
    const branch = aConversation('workspace', { turns: [oldTurn('old'), oldTurn('cut before')] });
    const { workspace, ...older } = storedBefore({
      archived: [
        { id: '1-branch', conversation: branch, ending: { kind: 'branch', firstCut: 'cut before' } },
      ],
    });
    const { chat, memory } = await workspace.reopen(older);
    await chat.saveTurn(workspace.turn('cut now'));
    await chat.rewind(['cut now']);
    assert.equal((await memory.archived()).length, 2);
    const erased = await chat.clear();
    assert.deepEqual(workspace.filesWith('question cut'), []);
    assert.equal(erased?.branches?.length, 2, 'and they can be brought back');
  });
});
