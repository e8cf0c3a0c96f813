import assert from 'node:assert/strict';
import type { Place, ScopedQuery, TextQuery, Workspace } from '../../../src/core/tools/workspace';
import type { Content } from '../inMemoryWorkspace';

/** A workspace with one folder that holds `files`; what lies below `ignored/` is left out by an ignore file. */
export interface ContractWorkspace {
  readonly workspace: Workspace;
  /** What is on disk now; undefined for nothing. */
  readonly text: (path: string) => Promise<string | undefined>;
  /** Opens a file in an editor and leaves it with unsaved changes. */
  readonly setUnsaved: (path: string, text: string) => Promise<void>;
  readonly replaceByLink: (path: string, target: string) => Promise<void>;
}

/** What every workspace does, the real one and the one in memory. */
export function describeWorkspaceContract(
  setUp: (files: Readonly<Record<string, Content>>) => Promise<ContractWorkspace>,
): void {
  const { signal } = new AbortController();
  const placeIn = (workspace: Workspace, path: string): Place => ({ folder: workspace.folders()[0]!, path });
  const bytes = (text: string) => new TextEncoder().encode(text);

  const scope = (workspace: Workspace, more: Partial<ScopedQuery> = {}): ScopedQuery => ({
    within: [placeIn(workspace, '')],
    include: [],
    exclude: [],
    isIgnoredIncluded: false,
    limit: 1_000,
    ...more,
  });
  const query = (workspace: Workspace, pattern: string, more: Partial<TextQuery> = {}): TextQuery => ({
    ...scope(workspace),
    pattern,
    isLiteral: false,
    isCaseSensitive: true,
    contextLines: 0,
    ...more,
  });
  async function find(workspace: Workspace, more: Partial<ScopedQuery> = {}) {
    const files: string[] = [];
    await workspace.findFiles(scope(workspace, more), ({ path }) => files.push(path), signal);
    return files.toSorted();
  }
  async function unsaved(workspace: Workspace) {
    const editors = await workspace.unsavedEditors(signal);
    return editors.map(({ place, named, text }) => [place.path, named?.path, text]);
  }
  async function search(workspace: Workspace, pattern: string, more: Partial<TextQuery> = {}) {
    const { lines } = await workspace.searchText(query(workspace, pattern, more), signal);
    return lines.map(
      ({ place, line, text, isMatch }) => `${place.path}:${line}${isMatch ? ':' : '-'}${text}`,
    );
  }

  describe('files', () => {
    it('says what is there, links followed', async () => {
      const { workspace } = await setUp({ 'a.txt': 'héllo', 'src/b.txt': '', link: { link: 'a.txt' } });
      const stat = (path: string) => workspace.stat(placeIn(workspace, path), signal);
      assert.deepEqual(await stat('a.txt'), { kind: 'file', size: 6 });
      assert.deepEqual(await stat('link'), { kind: 'file', size: 6 });
      assert.equal((await stat('src'))?.kind, 'folder');
      assert.equal((await stat(''))?.kind, 'folder');
      assert.equal(await stat('nothing'), undefined);
      assert.equal(await stat('a.txt/below'), undefined);
    });

    it('lists a folder, links not followed', async () => {
      const { workspace } = await setUp({ 'd/a.txt': '', 'd/e/b.txt': '', 'd/link': { link: '../x' } });
      const entries = await workspace.list(placeIn(workspace, 'd'), signal);
      assert.deepEqual(entries.map(({ name, kind }) => `${name} ${kind}`).toSorted(), [
        'a.txt file',
        'e folder',
        'link link',
      ]);
    });

    it('reads parts of a file, and less at its end', async () => {
      const { workspace } = await setUp({ 'a.txt': 'abcdef' });
      const read = async (start: number, length: number) =>
        new TextDecoder().decode(
          await workspace.readBytes(placeIn(workspace, 'a.txt'), start, length, signal),
        );
      assert.deepEqual([await read(0, 3), await read(2, 100), await read(10, 5)], ['abc', 'cdef', '']);
    });

    it('decodes as the editor would', async () => {
      const { workspace } = await setUp({ 'a.txt': '' });
      assert.deepEqual(await workspace.decode(placeIn(workspace, 'a.txt'), bytes('plain')), {
        text: 'plain',
        encoding: 'utf8',
        isExact: true,
      });
    });

    it('knows the text of an editor with unsaved changes, and of no other', async () => {
      const { workspace, setUnsaved } = await setUp({ 'a.txt': 'saved', 'b.txt': 'saved' });
      await setUnsaved('a.txt', 'unsaved');
      assert.deepEqual(await unsaved(workspace), [['a.txt', 'a.txt', 'unsaved']]);
    });
  });

  describe('real paths', () => {
    async function realPaths(files: Readonly<Record<string, Content>>) {
      const { workspace } = await setUp(files);
      const root = await workspace.realPath(placeIn(workspace, ''), signal);
      return async (path: string) => {
        const real = await workspace.realPath(placeIn(workspace, path), signal);
        return real.startsWith(`${root}/`) ? real.slice(root.length + 1) : real;
      };
    }

    it('follow links to files and through folders', async () => {
      const real = await realPaths({
        'a.txt': '',
        'd/b.txt': '',
        link: { link: 'a.txt' },
        dir: { link: 'd' },
      });
      assert.deepEqual([await real('link'), await real('dir/b.txt')], ['a.txt', 'd/b.txt']);
    });

    it('say where a new file would end, also behind dangling links', async () => {
      const real = await realPaths({
        'd/x': '',
        dir: { link: 'd' },
        dangling: { link: 'd/new.txt' },
        out: { link: '/nowhere/at/all' },
      });
      assert.deepEqual(
        [await real('dir/new/deep.txt'), await real('dangling'), await real('out'), await real('out/x')],
        ['d/new/deep.txt', 'd/new.txt', '/nowhere/at/all', '/nowhere/at/all/x'],
      );
    });
  });

  describe('finding files', () => {
    const files = {
      '.gitignore': 'ignored\n',
      'a.ts': '',
      'src/b.ts': '',
      'src/deep/c.test.ts': '',
      'src/deep/.hidden.ts': '',
      'src/d.js': '',
      'ignored/e.ts': '',
      '[x]/f.ts': '',
      link: { link: 'src' },
    };

    it('leaves out what is ignored, unless told, and follows no links', async () => {
      const { workspace } = await setUp(files);
      const all = [
        '.gitignore',
        '[x]/f.ts',
        'a.ts',
        'src/b.ts',
        'src/d.js',
        'src/deep/.hidden.ts',
        'src/deep/c.test.ts',
      ];
      assert.deepEqual(await find(workspace), all);
      assert.deepEqual(
        await find(workspace, { isIgnoredIncluded: true }),
        [...all, 'ignored/e.ts'].toSorted(),
      );
    });

    it('takes globs relative to the place looked in', async () => {
      const { workspace } = await setUp(files);
      assert.deepEqual(await find(workspace, { include: ['**/*.test.ts'] }), ['src/deep/c.test.ts']);
      assert.deepEqual(await find(workspace, { include: ['src/*.ts'] }), ['src/b.ts']);
      assert.deepEqual(await find(workspace, { include: ['nowhere/*.ts'] }), []);
      const within = [placeIn(workspace, 'src')];
      assert.deepEqual(await find(workspace, { within, include: ['*.{ts,js}'] }), ['src/b.ts', 'src/d.js']);
      assert.deepEqual(await find(workspace, { within: [placeIn(workspace, '[x]')] }), ['[x]/f.ts']);
      assert.deepEqual(await find(workspace, { within: [placeIn(workspace, 'a.ts')] }), ['a.ts']);
    });

    it('looks into an ignored folder when that is the place', async () => {
      const { workspace } = await setUp(files);
      assert.deepEqual(
        await find(workspace, { within: [placeIn(workspace, 'ignored')], isIgnoredIncluded: true }),
        ['ignored/e.ts'],
      );
    });

    it('leaves out what is excluded, in any case of letters', async () => {
      const { workspace } = await setUp({ 'A.ENV': '', 'x/a.env': '', 'b.ts': '' });
      assert.deepEqual(await find(workspace, { exclude: ['**/*.env'] }), ['b.ts']);
    });

    it('stops at its limit and says so', async () => {
      const { workspace } = await setUp(files);
      let count = 0;
      const end = await workspace.findFiles(scope(workspace, { limit: 2 }), () => count++, signal);
      assert.deepEqual([count, end], [2, 'limit']);
    });
  });

  describe('searching text', () => {
    const files = {
      '.gitignore': 'ignored\n',
      'a.txt': 'one\ntwo\nthree\nfour\nfive\n',
      'src/b.txt': 'Two (2)\r\ntwo\r\n',
      'ignored/c.txt': 'two',
      'binary.bin': Uint8Array.of(116, 119, 111, 0, 10),
      link: { link: 'a.txt' },
    };

    it('finds lines by expression or plain text, minding the case or not', async () => {
      const { workspace } = await setUp(files);
      assert.deepEqual(await search(workspace, '^t[wh]'), [
        'a.txt:2:two',
        'a.txt:3:three',
        'src/b.txt:2:two',
      ]);
      assert.deepEqual(await search(workspace, 'two (2)', { isLiteral: true, isCaseSensitive: false }), [
        'src/b.txt:1:Two (2)',
      ]);
      assert.deepEqual(await search(workspace, 'two$'), ['a.txt:2:two', 'src/b.txt:2:two']);
    });

    it('shows lines around a match', async () => {
      const { workspace } = await setUp(files);
      assert.deepEqual(await search(workspace, 'three', { contextLines: 1 }), [
        'a.txt:2-two',
        'a.txt:3:three',
        'a.txt:4-four',
      ]);
    });

    it('keeps to places and globs', async () => {
      const { workspace } = await setUp(files);
      assert.deepEqual(await search(workspace, 'two', { within: [placeIn(workspace, 'src')] }), [
        'src/b.txt:2:two',
      ]);
      assert.deepEqual(await search(workspace, 'two', { within: [placeIn(workspace, 'a.txt')] }), [
        'a.txt:2:two',
      ]);
      assert.deepEqual(await search(workspace, 'two', { include: ['**/b.txt'] }), ['src/b.txt:2:two']);
      assert.deepEqual(await search(workspace, 'two', { include: ['src/**'] }), ['src/b.txt:2:two']);
      assert.deepEqual(await search(workspace, 'two', { exclude: ['**/A.TXT', 'src/**'] }), []);
      assert.deepEqual(await search(workspace, 'two', { isIgnoredIncluded: true, include: ['ignored/**'] }), [
        'ignored/c.txt:1:two',
      ]);
    });

    it('does not let a glob bring back what is ignored', async () => {
      const { workspace } = await setUp({ '.gitignore': 'c.txt\n', 'ignored/c.txt': 'two', 'd.txt': 'two' });
      assert.deepEqual(await search(workspace, 'two', { include: ['**/*.txt'] }), ['d.txt:1:two']);
    });

    it('stops at its limit and says so, with the lines around the last match', async () => {
      const { workspace } = await setUp({ 'a.txt': 'x\ny\nx\ny\n' });
      const found = await workspace.searchText(query(workspace, 'x', { limit: 1, contextLines: 1 }), signal);
      assert.deepEqual([found.lines.map(({ text }) => text), found.end], [['x', 'y'], 'limit']);
      const all = await workspace.searchText(query(workspace, 'x', { limit: 2 }), signal);
      assert.deepEqual([all.lines.length, all.end], [2, 'complete']);
    });

    it('sees the unsaved text of an editor instead of the file', async () => {
      const { workspace, setUnsaved } = await setUp({ 'a.txt': 'old\n', 'b.txt': 'old\n' });
      await setUnsaved('a.txt', 'new\nold too\n');
      assert.deepEqual(await search(workspace, 'old|new'), ['a.txt:1:new', 'a.txt:2:old too', 'b.txt:1:old']);
      assert.deepEqual(await search(workspace, 'new', { exclude: ['a.txt'] }), []);
    });

    it('sees that text also when the editor was opened by a link', async () => {
      const { workspace, setUnsaved } = await setUp({ 'real/a.txt': 'old\n', link: { link: 'real' } });
      await setUnsaved('link/a.txt', 'new\n');
      assert.deepEqual(await search(workspace, 'old|new'), ['real/a.txt:1:new']);
    });

    it('cuts a very long line around the match', async () => {
      const { workspace } = await setUp({ 'min.js': `${'a'.repeat(90_000)}needle${'b'.repeat(90_000)}` });
      const [line = ''] = await search(workspace, 'needle');
      assert.ok(line.length < 1_000 && line.includes('needle'));
    });
  });

  describe('searching a line of more than 4 MB', () => {
    const long = 5_000_000;

    it('finds a match at its start, in its middle and at its end', async () => {
      const { workspace } = await setUp({
        'start.js': `needle${'a'.repeat(long)}\n`,
        'middle.js': `${'"\\u00e9é'.repeat(long / 8)}needle${'b'.repeat(long)}\n`,
        'end.js': `first\n${'a'.repeat(long)}needle`,
      });
      const found = await search(workspace, 'needle');
      assert.deepEqual(
        found.map((line) => [
          line.split(':').slice(0, 2).join(':'),
          line.includes('needle'),
          line.length < 1_000,
        ]),
        [
          ['end.js:2', true, true],
          ['middle.js:1', true, true],
          ['start.js:1', true, true],
        ],
      );
    });

    it('counts it once, however many matches it has, and shows it as context', async () => {
      const { workspace } = await setUp({ 'a.js': `before\n${'ab'.repeat(long / 2)}\nafter\n` });
      assert.equal((await search(workspace, 'ab')).length, 1);
      const around = await search(workspace, 'after', { contextLines: 1 });
      assert.deepEqual(
        around.map((line) => line.slice(0, 10)),
        ['a.js:2-aba', 'a.js:3:aft'],
      );
    });
  });

  describe('changes', () => {
    it('edits a file and saves it', async () => {
      const { workspace, text } = await setUp({ 'a.txt': 'one\ntwo\nthree\n' });
      const place = placeIn(workspace, 'a.txt');
      const change = {
        kind: 'edit',
        place,
        before: 'one\ntwo\nthree\n',
        after: 'one\n2\n2.5\nthree\nfour',
      } as const;
      assert.deepEqual(await workspace.apply(change, signal), { kind: 'saved' });
      assert.equal(await text('a.txt'), 'one\n2\n2.5\nthree\nfour');
    });

    for (const [name, before, after] of [
      ['at the start', 'a\nb\n', 'x\na\nb\n'],
      ['at the end without a line break', 'a\nb', 'a\nb\nc'],
      ['of everything', 'a\nb\n', 'c'],
      ['to nothing', 'a\nb\n', ''],
      ['from nothing', '', 'a\nb\n'],
      ['of the last line', 'a\nb', 'a\nc'],
      ['that drops the last lines', 'a\nb\nc', 'a'],
      ['that drops the first lines', 'a\nb\nc', 'c'],
    ] as const) {
      it(`makes an edit ${name}`, async () => {
        const { workspace, text } = await setUp({ 'a.txt': before });
        const place = placeIn(workspace, 'a.txt');
        const outcome = await workspace.apply({ kind: 'edit', place, before, after }, signal);
        assert.deepEqual([outcome, await text('a.txt')], [{ kind: 'saved' }, after]);
      });
    }

    it('refuses an edit made for another text', async () => {
      const { workspace, text } = await setUp({ 'a.txt': 'now' });
      const place = placeIn(workspace, 'a.txt');
      const outcome = await workspace.apply({ kind: 'edit', place, before: 'then', after: 'x' }, signal);
      assert.equal(outcome.kind, 'refused');
      assert.equal(await text('a.txt'), 'now');
    });

    it('edits an editor with unsaved changes without saving it', async () => {
      const { workspace, text, setUnsaved } = await setUp({ 'a.txt': 'saved' });
      await setUnsaved('a.txt', 'unsaved');
      const place = placeIn(workspace, 'a.txt');
      const outcome = await workspace.apply(
        { kind: 'edit', place, before: 'unsaved', after: 'edited' },
        signal,
      );
      assert.deepEqual(outcome, { kind: 'left-unsaved' });
      assert.deepEqual(
        [await unsaved(workspace), await text('a.txt')],
        [[['a.txt', 'a.txt', 'edited']], 'saved'],
      );
    });

    it('edits the editor with unsaved changes also when it was opened by a link', async () => {
      const { workspace, text, setUnsaved } = await setUp({ 'real/a.txt': 'saved', link: { link: 'real' } });
      await setUnsaved('link/a.txt', 'unsaved');
      const place = placeIn(workspace, 'real/a.txt');
      const change = { kind: 'edit', place, before: 'unsaved', after: 'edited' } as const;
      assert.deepEqual(await workspace.apply(change, signal), { kind: 'left-unsaved' });
      assert.deepEqual(
        [await unsaved(workspace), await text('real/a.txt')],
        [[['real/a.txt', 'link/a.txt', 'edited']], 'saved'],
      );
    });

    it('creates a file with its folders, and overwrites none', async () => {
      const { workspace, text } = await setUp({ 'a.txt': 'old' });
      const create = (path: string) =>
        workspace.apply({ kind: 'create', place: placeIn(workspace, path), text: 'new\n' }, signal);
      assert.deepEqual(await create('x/y/b.txt'), { kind: 'saved' });
      assert.equal((await create('a.txt')).kind, 'refused');
      assert.deepEqual([await text('x/y/b.txt'), await text('a.txt')], ['new\n', 'old']);
    });

    it('renames files and folders, and overwrites none', async () => {
      const { workspace, text } = await setUp({ 'a.txt': 'a', 'b.txt': 'b', 'd/c.txt': 'c' });
      const rename = (from: string, to: string) =>
        workspace.apply(
          { kind: 'rename', from: placeIn(workspace, from), to: placeIn(workspace, to) },
          signal,
        );
      assert.equal((await rename('a.txt', 'b.txt')).kind, 'refused');
      assert.equal((await rename('a.txt', 'new/a.txt')).kind, 'saved');
      assert.equal((await rename('d', 'e')).kind, 'saved');
      assert.deepEqual(
        [await text('a.txt'), await text('b.txt'), await text('new/a.txt'), await text('e/c.txt')],
        [undefined, 'b', 'a', 'c'],
      );
    });

    it('deletes files and folders, and a link without its target', async () => {
      const { workspace, text } = await setUp({ 'a.txt': 'a', 'd/b.txt': 'b', link: { link: 'a.txt' } });
      for (const path of ['link', 'd']) {
        assert.deepEqual(await workspace.apply({ kind: 'delete', place: placeIn(workspace, path) }, signal), {
          kind: 'saved',
        });
      }
      assert.deepEqual(
        [await text('link'), await text('d/b.txt'), await text('a.txt')],
        [undefined, undefined, 'a'],
      );
    });

    it('A14: writes through no link that has taken the place of a file or folder', async () => {
      const { workspace, text, replaceByLink } = await setUp({
        'a.txt': 'a',
        'target/b.txt': 'a',
        'd/x': '',
      });
      await replaceByLink('a.txt', 'target/b.txt');
      await replaceByLink('d', 'target');
      const edit = { kind: 'edit', place: placeIn(workspace, 'a.txt'), before: 'a', after: 'evil' } as const;
      const create = { kind: 'create', place: placeIn(workspace, 'd/new.txt'), text: 'evil' } as const;
      assert.equal((await workspace.apply(edit, signal)).kind, 'refused');
      assert.equal((await workspace.apply(create, signal)).kind, 'refused');
      assert.deepEqual([await text('target/b.txt'), await text('target/new.txt')], ['a', undefined]);
    });
  });
}
