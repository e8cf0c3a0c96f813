import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import {
  closeSync,
  copyFileSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { Sqlite } from '../../../src/storage/sqlite';
import { createStorage } from '../../../src/storage/storage';
import {
  exchange,
  remembered,
  TestWorkspace,
  type TestWindow,
} from '../../support/conversation/testWorkspace';

/** Nobody can delete or move a file there that is open. */
const isWindows = process.platform === 'win32';

const kindsOf = ({ problems }: TestWindow) => problems.map(({ kind }) => kind);
const digest = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex');

/** A workspace in which these were said, with all of it in the file itself. */
async function storing(...ids: readonly string[]): Promise<TestWorkspace> {
  const workspace = new TestWorkspace();
  const { chat, close } = await workspace.reopen();
  for (const id of ids) {
    await chat.saveTurn(
      workspace.turn(id, [exchange(id)[0]!, { role: 'assistant', content: 'x'.repeat(6_000) }]),
    );
  }
  close();
  return workspace;
}

/** All of it is in the file itself then. */
async function scrub(file: string): Promise<void> {
  const sqlite = await Sqlite.open(file);
  sqlite.scrub();
  sqlite.close();
}

function overwrite(file: string, from: number, bytes: number): void {
  const handle = openSync(file, 'r+');
  writeSync(handle, Buffer.alloc(bytes, 0xaa), 0, bytes, from);
  closeSync(handle);
}

const damages: readonly (readonly [string, (file: string) => void])[] = [
  ['its header', (file) => overwrite(file, 0, 100)],
  ['pages in the middle', (file) => overwrite(file, 4096, statSync(file).size - 8192)],
  ['all but the header', (file) => overwrite(file, 100, statSync(file).size - 100)],
  ['its end', (file) => truncateSync(file, Math.floor(statSync(file).size / 3))],
  ['everything: it is a text', (file) => writeFileSync(file, 'not a database at all. '.repeat(400))],
];

describe('a database that is damaged', () => {
  for (const [what, damage] of damages) {
    it(`M10, F21, F32: in ${what}: is moved aside, told once, and a new one has what the state has`, async () => {
      const workspace = await storing('a', 'b', 'c');
      damage(workspace.file);
      const damaged = readFileSync(workspace.file);
      const window = await workspace.reopen();
      assert.deepEqual(remembered(window.memory), ['a', 'b', 'c']);
      assert.deepEqual(kindsOf(window), ['damaged']);
      const aside = window.problems[0]!.file!;
      assert.match(window.problems[0]!.message, /damaged/);
      assert.ok(readFileSync(aside).equals(damaged), 'as it was found');
      await window.chat.saveTurn(workspace.turn('d'));
      window.kill();
      const again = await workspace.reopen();
      assert.deepEqual([remembered(again.memory), kindsOf(again)], [['a', 'b', 'c', 'd'], []]);
      await again.memory.deleteAll();
      assert.deepEqual(
        readdirSync(workspace.folder).filter((name) => name.includes('damaged')),
        [],
      );
    });
  }

  it('M10, F32: while a window uses it: the chat goes on, and nothing that this window knew is lost', async () => {
    const workspace = await storing('a', 'b');
    const window = await workspace.reopen();
    await scrub(workspace.file);
    overwrite(workspace.file, 4096, statSync(workspace.file).size - 4096);
    for (const id of ['c', 'd']) await window.chat.saveTurn(workspace.turn(id));
    await window.memory.refresh();
    assert.deepEqual(remembered(window.memory), ['a', 'b', 'c', 'd']);
    assert.ok(kindsOf(window).length <= 1);
    window.close();
    const again = await workspace.reopen();
    assert.deepEqual(remembered(again.memory), ['a', 'b', 'c', 'd']);
  });

  it('H1: a row that cannot be read takes nothing else with it, of whatever window', async () => {
    const workspace = new TestWorkspace();
    const [one, two] = [await workspace.reopen(), await workspace.reopen()];
    for (const id of ['a', 'b']) await one.chat.saveTurn(workspace.turn(id));
    for (const id of ['c', 'd']) await two.chat.saveTurn(workspace.turn(id));
    await two.chat.merge({ order: '17' }, 'c');
    await one.memory.forConversation('other').saveTurn(workspace.turn('x'));
    await workspace.rows("UPDATE turns SET turn = '{\"id\":' WHERE id = 'b'");
    await workspace.rows("UPDATE conversations SET head = '[' WHERE id = 'other'");
    one.kill();
    two.kill();
    const third = await workspace.reopen();
    await third.chat.forget({ params: ['none'] });
    await third.chat.saveTurn(workspace.turn('e'));
    assert.deepEqual(
      [remembered(third.memory), third.chat.params()],
      [['a', 'c', 'd', 'e'], { order: '17' }],
    );
    assert.deepEqual(remembered(third.memory, 'other'), ['x']);
    third.kill();
    assert.deepEqual(remembered((await workspace.reopen()).memory), ['a', 'c', 'd', 'e']);
  });

  it('H1: a running turn that cannot be read stops neither the others nor the start', async () => {
    const workspace = new TestWorkspace();
    const first = await workspace.reopen();
    await first.chat.saveTurn(workspace.turn('a'));
    for (const head of ['{', 'null', '{"conversation":7}', '{"owner":null,"conversation":"workspace"}']) {
      await workspace.rows(`INSERT INTO running VALUES ('x${head.length}', '${head}')`);
    }
    first.kill();
    const { memory, chat } = await workspace.reopen();
    await chat.saveTurn(workspace.turn('b'));
    assert.deepEqual(remembered(memory), ['a', 'b']);
  });

  if (!isWindows) {
    it('M6: when another window has put a new one in its place, both windows go on with that', async () => {
      const workspace = await storing('a');
      const [one, two] = [await workspace.reopen(), await workspace.reopen()];
      (await Sqlite.open(workspace.file)).close();
      overwrite(workspace.file, 0, statSync(workspace.file).size);
      rmSync(`${workspace.file}-wal`, { force: true });
      const third = await workspace.reopen();
      await third.chat.saveTurn(workspace.turn('b'));
      for (const [window, id] of [
        [one, 'c'],
        [two, 'd'],
      ] as const) {
        await window.memory.refresh();
        await window.chat.saveTurn(workspace.turn(id));
      }
      for (const window of [one, two, third]) {
        await window.memory.refresh();
        assert.deepEqual(remembered(window.memory), ['a', 'b', 'c', 'd']);
      }
    });

    it('M10: when another window has moved it aside and gone, nothing that this window knew is lost', async () => {
      const workspace = await storing('a', 'b');
      const window = await workspace.reopen();
      await scrub(workspace.file);
      overwrite(workspace.file, 4096, statSync(workspace.file).size - 4096);
      for (const end of ['', '-wal', '-shm'])
        renameSync(`${workspace.file}${end}`, `${workspace.file}.damaged-1${end}`);
      for (const id of ['c', 'd']) await window.chat.saveTurn(workspace.turn(id));
      assert.deepEqual(remembered(window.memory), ['a', 'b', 'c', 'd']);
      window.kill();
      assert.deepEqual(remembered((await workspace.reopen()).memory), ['a', 'b', 'c', 'd']);
    });
  }

  it('M10: found out by the ledger: is told by memory, which goes on with a new one', async () => {
    const workspace = await storing('a');
    const storage = createStorage(workspace.folder);
    const window = await workspace.reopen({ open: storage.open });
    const ledger = await storage.ledger();
    await scrub(workspace.file);
    overwrite(workspace.file, 0, statSync(workspace.file).size);
    assert.throws(() => ledger?.answers(), { kind: 'damaged' });
    await window.chat.saveTurn(workspace.turn('b'));
    assert.deepEqual(kindsOf(window), ['damaged']);
    window.kill();
    assert.deepEqual(remembered((await workspace.reopen()).memory), ['a', 'b']);
  });

  it('M10: that cannot be moved aside: the chat goes on, and it is moved once it can be', async () => {
    const workspace = await storing('a');
    const window = await workspace.reopen();
    await scrub(workspace.file);
    overwrite(workspace.file, 0, statSync(workspace.file).size);
    const { now } = Date;
    Date.now = () => 1;
    const inTheWay = join(`${workspace.file}.damaged-1`, 'folder');
    mkdirSync(inTheWay, { recursive: true });
    try {
      await window.chat.saveTurn(workspace.turn('b'));
      assert.deepEqual(kindsOf(window), ['database-failed']);
    } finally {
      Date.now = now;
    }
    await window.chat.saveTurn(workspace.turn('c'));
    assert.deepEqual(kindsOf(window), ['database-failed', 'damaged']);
    window.kill();
    assert.deepEqual(remembered((await workspace.reopen()).memory), ['a', 'b', 'c']);
  });
});

describe('a database that somebody deleted', () => {
  if (!isWindows) {
    it('F27: with its folder, where none can be made any more: the chat goes on, and it is told', async () => {
      const workspace = await storing('a');
      const window = await workspace.reopen();
      rmSync(workspace.folder, { recursive: true });
      writeFileSync(workspace.folder, 'a file is in the way');
      await window.memory.refresh();
      await window.chat.saveTurn(workspace.turn('b'));
      assert.deepEqual(remembered(window.memory), ['a', 'b']);
      assert.deepEqual(kindsOf(window), ['database-failed']);
      rmSync(workspace.folder);
      await window.chat.saveTurn(workspace.turn('c'));
      window.kill();
      assert.deepEqual(remembered((await workspace.reopen()).memory), ['a', 'b', 'c']);
    });

    it('F32: while it was open: is written again, with all that was in it', async () => {
      const workspace = await storing('a');
      const window = await workspace.reopen();
      await window.chat.rewind(['a']);
      for (const end of ['', '-wal', '-shm']) rmSync(`${workspace.file}${end}`, { force: true });
      await window.chat.saveTurn(workspace.turn('b'));
      assert.deepEqual(kindsOf(window), []);
      window.kill();
      const again = await workspace.reopen();
      assert.deepEqual(remembered(again.memory), ['b']);
      assert.equal((await again.memory.archived()).length, 1, 'the archive, too');
    });

    it('F32: with its folder, while two windows use it: both go on with one database', async () => {
      const workspace = await storing('a');
      const [one, two] = [await workspace.reopen(), await workspace.reopen()];
      rmSync(workspace.folder, { recursive: true });
      await one.chat.saveTurn(workspace.turn('b'));
      await two.chat.saveTurn(workspace.turn('c'));
      await one.memory.refresh();
      assert.deepEqual(
        [remembered(one.memory), remembered(two.memory)],
        [
          ['a', 'b', 'c'],
          ['a', 'b', 'c'],
        ],
      );
      one.kill();
      two.kill();
      assert.deepEqual(remembered((await workspace.reopen()).memory), ['a', 'b', 'c']);
    });
  }

  it('while no window was open: what the state has is there', async () => {
    const workspace = await storing('a', 'b');
    rmSync(workspace.folder, { recursive: true });
    const window = await workspace.reopen();
    assert.deepEqual([remembered(window.memory), kindsOf(window)], [['a', 'b'], []]);
    window.kill();
    assert.deepEqual(remembered((await workspace.reopen()).memory), ['a', 'b']);
  });

  it('and put back as it was before: what the state has counts, since its number is greater', async () => {
    const workspace = await storing('a');
    copyFileSync(workspace.file, join(workspace.folder, 'backup'));
    const later = await workspace.reopen();
    await later.chat.saveTurn(workspace.turn('b'));
    later.close();
    for (const end of ['-wal', '-shm']) rmSync(`${workspace.file}${end}`, { force: true });
    copyFileSync(join(workspace.folder, 'backup'), workspace.file);
    assert.deepEqual(remembered((await workspace.reopen()).memory), ['a', 'b']);
  });
});

describe('a database of a newer version', () => {
  it('F21, F34: is left as it is, told once, and memory lives in the state only', async () => {
    const workspace = await storing('a');
    const sqlite = await Sqlite.open(workspace.file);
    sqlite.run('PRAGMA user_version = 99');
    sqlite.run('CREATE TABLE something_new (x)');
    sqlite.scrub();
    sqlite.close();
    const before = digest(workspace.file);
    const window = await workspace.reopen();
    for (const id of ['b', 'c']) await window.chat.saveTurn(workspace.turn(id));
    await window.chat.rewind(['c']);
    await window.chat.forget({ turns: ['b'] });
    await window.memory.refresh();
    assert.deepEqual([remembered(window.memory), kindsOf(window)], [['a'], ['newer-version']]);
    assert.equal(window.memory.canArchive, false);
    window.close();
    const again = await workspace.reopen();
    assert.deepEqual([remembered(again.memory), kindsOf(again)], [['a'], ['newer-version']]);
    again.close();
    assert.equal(digest(workspace.file), before);
    assert.deepEqual(readdirSync(workspace.folder), ['memory.db']);
  });
});
