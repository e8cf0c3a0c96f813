import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { createArchive, type ConversationArchive } from '../../../src/core/conversation/archive/archive';
import type { Message } from '../../../src/core/messages';
import { createMemoryDatabase } from '../../../src/storage/memoryDatabase';
import { Sqlite } from '../../../src/storage/sqlite';
import { ChatWindow, ShownThread } from '../../support/conversation/shownThread';
import { aConversation, aTurn } from '../../support/conversation/stored';
import { TestWorkspace, type TestWindow } from '../../support/conversation/testWorkspace';

const secret = 'XYZZY-secret-words';
/** As the index spells a word of it. */
const indexed = 'xyzz';

const noOlderData = {
  archived: [],
  unreadable: [],
  damaged: [],
  files: [],
  answers: [],
  departures: [],
  changes: [],
};

/** Two windows on one workspace; the first one does it all, the second one has read it. */
async function twoWindows() {
  const workspace = new TestWorkspace();
  const [window, other] = [await workspace.reopen(), await workspace.reopen()];
  const say = async (id: string, words: string) => {
    workspace.now += 1000;
    const messages: Message[] = [
      { role: 'user', content: words },
      { role: 'assistant', content: `About ${words}` },
    ];
    await window.chat.saveTurn({ ...workspace.turn(id, messages), thread: 's' });
    await other.memory.refresh();
  };
  return { workspace, window, other, say };
}

/** Neither in any file of the folder, the write-ahead log included, nor in what any window has in its state. */
async function assertGone(workspace: TestWorkspace, ...windows: readonly TestWindow[]): Promise<void> {
  assert.deepEqual([workspace.filesWith(secret), workspace.filesWith(indexed)], [[], []]);
  for (const { memory, store } of windows) {
    await memory.refresh();
    await new Promise((resolve) => setImmediate(resolve));
    store.flush();
    const stored = JSON.stringify(store.keys().map((key) => store.get(key)));
    assert.ok(!stored.includes(secret), 'in the state');
  }
  const left = [...workspace.filesWith(secret), ...workspace.filesWith(indexed)];
  assert.deepEqual(left, [], 'after the other windows have looked');
}

