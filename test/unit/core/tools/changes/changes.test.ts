import assert from 'node:assert/strict';
import { maxTextSize } from '../../../../../src/core/tools/changes/changeRows';
import { createChanges } from '../../../../../src/core/tools/changes/changes';
import type { ListedChange } from '../../../../../src/core/tools/changes/fileChange';
import type { LineRange } from '../../../../../src/core/tools/changes/hunks';
import { createChangeStore } from '../../../../../src/storage/changeTable';
import { inMemory, Sqlite } from '../../../../../src/storage/sqlite';
import { createChangedWorkspace, replacing } from '../../../../support/changes';
import { TestWorkspace } from '../../../../support/conversation/testWorkspace';
import { createInMemoryWorkspace, type InMemoryOptions } from '../../../../support/inMemoryWorkspace';

const { signal } = new AbortController();
const numbers = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n';
const place = (path: string) => ({ folder: { name: 'app', root: '/work/app' }, path });

function shown({ turnId, kind, place: { path }, from, added, removed }: ListedChange): string {
  return `${turnId}: ${kind} ${from ? `${from.path} → ` : ''}${path} +${added} -${removed}`;
}

function changed(files: NonNullable<InMemoryOptions['files']>, file?: string) {
  const made = createChangedWorkspace({ files }, file);
  const list = async () => (await made.changes.list()).map(shown);
  const ids = async (isMeant: (change: ListedChange) => boolean = () => true) =>
    (await made.changes.list()).filter(isMeant).map(({ id }) => id);
  const undo = async (isMeant?: (change: ListedChange) => boolean) => {
    const { undone, refused } = await made.changes.undo(await ids(isMeant), signal);
    return { undone: undone.length, refused: refused.map(({ why }) => why) };
  };
  return { ...made, list, ids, undo };
}

/** Lines that stand in the place of as many others. */
function replaced(range: LineRange) {
  return { range, shown: range };
}

