import assert from 'node:assert/strict';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { createArchive } from '../../../src/core/conversation/archive/archive';
import { StoreError } from '../../../src/core/conversation/store';
import { createMemoryDatabase } from '../../../src/storage/memoryDatabase';
import { Sqlite } from '../../../src/storage/sqlite';
import { ChatWindow, idsIn, ShownThread } from '../../support/conversation/shownThread';
import { exchange, remembered, TestWorkspace } from '../../support/conversation/testWorkspace';
import { FailingDisk } from '../../support/storage/failingDisk';
import { writeOlderDatabase } from '../../support/storage/olderDatabase';

const kindsOf = (problems: readonly { readonly kind: string }[]) => problems.map(({ kind }) => kind);

describe('a disk that refuses', () => {
  it('M10, F27: while an older database is converted: it stays as it was, and the next try is held up by nobody', async () => {
    const workspace = new TestWorkspace();
    writeOlderDatabase(workspace.file, 2);
    // Kept here, so that no garbage collection closes it.
    const database = new DatabaseSync(workspace.file);
    const full = Object.assign(new Error('database or disk is full'), {
      code: 'ERR_SQLITE_ERROR',
      errcode: 13,
    });
    const connection = {
      exec(sql: string) {
        database.exec(sql);
        if (sql.includes('older_turns')) throw full;
      },
      prepare: (sql: string) => database.prepare(sql),
      close: () => database.close(),
      get isOpen() {
        return database.isOpen;
      },
      get isTransaction() {
        return database.isTransaction;
      },
    };
    await assert.rejects(
      Sqlite.open(workspace.file, async () => () => connection),
      (error: unknown) => error instanceof StoreError && error.kind === 'failed',
    );
    assert.equal(database.isOpen, false);
    const { memory, problems } = await workspace.reopen();
    assert.deepEqual(remembered(memory), ['a']);
    assert.deepEqual(problems, []);
  });

  it('M20, F27: that is gone: Clear is told of, without what was set aside on it', async () => {
    // Nobody can delete there what is open.
    if (process.platform === 'win32') return;
    const workspace = new TestWorkspace();
    const { chat, memory, problems } = await workspace.reopen();
    await chat.saveTurn(workspace.turn('a'));
    rmSync(workspace.folder, { recursive: true });
    writeFileSync(workspace.folder, 'no folder');
    await chat.clear();
    assert.deepEqual(kindsOf(problems), ['database-failed']);
    assert.equal(memory.hasDamaged(), false);
  });

  for (const failure of ['isFull', 'isReadOnly'] as const) {
    const open = async () => {
      const workspace = new TestWorkspace();
      const disk = await FailingDisk.of(workspace.file);
      const window = await workspace.reopen({ open: disk.open });
      return { workspace, disk, ...window };
    };
    const large = (id: string) => [
      exchange(id)[0]!,
      { role: 'assistant', content: 'x'.repeat(20_000) } as const,
    ];

    describe(failure, () => {
      it('F27, F33: the chat goes on, it is told once, and all is written with the next change that can be', async () => {
        const { workspace, disk, chat, memory, problems, kill } = await open();
        await chat.saveTurn(workspace.turn('a'));
        disk[failure] = true;
        for (const id of ['b', 'c']) await chat.saveTurn(workspace.turn(id, large(id)));
        await memory.refresh();
        assert.deepEqual(remembered(memory), ['a', 'b', 'c']);
        assert.deepEqual(kindsOf(problems), ['database-failed']);
        disk[failure] = false;
        await chat.saveTurn(workspace.turn('d'));
        kill();
        assert.deepEqual(remembered((await workspace.reopen()).memory), ['a', 'b', 'c', 'd']);
      });

      it('F27: after it has worked again, it is told again', async () => {
        const { workspace, disk, chat, problems } = await open();
        for (const id of ['a', 'b']) {
          disk[failure] = true;
          await chat.saveTurn(workspace.turn(id, large(id)));
          disk[failure] = false;
          await chat.saveTurn(workspace.turn(`${id}2`));
        }
        assert.equal(problems.length, 2);
      });

      it('F27: what could not be written is in the state, and there after the window was closed', async () => {
        const { workspace, disk, chat, close } = await open();
        await chat.saveTurn(workspace.turn('a'));
        disk[failure] = true;
        await chat.saveTurn(workspace.turn('b', large('b')));
        close();
        assert.deepEqual(remembered((await workspace.reopen()).memory), ['a', 'b']);
      });

      it('H5, F33: a Retry answers, is told once and loses nothing: the branch is archived with the next change', async () => {
        const { workspace, disk, ...window } = await open();
        const chat = new ChatWindow(workspace, window);
        const thread = new ShownThread('s');
        for (const id of ['a', 'b']) await chat.ask(thread, id);
        disk[failure] = true;
        thread.cutFrom('b');
        assert.deepEqual((await chat.ask(thread, 'b2', { words: 'question b' })).sent, ['a']);
        assert.deepEqual((await chat.ask(thread, 'c', { words: 'long '.repeat(4_000) })).sent, ['a', 'b2']);
        assert.deepEqual(kindsOf(window.problems), ['database-failed']);
        disk[failure] = false;
        assert.deepEqual((await chat.ask(thread, 'd')).sent, ['a', 'b2', 'c']);
        assert.deepEqual((await chat.branches()).map(idsIn), [['a', 'b']]);
      });

      it('M20, F33: what was cleared meanwhile is gone everywhere once it can be', async () => {
        const { workspace, disk, chat, memory } = await open();
        await chat.saveTurn(workspace.turn('a'));
        disk[failure] = true;
        await chat.saveTurn(workspace.turn('b', large('b')));
        await chat.clear();
        assert.deepEqual(chat.history(), []);
        disk[failure] = false;
        await memory.refresh();
        assert.deepEqual([workspace.filesWith('question a'), workspace.filesWith('question b')], [[], []]);
      });
    });
  }

  it('F27: a folder that cannot be made is told once; the state remembers, and the database has it all later', async () => {
    const workspace = new TestWorkspace();
    rmSync(workspace.folder, { recursive: true, force: true });
    writeFileSync(workspace.folder, 'a file is in the way');
    const window = await workspace.reopen();
    for (const id of ['a', 'b']) await window.chat.saveTurn(workspace.turn(id));
    assert.deepEqual(kindsOf(window.problems), ['database-failed']);
    window.close();
    const second = await workspace.reopen();
    assert.deepEqual(remembered(second.memory), ['a', 'b']);
    rmSync(workspace.folder);
    mkdirSync(workspace.folder);
    await second.chat.saveTurn(workspace.turn('c'));
    second.kill();
    assert.deepEqual(remembered((await workspace.reopen()).memory), ['a', 'b', 'c']);
  });

  /** A window that cannot open the database for as long as it is told so. */
  async function withoutDatabase() {
    const workspace = new TestWorkspace();
    let isOpening = false;
    const open = async () => {
      if (!isOpening) throw new StoreError('failed');
      return createMemoryDatabase(await Sqlite.open(workspace.file));
    };
    const window = await workspace.reopen({ open });
    return { workspace, ...window, opens: () => (isOpening = true) };
  }

  it('F25, F27: what another window could write meanwhile stays, however much this one could not', async () => {
    const { workspace, chat, memory, opens } = await withoutDatabase();
    const other = await workspace.reopen();
    for (const id of ['a', 'b', 'c']) await chat.saveTurn(workspace.turn(id));
    workspace.now++;
    await other.chat.saveTurn(workspace.turn('other'));
    opens();
    workspace.now++;
    await chat.saveTurn(workspace.turn('d'));
    await other.memory.refresh();
    for (const one of [memory, other.memory])
      assert.deepEqual(remembered(one).toSorted(), ['a', 'b', 'c', 'd', 'other']);
  });

  it('F25, F27: what another window could write meanwhile counts after the one that could not was closed', async () => {
    const workspace = new TestWorkspace();
    const disk = await FailingDisk.of(workspace.file);
    const window = await workspace.reopen({ open: disk.open });
    disk.isReadOnly = true;
    const other = await workspace.reopen();
    for (const id of ['a', 'b', 'c']) await window.chat.saveTurn(workspace.turn(id));
    await other.chat.saveTurn(workspace.turn('other'));
    other.close();
    window.close();
    assert.deepEqual(remembered((await workspace.reopen()).memory), ['other'], 'it was acknowledged');
  });

  it('F27, M20: what was archived while the database could not be opened is in it later', async () => {
    const { workspace, chat, memory, opens } = await withoutDatabase();
    await chat.saveTurn(workspace.turn('a'));
    await createArchive(memory).startFresh('workspace');
    opens();
    await chat.saveTurn(workspace.turn('b'));
    assert.deepEqual(
      (await memory.archived()).map(({ title }) => title),
      ['question a'],
    );
    assert.deepEqual(remembered(memory), ['b']);
  });

  it('M26, F27: what was cleared and could not be written is neither archived nor kept by the next window', async () => {
    const workspace = new TestWorkspace();
    const disk = await FailingDisk.of(workspace.file);
    const { chat, close } = await workspace.reopen({ open: disk.open });
    await chat.saveTurn(workspace.turn('a'));
    disk.isReadOnly = true;
    await chat.clear();
    close();
    workspace.now += 3600_000;
    const { memory } = await workspace.reopen();
    assert.deepEqual([remembered(memory), await memory.archived()], [[], []]);
    assert.deepEqual(workspace.filesWith('question a'), []);
  });

  it('F27: when neither disk nor state takes it, the turn stays in memory, and each is told once', async () => {
    const workspace = new TestWorkspace();
    const disk = await FailingDisk.of(workspace.file);
    const { chat, memory, store, problems, kill } = await workspace.reopen({ open: disk.open });
    disk.isReadOnly = true;
    store.failure = new Error('ENOSPC: no space left on device');
    for (const id of ['a', 'b']) await chat.saveTurn(workspace.turn(id));
    assert.deepEqual(remembered(memory), ['a', 'b']);
    assert.deepEqual(kindsOf(problems), ['database-failed', 'store-failed']);
    disk.isReadOnly = false;
    store.failure = undefined;
    await chat.saveTurn(workspace.turn('c'));
    kill();
    assert.deepEqual(
      remembered((await workspace.reopen()).memory),
      ['a', 'b', 'c'],
      'the next write took all along',
    );
  });

  it('F27: without any folder to write to, the state remembers and nothing is told', async () => {
    const workspace = new TestWorkspace();
    const first = await workspace.reopen({ database: false });
    await first.chat.saveTurn(workspace.turn('a'));
    first.close();
    const second = await workspace.reopen({ database: false });
    assert.deepEqual(remembered(second.memory), ['a']);
    assert.deepEqual([...first.problems, ...second.problems], []);
  });
});
