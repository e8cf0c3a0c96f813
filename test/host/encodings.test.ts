import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { followProblemReports } from '../../src/vscode/tools/problemReports';
import { createWorkspace } from '../../src/vscode/tools/workspace';
import { createRecordedTools } from '../support/changes';
import { typeUnsaved } from '../support/typeUnsaved';

/** Real bytes, real settings, the tools of the real bundle. What an edit does not touch stays byte for byte. */
describe('encodings and line ends', () => {
  const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';

  before(async () => {
    await vscode.extensions.getExtension('claude-assistant.claude-assistant')?.activate();
  });
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    for (const name of [
      'encoding',
      'autoGuessEncoding',
      'candidateGuessEncodings',
      'eol',
      'insertFinalNewline',
      'trimTrailingWhitespace',
      'trimFinalNewlines',
    ]) {
      if (vscode.workspace.getConfiguration('files').inspect(name)?.workspaceValue !== undefined)
        await set(name, undefined);
    }
    // Another file each time: VS Code goes on knowing one that it has opened for a while.
    for (const name of written.splice(0)) await rm(join(root, name), { force: true });
  });

  const written: string[] = [];
  async function put(name: string, bytes: Uint8Array): Promise<string> {
    written.push(name);
    await writeFile(join(root, name), bytes);
    return name;
  }
  let count = 0;
  const putNew = (bytes: Uint8Array, ending = 'txt') => put(`file-${count++}.${ending}`, bytes);
  const bytesOf = (name: string) => readFile(join(root, name));

  async function set(name: string, value: unknown, languageId?: string): Promise<void> {
    const scope = languageId === undefined ? undefined : { languageId };
    await vscode.workspace
      .getConfiguration('files', scope)
      .update(name, value, vscode.ConfigurationTarget.Workspace, languageId !== undefined);
  }

  async function invoke(name: string, input: object): Promise<string> {
    const { content } = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined });
    return content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join('');
  }
  const read = (name: string) => invoke('read_file', { path: name });
  const edit = (name: string, old_text: string, new_text: string) =>
    invoke('edit_file', { path: name, edits: [{ old_text, new_text }] });

  const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
  const latin1 = (text: string) => Buffer.from(text, 'latin1');
  const utf16 = (text: string) => Buffer.from(text, 'utf16le');
  /** 日本語 in Shift JIS; 元 in GBK. */
  const nihongo = Buffer.from([0x93, 0xfa, 0x96, 0x7b, 0x8c, 0xea]);
  const yuan = Buffer.from([0xd4, 0xaa]);
  const around = (bytes: Uint8Array, port: number) =>
    Buffer.concat([bytes, Buffer.from(`\nport = ${port}\n`), bytes, Buffer.from('\n')]);

  /** Changes a line of ASCII and compares every byte. */
  async function changesOnlyThePort(name: string, bytes: Uint8Array): Promise<void> {
    await read(name);
    await edit(name, 'port = 1', 'port = 2');
    assert.equal(hex(await bytesOf(name)), hex(around(bytes, 2)));
  }

  describe('a file whose bytes are not of the encoding that the editor reads it in', () => {
    for (const [kind, bytes] of [
      ['Latin-1', latin1('größe Ä')],
      ['Shift JIS', nihongo],
      ['GBK', Buffer.from([0xbc, 0xdb, 0xb8, 0xf1])],
    ] as const) {
      it(`${kind}: is read with a word on what was lost`, async () => {
        const name = await putNew(around(bytes, 1));
        const text = await read(name);
        assert.match(text, /\uFFFD/);
        assert.match(text, /utf8.*files\.encoding/);
      });

      it(`${kind}: is not edited, and stays as it is`, async () => {
        const name = await putNew(around(bytes, 1));
        await assert.rejects(edit(name, 'port = 1', 'port = 2'), /utf8.*files\.encoding/);
        assert.equal(hex(await bytesOf(name)), hex(around(bytes, 1)));
      });
    }

    it('UTF-16 without a byte order mark: is read, and not edited, since saving would add one', async () => {
      const bytes = utf16('size = 1\nport = 1\n');
      const name = await putNew(bytes);
      assert.equal(await read(name), '1\tsize = 1\n2\tport = 1');
      await assert.rejects(edit(name, 'port = 1', 'port = 2'), /utf16le.*files\.encoding/);
      assert.equal(hex(await bytesOf(name)), hex(bytes));
    });
  });

  for (const where of ['nowhere', 'in an editor']) {
    it(`a file that is open ${where} is read and edited as soon as the setting is right`, async () => {
      const bytes = latin1('größe Ä');
      const name = await putNew(around(bytes, 1));
      const uri = vscode.Uri.file(join(root, name));
      if (where !== 'nowhere') await vscode.window.showTextDocument(uri);
      await assert.rejects(edit(name, 'port = 1', 'port = 2'), /utf8.*files\.encoding/);
      await set('encoding', 'windows1252');
      assert.match(await read(name), /^1\tgröße Ä\n/);
      await changesOnlyThePort(name, bytes);
      const { document } = await vscode.window.showTextDocument(uri);
      assert.equal(document.getText(), 'größe Ä\nport = 2\ngröße Ä\n');
    });
  }

  describe('a file in the encoding of files.encoding', () => {
    for (const [encoding, bytes, text] of [
      ['windows1252', Buffer.from([0x67, 0x72, 0xfc, 0xdf, 0x65, 0x20, 0x80]), 'grüße €'],
      ['iso88591', latin1('grüße'), 'grüße'],
      ['shiftjis', nihongo, '日本語'],
      ['gbk', yuan, '元'],
      ['utf8', Buffer.from('grüße 元 😀'), 'grüße 元 😀'],
    ] as const) {
      it(`${encoding}: is read and edited byte for byte`, async () => {
        await set('encoding', encoding);
        const name = await putNew(around(bytes, 1));
        assert.equal(await read(name), `1\t${text}\n2\tport = 1\n3\t${text}`);
        await changesOnlyThePort(name, bytes);
      });
    }

    it('takes new characters that the encoding has, and says which ones it lacks', async () => {
      await set('encoding', 'windows1252');
      const name = await putNew(around(latin1('ß'), 1));
      await edit(name, 'port = 1', 'größe = 1');
      assert.equal(hex(await bytesOf(name)), hex(latin1('ß\ngröße = 1\nß\n')));
      await assert.rejects(edit(name, 'größe', '→ größe'), /windows1252.*files\.encoding.*→/);
      assert.equal(hex(await bytesOf(name)), hex(latin1('ß\ngröße = 1\nß\n')));
    });

    it('counts for one language alone', async () => {
      await set('encoding', 'windows1252', 'ini');
      const ini = await putNew(around(latin1('ä'), 1), 'ini');
      assert.match(await read(ini), /^1\tä\n/);
      await changesOnlyThePort(ini, latin1('ä'));
      const text = await putNew(around(latin1('ä'), 1));
      await assert.rejects(edit(text, 'port = 1', 'port = 2'), /utf8/);
      await set('encoding', undefined, 'ini');
    });

    it('is guessed where the person wants that', async () => {
      await set('autoGuessEncoding', true);
      await set('candidateGuessEncodings', ['utf8', 'windows1252']);
      const bytes = latin1('Die Größe des Gehäuses überschreitet die zulässige Höhe für Türen.');
      const name = await putNew(around(bytes, 1));
      assert.match(await read(name), /Größe des Gehäuses überschreitet/);
      await changesOnlyThePort(name, bytes);
    });
  });

  describe('a UTF-8 file where files.encoding says otherwise', () => {
    for (const encoding of ['windows1252', 'iso88591', 'shiftjis', 'gbk']) {
      it(`${encoding}: is read and edited as UTF-8`, async () => {
        await set('encoding', encoding);
        const bytes = Buffer.from('grüße “—” 元 😀');
        const name = await putNew(around(bytes, 1));
        assert.match(await read(name), /^1\tgrüße “—” 元 😀\n/);
        await changesOnlyThePort(name, bytes);
        await edit(name, 'port = 2', 'größe → 2');
        const after = Buffer.concat([bytes, Buffer.from('\ngröße → 2\n'), bytes, Buffer.from('\n')]);
        assert.equal(hex(await bytesOf(name)), hex(after));
      });
    }

    it('also when it is open in an editor, which shows it as what it is from then on', async () => {
      await set('encoding', 'windows1252');
      const bytes = Buffer.from('grüße');
      const name = await putNew(around(bytes, 1));
      const { document } = await vscode.window.showTextDocument(vscode.Uri.file(join(root, name)));
      assert.equal(document.lineAt(0).text, 'grÃ¼ÃŸe');
      await changesOnlyThePort(name, bytes);
      assert.equal(document.getText(), 'grüße\nport = 2\ngrüße\n');
      assert.equal(document.isDirty, false);
    });
  });

  it('a file that is open in another encoding is read and edited in that one', async () => {
    const name = await putNew(around(nihongo, 1));
    const uri = vscode.Uri.file(join(root, name));
    const document = await vscode.workspace.openTextDocument(uri, { encoding: 'shiftjis' });
    await vscode.window.showTextDocument(document);
    assert.match(await read(name), /^1\t日本語\n/);
    await changesOnlyThePort(name, nihongo);
    await edit(name, 'port = 2', 'port = 日');
    assert.equal(
      hex((await bytesOf(name)).subarray(6)),
      hex(
        Buffer.concat([
          Buffer.from('\nport = '),
          nihongo.subarray(0, 2),
          Buffer.from('\n'),
          nihongo,
          Buffer.from('\n'),
        ]),
      ),
    );
  });

  it('an editor with unsaved changes takes no characters that it could not save', async () => {
    await set('encoding', 'windows1252');
    const name = await putNew(around(latin1('ä'), 1));
    const editor = await vscode.window.showTextDocument(vscode.Uri.file(join(root, name)));
    await typeUnsaved(editor, (change) => change.insert(new vscode.Position(0, 0), 'typed '));
    await assert.rejects(edit(name, 'port = 1', 'port → 1'), /windows1252.*→/);
    assert.match(await edit(name, 'port = 1', 'größe = 1'), /not saved to disk/);
    assert.equal(editor.document.getText(), 'typed ä\ngröße = 1\nä\n');
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  describe('a byte order mark', () => {
    const swapped = (text: string) => utf16(text).swap16();
    for (const [kind, encode] of [
      ['UTF-8', (text: string) => Buffer.from(text)],
      ['UTF-16 LE', utf16],
      ['UTF-16 BE', swapped],
    ] as const) {
      it(`${kind}: is kept, and is no part of the text`, async () => {
        const name = await putNew(encode('\uFEFFgrüße\nport = 1\n元\n'));
        assert.equal(await read(name), '1\tgrüße\n2\tport = 1\n3\t元');
        await edit(name, 'port = 1', 'port = 😀');
        assert.equal(hex(await bytesOf(name)), hex(encode('\uFEFFgrüße\nport = 😀\n元\n')));
      });
    }
  });

  describe('line ends', () => {
    for (const [kind, before, after] of [
      ['Windows', 'ä\r\nport = 1\r\nö\r\n', 'ä\r\nport = 2\r\nnew\r\nö\r\n'],
      ['none at the end', 'ä\nport = 1', 'ä\nport = 2\nnew'],
      ['mixed', 'a\r\nb\nport = 1\r\nc\n\r\nd\n', 'a\r\nb\nport = 2\r\nnew\r\nc\n\r\nd\n'],
      ['mixed, most of them Unix', 'a\nb\nport = 1\nc\r\nd\n', 'a\nb\nport = 2\nnew\nc\r\nd\n'],
      ['of old Macs', 'a\rport = 1\rb\r', 'a\rport = 2\rnew\rb\r'],
      ['of all kinds', 'a\r\nb\rc\nport = 1\nd\re\r\n', 'a\r\nb\rc\nport = 2\nnew\nd\re\r\n'],
    ] as const) {
      it(`${kind}: are kept where the edit does not touch them`, async () => {
        const name = await putNew(Buffer.from(before));
        await read(name);
        assert.doesNotMatch(await edit(name, 'port = 1', 'port = 2\nnew'), /changed the text further/);
        assert.deepEqual(String(await bytesOf(name)), after);
      });

      it(`${kind}: are kept in a file that is open, where one Undo takes the edit back`, async () => {
        const name = await putNew(Buffer.from(before));
        const { document } = await vscode.window.showTextDocument(vscode.Uri.file(join(root, name)));
        const shown = document.getText();
        await edit(name, 'port = 1', 'port = 2\nnew');
        assert.deepEqual(String(await bytesOf(name)), after);
        assert.equal(document.isDirty, false);
        await edit(name, 'port = 2', 'port = 3');
        assert.deepEqual(String(await bytesOf(name)), after.replace('2', '3'));
        await vscode.commands.executeCommand('undo');
        await vscode.commands.executeCommand('undo');
        assert.equal(document.getText(), shown);
        await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
      });
    }

    it('mixed in a file of another encoding: are kept, too', async () => {
      await set('encoding', 'windows1252');
      const name = await putNew(latin1('ä\r\nport = 1\nß\n'));
      await edit(name, 'port = 1', 'port = ü');
      assert.equal(hex(await bytesOf(name)), hex(latin1('ä\r\nport = ü\nß\n')));
    });
  });

  describe('every encoding, with every kind of line end', () => {
    const alphabets = {
      utf8: 'größe 元 😀 é',
      utf8bom: 'größe 元 😀 é',
      utf16le: 'größe 元 😀 é',
      utf16be: 'größe 元 😀 é',
      windows1252: 'größe €“”',
      koi8r: 'цена товара',
      cp437: 'größe ½',
      shiftjis: '日本語 ｶﾅ 表',
      eucjp: '日本語 値段',
      gbk: '价格 元 镕',
      big5hkscs: '價格 許功蓋',
      euckr: '가격 한국',
    };
    const marked = new Set(['utf8bom', 'utf16le', 'utf16be']);
    const lineEnds = {
      Unix: ['\n'],
      Windows: ['\r\n'],
      'old Mac': ['\r'],
      mixed: ['\r\n', '\n'],
      'all three': ['\n', '\r', '\r\n'],
    };
    /** Once somebody types in it, the editor has one kind of line end for all lines: that is not ours to keep. */
    const isKeptByEditor = (kind: string) => kind === 'Unix' || kind === 'Windows';
    const states = ['closed', 'open', 'unsaved'] as const;
    const cases = Object.entries(lineEnds).flatMap(([kind, ends]) =>
      [true, false].flatMap((hasFinal) =>
        states
          .filter((state) => state !== 'unsaved' || isKeptByEditor(kind))
          .map((state) => ({ kind, ends, hasFinal, state })),
      ),
    );
    /** All of them take minutes; one in so many, another one each time, still has each with each encoding's neighbours. */
    const step = process.env['EVERY_CASE'] ? 1 : 7;

    for (const [turn, [encoding, words]] of Object.entries(alphabets).entries()) {
      it(`${encoding}: every byte outside of an edit stays, with any line ends and any end, open or not`, async () => {
        await set('encoding', marked.has(encoding) ? undefined : encoding);
        for (const { kind, ends, hasFinal, state } of cases.filter((_, at) => (at + turn) % step === 0)) {
          let at = 0;
          const lines = (...texts: string[]) =>
            texts.map((text) => `${text}${ends[at++ % ends.length]}`).join('');
          const head = lines(`${words} 1`, `  ${words}\t`, '', words);
          const own = ends[at++ % ends.length] ?? '';
          const tail = `${own}${lines(words, '', `${words} ${words}`)}${hasFinal ? '' : words}`;
          const bytes = async (text: string) => vscode.workspace.encode(text, { encoding });
          const name = await putNew(await bytes(`${head}port = 1${tail}`));
          const isSame = async (text: string) =>
            assert.equal(hex(await bytesOf(name)), hex(await bytes(text)), `${kind} ${state} ${hasFinal}`);
          const uri = vscode.Uri.file(join(root, name));
          const typed = state === 'unsaved' ? 'typed ' : '';
          if (state !== 'closed') {
            const editor = await vscode.window.showTextDocument(uri);
            if (typed) await typeUnsaved(editor, (change) => change.insert(new vscode.Position(0, 0), typed));
          }
          assert.ok((await read(name)).startsWith(`1\t${typed}${words} 1\n2\t  ${words}\t\n3\t\n`));
          await edit(name, 'port = 1', `port = 2\n${words}`);
          if (typed) {
            await isSame(`${head}port = 1${tail}`);
            await (await vscode.workspace.openTextDocument(uri)).save();
          }
          await isSame(`${typed}${head}port = 2${own}${words}${tail}`);
          await edit(name, `port = 2\n${words}`, 'port = 1');
          await isSame(`${typed}${head}port = 1${tail}`);
        }
      });
    }
  });

  describe('search_text', () => {
    const search = (pattern: string, more: object = {}) =>
      invoke('search_text', { pattern, include: '*.{txt,ini}', ...more });

    it('finds words in the encoding of files.encoding, in UTF-8 and in UTF-16, and shows them as they are', async () => {
      await put('a-latin.txt', latin1('port = 1\nGröße = 2\n'));
      await put('b-utf8.txt', Buffer.from('Größe → 3\n'));
      await put('c-wide.txt', utf16('\uFEFFGröße 元\n'));
      assert.equal(await search('Größe'), 'b-utf8.txt\n1: Größe → 3\n\nc-wide.txt\n1: Größe 元');
      await set('encoding', 'windows1252');
      assert.equal(
        await search('Größe'),
        'a-latin.txt\n2: Größe = 2\n\nb-utf8.txt\n1: Größe → 3\n\nc-wide.txt\n1: Größe 元',
      );
      assert.equal(await search('= 2'), 'a-latin.txt\n2: Größe = 2');
      assert.equal(await search('port', { context_lines: 1 }), 'a-latin.txt\n1: port = 1\n2- Größe = 2');
      assert.equal(
        await search('Gr..e', { max_results: 2 }),
        'a-latin.txt\n2: Größe = 2\n\nb-utf8.txt\n1: Größe → 3\n[stopped after 2 matching lines; there are more: narrow it with path, include or a longer pattern.]',
      );
    });

    it('says that words in other encodings are not found', async () => {
      await put('a.txt', around(nihongo, 1));
      assert.match(await search('日本語'), /^No match.*files\.encoding, in no other\.$/);
      await set('encoding', 'shiftjis');
      assert.match(await search('日本語'), /^a\.txt\n1: 日本語\n3: 日本語/);
      await set('encoding', 'cp437');
      assert.match(await search('port'), /^a\.txt\n2: port = 1/);
    });
  });

  describe('a new file', () => {
    const create = async (name: string, content: string) => {
      written.push(name);
      return invoke('create_file', { path: name, content });
    };

    it('is written in the encoding of files.encoding, as VS Code itself would', async () => {
      await create('plain.txt', 'ü → 元\n');
      assert.equal(hex(await bytesOf('plain.txt')), hex(Buffer.from('ü → 元\n')));
      await set('encoding', 'windows1252');
      await create('western.txt', 'ü\n');
      assert.equal(hex(await bytesOf('western.txt')), hex(latin1('ü\n')));
      await set('encoding', 'utf16le');
      await create('wide.txt', 'ü\n');
      assert.equal(hex(await bytesOf('wide.txt')), hex(utf16('\uFEFFü\n')));
      await set('encoding', 'utf8bom');
      await create('marked.txt', 'ü\n');
      assert.equal(hex(await bytesOf('marked.txt')), hex(Buffer.from('\uFEFFü\n')));
    });

    it('has the line ends of files.eol and the end that files.insertFinalNewline wants, as a new file of the person has', async () => {
      await create('auto.txt', 'a\nb');
      assert.equal(String(await bytesOf('auto.txt')), 'a\nb');
      await set('eol', '\r\n');
      await create('windows.txt', 'a\nb');
      assert.equal(String(await bytesOf('windows.txt')), 'a\r\nb');
      await edit('windows.txt', 'a\nb', 'a\nc\nb');
      assert.equal(String(await bytesOf('windows.txt')), 'a\r\nc\r\nb');
      await create('meant.txt', 'a\r\nb\n');
      assert.equal(String(await bytesOf('meant.txt')), 'a\r\nb\n');
      await set('insertFinalNewline', true);
      await create('whole.txt', 'a\nb');
      assert.equal(String(await bytesOf('whole.txt')), 'a\r\nb\r\n');
      await create('empty.txt', '');
      assert.equal(String(await bytesOf('empty.txt')), '');
      await set('eol', undefined);
      await create('unix.txt', 'a\nb');
      assert.equal(String(await bytesOf('unix.txt')), 'a\nb\n');
    });

    it('is not written with characters that the encoding lacks', async () => {
      await set('encoding', 'windows1252');
      await assert.rejects(create('arrows.txt', 'ü → →\n'), /windows1252.*files\.encoding.*→/);
      await assert.rejects(bytesOf('arrows.txt'));
    });
  });

  describe('undo of a change by Claude', () => {
    const tools = createRecordedTools(createWorkspace(followProblemReports()));
    const { signal } = new AbortController();
    const undoAll = async () =>
      (
        await tools.changes.undo(
          (await tools.changes.list()).map(({ id }) => id),
          signal,
        )
      ).refused.map(({ why }) => why);
    const write = (text: string, encoding: string) =>
      vscode.workspace.encode(text, { encoding }).then((bytes) => Buffer.from(bytes));

    const encodings = ['utf8', 'utf8bom', 'utf16le', 'utf16be', 'windows1252', 'shiftjis'];
    const cases = ['\n', '\r\n', 'mixed'].flatMap((end) =>
      [true, false].flatMap((isLastEnded) => [true, false].map((isOpen) => ({ end, isLastEnded, isOpen }))),
    );
    /** As above: all of them take long, and one in so many has each with some encoding. */
    const step = process.env['EVERY_CASE'] ? 1 : 4;

    for (const [turn, encoding] of encodings.entries()) {
      it(`C3: restores every byte in ${encoding}, with any line ends, in an editor or not`, async () => {
        await set('encoding', encoding);
        const word = encoding === 'shiftjis' ? '日本語' : 'Größe';
        for (const { end, isLastEnded, isOpen } of cases.filter((_, at) => (at + turn) % step === 0)) {
          const ends = end === 'mixed' ? ['\n', '\r\n', '\n'] : [end, end, end];
          const text = `a ${word}${ends[0]}b = 1${ends[1]}c${ends[2]}d${isLastEnded ? ends[0] : ''}`;
          const bytes = await write(text, encoding);
          const name = await putNew(bytes);
          if (isOpen) await vscode.window.showTextDocument(vscode.Uri.file(join(root, name)));
          await tools.run('turn', 'edit_file', {
            path: name,
            edits: [
              { old_text: 'b = 1', new_text: `b = 2\n${word}` },
              { old_text: 'd', new_text: 'D' },
            ],
          });
          assert.notEqual(hex(await bytesOf(name)), hex(bytes));
          assert.deepEqual(await undoAll(), []);
          const about = JSON.stringify({ encoding, end, isLastEnded, isOpen });
          assert.equal(hex(await bytesOf(name)), hex(bytes), about);
          await tools.run('turn', 'delete_file', { path: name });
          assert.deepEqual(await undoAll(), []);
          assert.equal(hex(await bytesOf(name)), hex(bytes), `deleted ${about}`);
        }
      });
    }

    it('C3: an editor with unsaved work follows, keeps that work, and its own Undo goes on', async () => {
      const name = await putNew(Buffer.from('one\ntwo\nthree\nfour\n'));
      await tools.run('turn', 'edit_file', { path: name, edits: [{ old_text: 'two', new_text: 'TWO' }] });
      const document = await vscode.workspace.openTextDocument(join(root, name));
      const editor = await vscode.window.showTextDocument(document);
      await editor.edit((builder) => builder.insert(new vscode.Position(3, 0), 'mine '));
      assert.deepEqual(await undoAll(), []);
      assert.equal(document.getText(), 'one\ntwo\nthree\nmine four\n');
      assert.equal(document.isDirty, true);
      await vscode.commands.executeCommand('undo');
      assert.equal(document.getText(), 'one\nTWO\nthree\nmine four\n');
      await vscode.commands.executeCommand('workbench.action.files.revert');
    });
  });
});
