import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StoreError } from '../../../src/core/conversation/store';
import { maxNotes } from '../../../src/core/tools/notes/note';
import { createNotes } from '../../../src/core/tools/notes/notes';
import { createNoteStore } from '../../../src/storage/noteTable';
import { Sqlite } from '../../../src/storage/sqlite';
import { createStorage, notesIn } from '../../../src/storage/storage';
import { writeOlderDatabase } from '../../support/storage/olderDatabase';
import { testFolder } from '../../support/testFolder';

const root = testFolder('notes');
let folders = 0;

const secret = 'quercus petraea';
const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
const asked = { turnId: 'turn-1', isAskedFor: true, after: [] };

/** Windows on one folder. */
function workspace() {
  const folder = join(root, String(++folders));
  let now = 1000;
  const open = () => {
    const storage = createStorage(folder);
    return { storage, notes: createNotes({ store: storage.notes, clock: () => ++now, log }) };
  };
  const filesWith = (text: string) =>
    readdirSync(folder).filter((name) => readFileSync(join(folder, name)).includes(text));
  return { folder, open, filesWith };
}

describe('notes in the database', () => {
  it('M28: are there after a restart, with where they came from and when', async () => {
    const { open } = workspace();
    const { storage, notes } = open();
    await notes.add('  We use\n tabs. ', asked);
    await notes.add('Build with make.', { turnId: 'turn-2', isAskedFor: false, after: ['README.md'] });
    storage.close();
    assert.deepEqual(await open().notes.list(), [
      { id: 1, text: 'We use tabs.', at: 1001, origin: asked },
      {
        id: 2,
        text: 'Build with make.',
        at: 1002,
        origin: { turnId: 'turn-2', isAskedFor: false, after: ['README.md'] },
      },
    ]);
  });

  it('M28: are shared by all windows, edited, forgotten and brought back as they were', async () => {
    const { open } = workspace();
    const [here, there] = [open().notes, open().notes];
    await here.add('One.', asked);
    await there.add('Two.', asked);
    await there.add('Three.', asked);
    assert.deepEqual(await there.add('One.', asked), { type: 'known', id: 1 });
    assert.equal(await there.edit(1, 'First.'), true);
    const gone = await here.forget([2]);
    assert.equal(await there.edit(2, 'Second.'), false);
    const before = await there.list();
    assert.deepEqual(
      before.map(({ text }) => text),
      ['First.', 'Three.'],
    );
    await there.restore(gone);
    await there.restore(gone);
    assert.deepEqual(
      (await here.list()).map(({ id, text, editedAt }) => [id, text, editedAt]),
      [
        [1, 'First.', 1004],
        [2, 'Two.', undefined],
        [3, 'Three.', undefined],
      ],
    );
  });

  it('M28: are bounded in number, and never have an id twice', async () => {
    const { notes } = workspace().open();
    for (let count = 1; count <= maxNotes; count++) await notes.add(`Note ${count}.`, asked);
    assert.deepEqual(await notes.add('One more.', asked), { type: 'full' });
    await notes.forget([maxNotes]);
    assert.deepEqual(await notes.add('One more.', asked), { type: 'added', id: maxNotes + 1 });
  });

  it('M26, M28: a note that was forgotten or edited leaves no byte in any file, whoever looks on', async () => {
    const { open, filesWith } = workspace();
    const [here, there] = [open(), open()];
    await there.notes.list();
    const forgets: readonly ((id: number) => Promise<unknown>)[] = [
      (id) => here.notes.forget([id]),
      (id) => there.notes.edit(id, 'Another text.'),
      () => there.notes.forgetAll(),
    ];
    for (const forget of forgets) {
      const added = await here.notes.add(`About ${secret}.`, asked);
      assert.ok(added.type === 'added');
      assert.notDeepEqual(filesWith(secret), []);
      await forget(added.id);
      assert.deepEqual(filesWith(secret), []);
    }
  });

  it('M26, M28: what could not be overwritten, because another window reads, is so at the next look', async () => {
    const { folder, open, filesWith } = workspace();
    const { notes } = open();
    const added = await notes.add(`About ${secret}.`, asked);
    assert.ok(added.type === 'added');
    const reader = new DatabaseSync(join(folder, 'memory.db'));
    reader.exec('BEGIN');
    reader.prepare('SELECT * FROM notes').all();
    await notes.forget([added.id]);
    assert.notDeepEqual(filesWith(secret), []);
    reader.close();
    await notes.list();
    assert.deepEqual(filesWith(secret), []);
  });

  it('M28: Delete All leaves them, unless they are meant', async () => {
    const { storage, notes } = workspace().open();
    await notes.add('We use tabs.', asked);
    (await storage.open()).eraseAll();
    assert.equal((await notes.list()).length, 1);
  });

  it('M10, M28: come to databases of older versions, which keep what they have', async () => {
    for (const version of [1, 2] as const) {
      const { folder, open } = workspace();
      writeOlderDatabase(join(folder, 'memory.db'), version);
      const next = open();
      await next.notes.add('We use tabs.', asked);
      assert.equal((await next.notes.list()).length, 1);
      assert.deepEqual((await next.storage.ledger())?.answers(), [{}]);
      await next.storage.changes.read((table) => assert.deepEqual(table.list(), []));
    }
  });

  it('M28: move with a folder that was moved, as they were, and no note twice', async () => {
    const [old, young] = [workspace(), workspace()];
    const before = old.open();
    await before.notes.add('We use tabs.', asked);
    await before.notes.add('Build with make.', asked);
    before.storage.close();
    const { notes } = young.open();
    await notes.add('Build with make.', asked);
    await notes.takeOver(await notesIn(old.folder));
    await notes.takeOver(await notesIn(old.folder));
    assert.deepEqual(
      (await notes.list()).map(({ text, at }) => [text, at]),
      [
        ['Build with make.', 1001],
        ['We use tabs.', 1001],
      ],
    );
    assert.deepEqual(await notesIn(join(old.folder, 'nowhere')), []);
  });

  it('M28: say that they cannot be kept where there is no database', async () => {
    const notes = createNotes({ store: createNoteStore(async () => undefined), clock: () => 0, log });
    await assert.rejects(notes.add('We use tabs.', asked), StoreError);
    assert.deepEqual(await notes.known(), []);
  });

  it('M10: a row that cannot be read counts as none', async () => {
    const { folder, open } = workspace();
    const { notes } = open();
    await notes.add('We use tabs.', asked);
    const sqlite = await Sqlite.open(join(folder, 'memory.db'));
    sqlite.run("INSERT INTO notes (text, at, origin) VALUES (x'00ff', 1, '{}'), ('Odd.', 'x', '[1')");
    sqlite.close();
    assert.deepEqual(
      (await notes.list()).map(({ text, origin }) => [text, origin]),
      [
        ['We use tabs.', asked],
        ['Odd.', { isAskedFor: false, after: [] }],
      ],
    );
  });
});