function sorted<T>(files: ReadonlyMap<string, T>): ReadonlyMap<string, T> {
  return new Map([...files].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

describe('changes by Claude', () => {
  it('C1: are listed by turn and file, several edits of a turn as one', async () => {
    const { run, list } = changed({ 'a.ts': numbers, 'b.ts': 'b\n', 'c.ts': 'c\n' });
    await run('t1', 'edit_file', replacing('a.ts', 'two', 'TWO\n2'));
    await run('t1', 'edit_file', replacing('a.ts', 'TWO\n2', 'Two'));
    await run('t1', 'create_file', { path: 'd.ts', content: 'x\ny\n' });
    await run('t1', 'edit_file', replacing('d.ts', 'y\n', 'y\nz\n'));
    await run('t2', 'edit_file', replacing('a.ts', 'six', 'SIX'));
    await run('t2', 'delete_file', { path: 'b.ts' });
    await run('t2', 'rename_file', { from: 'c.ts', to: 'e.ts' });
    assert.deepEqual(await list(), [
      't1: edit a.ts +1 -1',
      't1: create d.ts +3 -0',
      't2: edit a.ts +1 -1',
      't2: delete b.ts +0 -1',
      't2: rename c.ts → e.ts +0 -0',
    ]);
  });

  it('C1: what a turn made and took back is not listed, nor what another chat did', async () => {
    const { run, list } = changed({ 'a.ts': numbers });
    await run('t1', 'create_file', { path: 'd.ts', content: 'x' });
    await run('t1', 'delete_file', { path: 'd.ts' });
    await run('t1', 'edit_file', replacing('a.ts', 'two', 'TWO'));
    await run('t1', 'edit_file', replacing('a.ts', 'TWO', 'two'));
    await run(undefined, 'edit_file', replacing('a.ts', 'two', 'TWO'));
    assert.deepEqual(await list(), []);
  });

  it('C3: undo restores every byte: created files go, deleted and renamed ones come back', async () => {
    const files = { 'a.ts': 'one\r\ntwo\nthree', 'b.ts': 'b\r\n', 'c.ts': 'c', 'dir/e.ts': 'e\n' };
    const { workspace, run, undo, list } = changed(files);
    const before = new Map(workspace.files);
    await run('t1', 'edit_file', replacing('a.ts', 'two', 'TWO\n2'));
    await run('t1', 'create_file', { path: 'd.ts', content: 'x' });
    await run('t1', 'delete_file', { path: 'b.ts' });
    await run('t1', 'edit_file', replacing('c.ts', 'c', 'C'));
    await run('t1', 'rename_file', { from: 'c.ts', to: 'moved.ts' });
    await run('t1', 'edit_file', replacing('moved.ts', 'C', 'CC'));
    await run('t2', 'rename_file', { from: 'dir', to: 'folder' });
    await run('t2', 'edit_file', replacing('folder/e.ts', 'e', 'E'));
    assert.deepEqual(await undo(), { undone: 7, refused: [] });
    assert.deepEqual(workspace.files, before);
    assert.deepEqual(await list(), []);
  });

  it('C3, F37: where the person edited the same place, nothing is overwritten, and it says so', async () => {
    const { workspace, run, undo, list } = changed({ 'a.ts': numbers, 'n.ts': 'n\n' });
    await run('t1', 'edit_file', {
      path: 'a.ts',
      edits: [
        { old_text: 'two', new_text: 'TWO' },
        { old_text: 'six', new_text: 'SIX' },
      ],
    });
    await run('t1', 'create_file', { path: 'd.ts', content: 'x' });
    await run('t1', 'delete_file', { path: 'n.ts' });
    const edited = numbers.replace('two', 'zwei').replace('six', 'SIX').replace('seven', 'seven\neight');
    workspace.files.set('/work/app/a.ts', edited);
    workspace.files.set('/work/app/d.ts', 'mine');
    workspace.files.set('/work/app/n.ts', 'mine');
    assert.deepEqual(await undo(), {
      undone: 0,
      refused: [
        'something else is there now',
        'the same place was changed since',
        'the same place was changed since',
      ],
    });
    assert.equal(workspace.text('a.ts'), edited.replace('SIX', 'six'));
    assert.deepEqual([workspace.text('d.ts'), workspace.text('n.ts')], ['mine', 'mine']);
    assert.deepEqual(await list(), ['t1: edit a.ts +1 -1', 't1: create d.ts +1 -0', 't1: delete n.ts +0 -1']);
  });

  it('C3, F37: what a formatter made of a change as it was saved is never overwritten', async () => {
    const { workspace, run, undo } = changed({ 'a.ts': numbers });
    await run('t1', 'edit_file', {
      path: 'a.ts',
      edits: [
        { old_text: 'two', new_text: 'TWO' },
        { old_text: 'six', new_text: 'SIX' },
      ],
    });
    // It has also put a line at the top.
    const formatted = `'use strict';\n${workspace.text('a.ts')!.replace('TWO', '  TWO;')}`;
    workspace.files.set('/work/app/a.ts', formatted);
    assert.deepEqual(await undo(), { undone: 0, refused: ['the same place was changed since'] });
    assert.equal(workspace.text('a.ts'), formatted.replace('SIX', 'six'));
  });

  it('C3: a hunk is judged by its lines in the editor, whatever the person wrote above', async () => {
    const { workspace, changes, run, list } = changed({ 'a.ts': numbers });
    await run('t1', 'edit_file', replacing('a.ts', 'two', 'TWO'));
    await run('t2', 'edit_file', replacing('a.ts', 'six', 'SIX'));
    const text = `mine\n${workspace.text('a.ts')}`;
    workspace.unsaved.set('/work/app/a.ts', text);
    const { text: original } = (await changes.original(place('a.ts'), text))!;
    assert.equal(original, `mine\n${numbers}`);
    await changes.keepLines({ place: place('a.ts'), text, ...replaced({ start: 2, end: 3 }) });
    assert.deepEqual(await list(), ['t2: edit a.ts +1 -1']);
    const { refused } = await changes.undoLines(
      { place: place('a.ts'), text, ...replaced({ start: 6, end: 7 }) },
      signal,
    );
    assert.deepEqual(refused, []);
    assert.equal(workspace.unsaved.get('/work/app/a.ts'), `mine\n${numbers.replace('two', 'TWO')}`);
    assert.deepEqual(await list(), []);
    assert.equal(await changes.original(place('a.ts'), text), undefined);
  });

  it('C3: lines that came or went are judged wherever the editor shows them', async () => {
    const long = 'a() {\n  x;\n}\n\nb() {\n  y;\n}\n\nc() {\n  z;\n}\n';
    const short = 'a() {\n  x;\n}\n\nc() {\n  z;\n}\n';
    const middle = 'b() {\n  y;\n}\n\n';
    // What came in between may be `b() { … }` with the empty line below it or with the one above it.
    for (const start of [3, 4]) {
      const [none, four] = [
        { start, end: start },
        { start, end: start + 4 },
      ];
      const added = changed({ 'a.ts': short });
      await added.run('t1', 'edit_file', replacing('a.ts', 'c() {', `${middle}c() {`));
      const inserted = { place: place('a.ts'), text: long, range: none, shown: four };
      assert.deepEqual((await added.changes.undoLines(inserted, signal)).undone.length, 1);
      assert.deepEqual([added.workspace.text('a.ts'), await added.list()], [short, []]);
      const removed = changed({ 'a.ts': long });
      await removed.run('t1', 'edit_file', replacing('a.ts', middle, ''));
      await removed.changes.keepLines({ place: place('a.ts'), text: short, range: four, shown: none });
      assert.deepEqual([removed.workspace.text('a.ts'), await removed.list()], [short, []]);
    }
  });

  it('C3: a place that two turns changed goes back to before both', async () => {
    const { workspace, changes, run, list } = changed({ 'a.ts': numbers });
    await run('t1', 'edit_file', replacing('a.ts', 'two', 'TWO'));
    await run('t2', 'edit_file', replacing('a.ts', 'TWO', 'Two'));
    const text = workspace.text('a.ts')!;
    await changes.undoLines({ place: place('a.ts'), text, ...replaced({ start: 1, end: 2 }) }, signal);
    assert.equal(workspace.text('a.ts'), numbers);
    assert.deepEqual(await list(), []);
  });

  it('C3: the older of two turns is not undone below the newer one', async () => {
    const { workspace, run, undo } = changed({ 'a.ts': numbers });
    await run('t1', 'edit_file', replacing('a.ts', 'two', 'TWO'));
    await run('t2', 'edit_file', replacing('a.ts', 'TWO', 'Two'));
    assert.deepEqual(await undo(({ turnId }) => turnId === 't1'), {
      undone: 0,
      refused: ['the same place was changed since'],
    });
    assert.equal(workspace.text('a.ts'), numbers.replace('two', 'Two'));
  });

  it('C3: what people wrote in bytes that the editor cannot read is not damaged by an undo', async () => {
    const { workspace, run, undo, list } = changed({ 'a.ts': numbers });
    await run('t1', 'edit_file', replacing('a.ts', 'two', 'TWO'));
    const bytes = Buffer.from(`${workspace.text('a.ts')}größe\n`, 'latin1');
    workspace.files.set('/work/app/a.ts', bytes);
    assert.deepEqual(await undo(), {
      undone: 0,
      refused: ['it would not be written as it was in its present encoding, utf8'],
    });
    assert.deepEqual(workspace.files.get('/work/app/a.ts'), bytes);
    assert.deepEqual(await list(), ['t1: edit a.ts +1 -1']);
  });

  it('C3: no character is lost to the encoding that the person has saved a file in since', async () => {
    const made = createChangedWorkspace({
      encoding: 'windows1252',
      files: { 'a.ts': Buffer.from('\uFEFF1\n→\n3\n') },
    });
    await made.run('t1', 'edit_file', replacing('a.ts', '→', '>'));
    const saved = Buffer.from('1\n>\n3\n');
    made.workspace.files.set('/work/app/a.ts', saved);
    const [change] = await made.changes.list();
    const { refused } = await made.changes.undo([change!.id], signal);
    assert.match(refused[0]!.why, /windows1252/);
    assert.deepEqual(made.workspace.files.get('/work/app/a.ts'), saved);
  });

  it('C3: a text that the database cannot keep as it is is listed without undo', async () => {
    const { changes } = changed({ 'a.ts': 'b' });
    const planned = { kind: 'edit', place: place('a.ts'), isSecret: false } as const;
    const texts = { before: 'half \uD800 a character', after: 'b', encoding: 'utf16le' };
    const act = async () => ({ outcome: { kind: 'saved' } as const });
    await changes.record({ turnId: 't1', callId: 'c' }, { ...planned, ...texts }, act);
    const [change] = await changes.list();
    assert.deepEqual([change!.canBeUndone, (await changes.get(change!.id))!.before], [false, undefined]);
  });

  it('C1, C3: a deleted folder is listed by its files, and each comes back as it was', async () => {
    const files = {
      'dir/a.ts': 'a\r\n',
      'dir/deep/b.ts': 'b',
      'dir/.env': 'KEY=1\n',
      'dir/photo.bin': Uint8Array.of(0, 1, 2),
      'dir2/c.ts': 'c\n',
    };
    const { workspace, run, undo, list } = changed(files);
    await run('t1', 'edit_file', replacing('dir/a.ts', 'a', 'A'));
    await run('t1', 'create_file', { path: 'dir/new.ts', content: 'new\n' });
    await run('t1', 'delete_file', { path: 'dir' });
    assert.deepEqual([...workspace.files.keys()], ['/work/app/dir2/c.ts']);
    assert.deepEqual((await list()).toSorted(), [
      't1: delete dir/.env +0 -1',
      't1: delete dir/a.ts +0 -1',
      't1: delete dir/deep/b.ts +0 -1',
      't1: delete dir/photo.bin +0 -0',
    ]);
    const none = 'no copy of the text before was kept';
    assert.deepEqual(await undo(), { undone: 2, refused: [none, none] });
    assert.deepEqual(
      ['dir/a.ts', 'dir/deep/b.ts', 'dir/new.ts', 'dir/.env'].map((path) => workspace.text(path)),
      ['a\r\n', 'b', undefined, undefined],
    );
  });

  it('C1: a deleted folder does not have all changes looked through for each of its files', async () => {
    const sqlite = Sqlite.open(inMemory);
    const store = createChangeStore(() => Promise.resolve(sqlite));
    let looks = 0;
    const changes = createChanges({
      store: {
        ...store,
        change: (job) => store.change((table) => job({ ...table, list: () => (looks++, table.list()) })),
      },
      workspace: createInMemoryWorkspace({}),
      clock: () => 1,
      log: { info: () => undefined, warn: () => undefined, error: assert.fail },
    });
    const paths = Array.from({ length: 100 }, (_, at) => `dir/${at}.ts`);
    const planned = paths.map((path) => {
      return { kind: 'delete', place: place(path), before: path, isSecret: false } as const;
    });
    await changes.recordAll({ callId: 'c', turnId: 't1' }, planned, async () => ({
      outcome: { kind: 'saved' },
    }));
    assert.deepEqual([(await store.read((table) => table.list())).length, looks], [100, 0]);
  });

  it('C4: a deleted folder that is empty, too large or a link is listed as one change, without undo', async () => {
    const many = Object.fromEntries(Array.from({ length: 1001 }, (_, at) => [`many/${at}.ts`, `${at}\n`]));
    const { run, list, changes } = changed({ ...many, 'dir/a.ts': 'a\n', alias: { link: 'dir' } });
    await run('t1', 'delete_file', { path: 'many' });
    await run('t1', 'delete_file', { path: 'alias' });
    assert.deepEqual(await list(), ['t1: delete many +0 -0', 't1: delete alias +0 -0']);
    assert.deepEqual(
      (await changes.list()).map(({ canBeUndone }) => canBeUndone),
      [false, false],
    );
  });

  it('C3: a deleted file comes back to its place, also when another one was there and moved on', async () => {
    const { workspace, run, undo } = changed({ 'a.ts': 'a\n', 'c.ts': 'c\n' });
    const before = new Map(workspace.files);
    await run('t1', 'delete_file', { path: 'a.ts' });
    await run('t2', 'rename_file', { from: 'c.ts', to: 'a.ts' });
    await run('t3', 'rename_file', { from: 'a.ts', to: 'd.ts' });
    assert.deepEqual(await undo(({ turnId }) => turnId === 't1'), { undone: 1, refused: [] });
    assert.equal(workspace.text('a.ts'), 'a\n');
    workspace.files.delete('/work/app/a.ts');
    await run('t4', 'create_file', { path: 'a.ts', content: 'a\n' });
    await undo(({ turnId }) => turnId === 't4');
    assert.deepEqual(await undo(), { undone: 2, refused: [] });
    workspace.files.set('/work/app/a.ts', 'a\n');
    assert.deepEqual(workspace.files, before);
  });

  it('C3: a file that was edited, renamed and deleted in one turn comes back where it was', async () => {
    const { workspace, run, undo } = changed({ 'a.ts': 'a\n', 'c.ts': 'c\n' });
    const before = new Map(workspace.files);
    await run('t1', 'edit_file', replacing('a.ts', 'a', 'A'));
    await run('t1', 'rename_file', { from: 'a.ts', to: 'b.ts' });
    await run('t1', 'delete_file', { path: 'b.ts' });
    assert.deepEqual(await undo(), { undone: 3, refused: [] });
    assert.deepEqual(sorted(workspace.files), before);
  });

  it('C3: a renamed file goes back within its folder, wherever that is now', async () => {
    const { workspace, run, undo } = changed({ 'dir/a.ts': 'a\n', 'dir/c.ts': 'c\n' });
    const before = new Map(workspace.files);
    await run('t1', 'rename_file', { from: 'dir/a.ts', to: 'dir/b.ts' });
    await run('t2', 'rename_file', { from: 'dir', to: 'other' });
    assert.deepEqual(await undo(({ turnId }) => turnId === 't1'), { undone: 1, refused: [] });
    assert.deepEqual([...workspace.files.keys()].toSorted(), [
      '/work/app/other/a.ts',
      '/work/app/other/c.ts',
    ]);
    assert.deepEqual(await undo(), { undone: 1, refused: [] });
    assert.deepEqual(sorted(workspace.files), before);
  });

  it('C3: a file that was deleted and made anew in another encoding comes back in its own', async () => {
    const bytes = Buffer.from('\uFEFFGröße\n');
    const { workspace, changes, run } = createChangedWorkspace({ files: { 'a.ts': bytes } });
    await run('t1', 'delete_file', { path: 'a.ts' });
    await run('t1', 'create_file', { path: 'a.ts', content: 'Größe 2\n' });
    const ids = (await changes.list()).map(({ id }) => id);
    assert.deepEqual((await changes.undo(ids, signal)).refused, []);
    assert.deepEqual(Buffer.from(workspace.files.get('/work/app/a.ts') as Uint8Array), bytes);
  });

  it('C3: a link that was deleted does not come back as a copy of what it led to', async () => {
    const { workspace, changes, run } = createChangedWorkspace({
      files: { 'a.ts': 'a\n', 'link.ts': { link: 'a.ts' } },
    });
    await run('t1', 'delete_file', { path: 'link.ts' });
    assert.deepEqual(
      (await changes.list()).map(({ canBeUndone }) => canBeUndone),
      [false],
    );
    assert.equal(workspace.text('a.ts'), 'a\n');
  });

  it('C3: a file that cannot be looked at does not keep others from being undone', async () => {
    const { workspace, run, undo } = changed({ 'a.ts': 'a\n', 'b.ts': 'b\n' });
    await run('t1', 'edit_file', replacing('a.ts', 'a', 'A'));
    await run('t1', 'create_file', { path: 'c.ts', content: 'c\n' });
    workspace.files.set('/work/app/c.ts', { link: 'c.ts' });
    assert.deepEqual(await undo(), { undone: 1, refused: ['The links on this path run in circles'] });
    assert.equal(workspace.text('a.ts'), 'a\n');
  });

  it('C1: a change that failed before it happened is not listed, and moves nothing', async () => {
    const { workspace, changes, run, list, undo } = changed({ 'a.ts': numbers, 'b.ts': 'b\n' });
    await run('t1', 'edit_file', replacing('a.ts', 'two', 'TWO'));
    const failing = async () => {
      throw new Error('stopped');
    };
    for (const planned of [
      { kind: 'rename', place: place('z.ts'), from: place('a.ts') },
      { kind: 'delete', place: place('b.ts'), before: 'b\n' },
      { kind: 'create', place: place('c.ts'), after: 'c\n' },
      { kind: 'edit', place: place('b.ts'), before: 'b\n', after: 'B\n' },
    ] as const) {
      const recorded = changes.record(
        { turnId: 't2', callId: 'c' },
        { ...planned, isSecret: false },
        failing,
      );
      await assert.rejects(recorded, /stopped/);
    }
    assert.deepEqual(await list(), ['t1: edit a.ts +1 -1']);
    assert.deepEqual(await undo(), { undone: 1, refused: [] });
    assert.equal(workspace.text('a.ts'), numbers);
  });

  it('C3, F37: a deletion that is back already has nothing left to undo', async () => {
    const { workspace, run, undo, list } = changed({ 'a.ts': numbers });
    await run('t1', 'delete_file', { path: 'a.ts' });
    workspace.files.set('/work/app/a.ts', numbers);
    assert.deepEqual(await undo(), { undone: 1, refused: [] });
    assert.deepEqual([workspace.text('a.ts'), await list()], [numbers, []]);
  });

  it('C3: a hunk that is kept while the turn goes on in the same file is the one that was shown', async () => {
    for (let pauses = 0; pauses < 20; pauses++) {
      const { workspace, changes, run } = changed({ 'a.ts': numbers });
      await run('t1', 'edit_file', replacing('a.ts', 'four', 'FOUR'));
      const text = workspace.text('a.ts')!;
      const after = text.replace('two', 'TWO');
      const planned = { kind: 'edit', place: place('a.ts'), before: text, after, isSecret: false } as const;
      const going = changes.record({ turnId: 't1', callId: 'c' }, planned, async () => {
        workspace.files.set('/work/app/a.ts', after);
        return { outcome: { kind: 'saved' } };
      });
      for (let pause = 0; pause < pauses; pause++) await Promise.resolve();
      await Promise.all([
        going,
        changes.keepLines({ place: place('a.ts'), text, ...replaced({ start: 3, end: 4 }) }),
      ]);
      const original = await changes.original(place('a.ts'), after);
      assert.equal(original?.text, numbers.replace('four', 'FOUR'), `${pauses} pauses`);
    }
  });

  it('C1: what is in a folder that is not open is neither listed nor judged with the rest', async () => {
    const folders = [
      { name: 'app', root: '/work/app' },
      { name: 'lib', root: '/work/lib' },
    ];
    const { changes, run } = createChangedWorkspace({
      folders,
      files: { 'a.ts': 'a\n', '/work/lib/b.ts': 'b\n' },
    });
    await run('t1', 'edit_file', replacing('app/a.ts', 'a', 'A'));
    await run('t1', 'edit_file', replacing('lib/b.ts', 'b', 'B'));
    folders.pop();
    assert.deepEqual(
      (await changes.list()).map(({ place: { path } }) => path),
      ['a.ts'],
    );
  });

  it('C3: a file of 150,000 lines is undone as any other', async () => {
    const long = Array.from({ length: 150_000 }, (_, line) => `${line}\n`).join('');
    const { workspace, run, undo, list, logged } = changed({ 'a.txt': long });
    await run('t1', 'edit_file', replacing('a.txt', '149990\n', 'x\n'));
    await run('t1', 'edit_file', replacing('a.txt', '\n10\n', '\nten\n'));
    assert.deepEqual([await list(), logged], [['t1: edit a.txt +2 -2'], []]);
    assert.deepEqual(await undo(), { undone: 1, refused: [] });
    assert.equal(workspace.text('a.txt') === long, true);
  });

  it('C4: survive the window, and two windows agree on what is still to be judged', async () => {
    const { file } = new TestWorkspace();
    const first = changed({ 'a.ts': numbers }, file);
    await first.run('t1', 'edit_file', replacing('a.ts', 'two', 'TWO'));
    await first.run('t1', 'create_file', { path: 'b.ts', content: 'b' });
    const second = changed({ 'a.ts': first.workspace.text('a.ts')!, 'b.ts': 'b' }, file);
    assert.deepEqual(await second.list(), ['t1: edit a.ts +1 -1', 't1: create b.ts +1 -0']);
    await second.changes.keep(await second.ids(({ kind }) => kind === 'create'));
    assert.deepEqual(await first.list(), ['t1: edit a.ts +1 -1']);
    await second.undo();
    assert.equal(second.workspace.text('a.ts'), numbers);
    assert.deepEqual(await first.undo(), { undone: 0, refused: [] });
  });

  it('C4: an undo that another window was faster with changes nothing more', async () => {
    const { file } = new TestWorkspace();
    const { run, changes, ids, workspace } = changed({ 'a.ts': numbers }, file);
    await run('t1', 'edit_file', replacing('a.ts', 'two', 'TWO'));
    workspace.files.set('/work/app/a.ts', numbers);
    assert.equal((await changes.undo(await ids(), signal)).refused.length, 0);
    assert.equal(workspace.text('a.ts'), numbers);
    assert.deepEqual(await ids(), []);
  });

  it('C4: is noted before it happens, so that a crash in between loses nothing', async () => {
    const { file } = new TestWorkspace();
    const { changes } = changed({}, file);
    const planned = { kind: 'edit', place: place('a.ts'), before: 'a', after: 'b', isSecret: false } as const;
    const caller = { turnId: 't1', callId: 'c' };
    let crash: () => void = () => undefined;
    const ended = changes.record(caller, planned, async () => {
      await new Promise<void>((resolve) => (crash = resolve));
      return { outcome: { kind: 'refused', why: 'no' } };
    });
    const next = changed({ 'a.ts': 'b' }, file);
    while ((await next.list()).length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    assert.deepEqual(await changes.list(), []);
    assert.deepEqual(await next.undo(), { undone: 1, refused: [] });
    assert.equal(next.workspace.text('a.ts'), 'a');
    crash();
    await ended;
    assert.deepEqual(await changes.list(), []);
  });

  it('C4: what another window judged before it had happened is listed once it has', async () => {
    for (const verdict of ['undo', 'keep'] as const) {
      const { file } = new TestWorkspace();
      const { workspace, changes, list, undo } = changed({ 'a.ts': 'a' }, file);
      const planned = {
        kind: 'edit',
        place: place('a.ts'),
        before: 'a',
        after: 'b',
        isSecret: false,
      } as const;
      await changes.record({ turnId: 't1', callId: 'c' }, planned, async () => {
        const other = changed({ 'a.ts': 'a' }, file);
        if (verdict === 'undo') await other.undo();
        else await other.changes.keep(await other.ids());
        assert.deepEqual(await other.list(), []);
        workspace.files.set('/work/app/a.ts', 'b');
        return { outcome: { kind: 'saved' } };
      });
      assert.deepEqual(await list(), ['t1: edit a.ts +1 -1']);
      await undo();
      assert.equal(workspace.text('a.ts'), 'a');
    }
  });

  it('C4: a secret or too large a text is listed without undo', async () => {
    const large = 'x'.repeat(maxTextSize);
    const { run, changes, undo } = changed({ '.env': 'KEY=1\n', 'large.txt': `${large}\nend\n` });
    await run('t1', 'edit_file', replacing('.env', 'KEY=1', 'KEY=2'));
    await run('t1', 'edit_file', replacing('large.txt', 'end', 'END'));
    const listed = await changes.list();
    assert.deepEqual(
      listed.map(({ canBeUndone, added }) => [canBeUndone, added]),
      [
        [false, 1],
        [false, 1],
      ],
    );
    assert.deepEqual(
      (await Promise.all(listed.map(({ id }) => changes.get(id)))).map((change) => [
        change?.before,
        change?.after,
      ]),
      [
        [undefined, undefined],
        [undefined, undefined],
      ],
    );
    const why = 'no copy of the text before was kept';
    assert.deepEqual(await undo(), { undone: 0, refused: [why, why] });
  });

  it('C4: takes 50 MB in all, and no more', async () => {
    const text = `${'x'.repeat(maxTextSize - 10)}\nend\n`;
    const files = Object.fromEntries(Array.from({ length: 11 }, (_, at) => [`${at}.txt`, text]));
    const { workspace, run, changes } = changed(files);
    for (const path of Object.keys(files)) await run('t1', 'edit_file', replacing(path, 'end', 'END'));
    const kept = (await changes.list()).filter(({ canBeUndone }) => canBeUndone);
    assert.equal(kept.length, 10);
    // More of what is kept already takes no more.
    await run('t1', 'edit_file', replacing('0.txt', 'END', 'Ende'));
    assert.equal((await changes.list()).length, 11);
    // What the person changed in between does.
    workspace.files.set('/work/app/0.txt', text.replace('end', 'mine'));
    await run('t1', 'read_file', { path: '0.txt' });
    await run('t1', 'edit_file', replacing('0.txt', 'mine', 'Claude’s'));
    assert.deepEqual(
      (await changes.list()).slice(-2).map(({ canBeUndone }) => canBeUndone),
      [false, false],
    );
  });

  it('F37: follow a file that the person renames', async () => {
    const { workspace, changes, run, undo } = changed({ 'a.ts': numbers });
    await run('t1', 'edit_file', replacing('a.ts', 'two', 'TWO'));
    const text = workspace.text('a.ts')!;
    workspace.files.delete('/work/app/a.ts');
    workspace.files.set('/work/app/z.ts', text);
    await changes.moved(place('a.ts'), place('z.ts'));
    assert.deepEqual(await undo(), { undone: 1, refused: [] });
    assert.equal(workspace.text('z.ts'), numbers);
  });
});