describe('what was erased is in no file', () => {
  it('M26: after Clear', async () => {
    const { workspace, window, other, say } = await twoWindows();
    await say('a', secret);
    await window.chat.merge({ order: secret }, 'a');
    await window.chat.summarize(`It was about ${secret}.`, ['a']);
    await say('b', 'other words');
    assert.notDeepEqual(workspace.filesWith(secret), []);
    assert.notDeepEqual(workspace.filesWith(indexed), []);
    await window.chat.clear();
    await assertGone(workspace, window, other);
  });

  it('M26, T5: after Clear and Forget, also where the ledger says what the turn ran or looked into', async () => {
    for (const erase of [
      (window: TestWindow) => window.chat.clear(),
      (window: TestWindow) => window.chat.forget({ turns: ['a'] }),
    ]) {
      const { workspace, window, other, say } = await twoWindows();
      await say('a', 'words');
      await say('b', 'other words');
      const sqlite = await Sqlite.open(workspace.file);
      const guidance = [{ kind: 'prompt', path: `.claude/commands/${secret}.md`, chars: 1 }];
      const record = JSON.stringify({ turn: 'a', usage: 7, guidance });
      sqlite.run('INSERT INTO answers VALUES (?, ?, ?)', 'a', 1, record);
      sqlite.run('INSERT INTO answers VALUES (?, ?, ?)', 'a', 2, 'damaged {');
      sqlite.close();
      assert.notDeepEqual(workspace.filesWith(secret), []);
      await erase(window);
      await assertGone(workspace, window, other);
      const [kept] = await workspace.rows('SELECT record FROM answers ORDER BY at');
      assert.equal(kept?.['record'], '{"turn":"a","usage":7}');
    }
  });

  it('M2, M26: after Clear, also of what a Retry or an edit cut off before', async () => {
    const { workspace, window, other } = await twoWindows();
    const chat = new ChatWindow(workspace, window);
    const thread = new ShownThread('s');
    await chat.ask(thread, 'a');
    await chat.ask(thread, 'b', { words: secret });
    thread.shown.pop();
    await chat.ask(thread, 'b2', { words: secret });
    thread.shown = [];
    await chat.ask(thread, 'c');
    assert.equal((await chat.branches()).length, 2);
    await window.chat.clear();
    assert.deepEqual(await chat.branches(), []);
    await assertGone(workspace, window, other);
  });

  it('M26: after Clear, also of what was cut from a conversation that was brought back beside another', async () => {
    const { workspace, window, other } = await twoWindows();
    const archive = createArchive(window.memory);
    const chat = new ChatWindow(workspace, window);
    const thread = new ShownThread('s');
    await chat.ask(thread, 'a');
    await chat.ask(thread, 'b', { words: secret });
    thread.shown.pop();
    await chat.ask(thread, 'c');
    const { archivedAs = '' } = await archive.startFresh('workspace');
    await chat.ask(new ShownThread('t'), 'd');
    await archive.continueEnded('workspace', archivedAs);
    const cleared = await window.chat.clear();
    await assertGone(workspace, window, other);

    await chat.ask(new ShownThread('u'), 'e');
    await window.chat.restore(cleared!);
    assert.equal((await chat.branches()).length, 1);
    await window.chat.clear();
    await assertGone(workspace, window, other);
  });

  it('M26: after Clear of a conversation from an older version, also of what was cut from it since', async () => {
    const workspace = new TestWorkspace();
    const turns = [aTurn('a'), aTurn('b', { order: 2, messages: [{ role: 'user', content: secret }] })];
    const conversations = [aConversation('workspace', { lastActive: workspace.now, turns })];
    const window = await workspace.reopen({ readOlder: async () => ({ ...noOlderData, conversations }) });
    await window.chat.rewind(['b']);
    const cleared = await window.chat.clear();
    assert.equal(cleared?.branches?.length, 1);
    await assertGone(workspace, window);
  });

  it('M2, M26: after Forget of a turn, also from branches, evicted copies and the summary that told of it', async () => {
    const { workspace, window, other, say } = await twoWindows();
    await say('a', secret);
    await say('b', 'other words');
    await say('c', 'more words');
    await window.chat.rewind(['c']);
    await window.chat.summarize(`It was about ${secret}.`, ['a']);
    await say('d', 'last words');
    await window.chat.rewind(['d']);
    await window.chat.forget({ turns: ['a'] });
    await assertGone(workspace, window, other);
    const branches = (await window.memory.archived()).map(({ turns }) => turns);
    assert.deepEqual(branches, [2, 2], 'the branches have the rest');
  });

  it('M2, M26: after Forget of a value, also from branches that had it', async () => {
    const { workspace, window, other, say } = await twoWindows();
    await say('a', 'some words');
    await window.chat.merge({ order: `${secret} 1` }, 'a');
    await window.chat.merge({ order: `${secret} 2`, city: 'Bonn' }, 'a');
    await say('b', 'other words');
    await window.chat.rewind(['b']);
    await window.chat.forget({ params: ['order'] });
    assert.deepEqual(window.chat.params(), { city: 'Bonn' });
    await assertGone(workspace, window, other);
  });

  it('M26: after Delete All, whatever table it is in', async () => {
    const { workspace, window, other, say } = await twoWindows();
    await say('a', secret);
    await createArchive(window.memory).startFresh('workspace');
    await say('b', secret);
    await window.memory
      .forConversation('another')
      .saveTurn(workspace.turn('c', [{ role: 'user', content: secret }]));
    await other.chat.begin(workspace.turn('d')).record([{ role: 'user', content: secret }]);
    await workspace.rows(
      `INSERT INTO changes (turn, at, kind, place, added, removed, can_be_undone, before, judged, size)
       VALUES ('b', 1, 'edit', '{}', 1, 1, 1, '${secret}', '', 1)`,
    );
    await window.memory.deleteAll();
    await assertGone(workspace, window, other);
  });

  it('M26: after an archived conversation was deleted', async () => {
    const { workspace, window, other, say } = await twoWindows();
    await say('a', secret);
    const archive = createArchive(window.memory);
    const { archivedAs = '' } = await archive.startFresh('workspace');
    await say('b', 'other words');
    await archive.remove((await archive.get(archivedAs))!);
    await assertGone(workspace, window, other);
  });

  it('M26: after one was deleted that had been left for another, also of what the turn limit had evicted', async () => {
    const { workspace, window, other, say } = await twoWindows();
    workspace.limits = { ...workspace.limits, maxTurns: 1 };
    const archive = createArchive(window.memory);
    await say('a', 'some words');
    const { archivedAs: first = '' } = await archive.startFresh('workspace');
    await say('b', secret);
    await say('c', 'other words');
    const { archivedAs: second = '' } = await archive.resume('workspace', first);
    await archive.remove((await archive.get(second))!);
    await assertGone(workspace, window, other);
  });

  it('M20, M26: after one was left that no archive keeps, as the person was told', async () => {
    const imported = aConversation('imported', { turns: [aTurn('i')] });
    const ways = [
      (archive: ConversationArchive) => archive.startFresh('workspace'),
      (archive: ConversationArchive) => archive.startFresh('workspace', { keepThread: 't' }),
      (archive: ConversationArchive) => archive.bringIn('workspace', imported),
      (archive: ConversationArchive, before: string) => archive.resume('workspace', before),
      (archive: ConversationArchive) => archive.continueFrom('workspace', { turn: 'before' }),
    ];
    for (const leave of ways) {
      const { workspace, window, other, say } = await twoWindows();
      const archive = createArchive(window.memory);
      await say('before', 'other words');
      const { archivedAs = '' } = await archive.startFresh('workspace');
      await say('a', secret);
      workspace.limits = { ...workspace.limits, archiveSize: 0 };
      await leave(archive, archivedAs);
      await assertGone(workspace, window, other);
    }
  });

  it('M26: after the summary was emptied', async () => {
    const { workspace, window, other, say } = await twoWindows();
    await say('a', 'some words');
    await window.chat.setSummary(`About ${secret}.`);
    await window.chat.setSummary('');
    await assertGone(workspace, window, other);
  });

  it('M26: after Clear while the other window ran a turn, which goes on by itself', async () => {
    const { workspace, window, other, say } = await twoWindows();
    await say('a', secret);
    const running = workspace.turn('b');
    other.chat.begin(running);
    await window.chat.clear();
    await other.chat.saveTurn(running);
    await assertGone(workspace, window, other);
    assert.deepEqual(
      other.chat.snapshot()?.turns.map(({ id }) => id),
      ['b'],
    );
  });

  it('M26: while somebody reads the file, it goes as soon as that one has finished', async () => {
    const { workspace, window, other, say } = await twoWindows();
    await say('a', secret);
    const reader = new DatabaseSync(workspace.file);
    reader.exec('BEGIN');
    reader.prepare('SELECT count(*) FROM turns').get();
    await window.chat.clear();
    assert.deepEqual(window.chat.history(), []);
    reader.exec('COMMIT');
    reader.close();
    await window.memory.refresh();
    await assertGone(workspace, window, other);
  });

  it('M26: after Clear in a window that was killed before it could overwrite the log, at the next start', async () => {
    const { workspace, other, say } = await twoWindows();
    await say('a', secret);
    const killed = await workspace.reopen({
      open: async () => {
        const database = createMemoryDatabase(await Sqlite.open(workspace.file));
        return { ...database, scrub: () => assert.fail('killed') };
      },
    });
    await killed.chat.clear();
    assert.notDeepEqual(workspace.filesWith(secret), []);
    await assertGone(workspace, await workspace.reopen(), other);
  });

  it('M26: in a database with a rollback journal', async () => {
    const workspace = new TestWorkspace();
    const sqlite = await Sqlite.open(workspace.file);
    sqlite.get('PRAGMA journal_mode = DELETE');
    const window = await workspace.reopen({ open: async () => createMemoryDatabase(sqlite) });
    await window.chat.saveTurn(workspace.turn('a', [{ role: 'user', content: secret }]));
    assert.deepEqual(workspace.filesWith(secret), ['memory.db']);
    await window.chat.clear();
    await assertGone(workspace, window);
  });

  it('M20: what was cleared can be undone, and cleared again', async () => {
    const { workspace, window, other, say } = await twoWindows();
    await say('a', secret);
    await say('b', 'other words');
    await window.chat.rewind(['b']);
    const cleared = await window.chat.clear();
    assert.deepEqual(await window.memory.archived(), []);
    await window.chat.restore(cleared!);
    assert.notDeepEqual(workspace.filesWith(secret), []);
    assert.equal((await window.memory.archived()).length, 1, 'with what was cut from it');
    await window.chat.clear();
    await assertGone(workspace, window, other);
  });
});
