import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { notebookTypeOf } from '../../src/vscode/tools/notebookTypes';
import { typeUnsaved } from '../support/typeUnsaved';
import { until } from '../support/until';

describe('our tools in VS Code', () => {
  const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';

  before(async () => {
    await vscode.extensions.getExtension('claude-assistant.claude-assistant')?.activate();
  });

  async function invoke(name: string, input: object): Promise<string> {
    const { content } = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined });
    return content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join('');
  }

  it('are there for every chat', () => {
    const names = new Set(vscode.lm.tools.map(({ name }) => name));
    for (const name of [
      'read_file',
      'list_directory',
      'find_files',
      'search_text',
      'edit_file',
      'delete_file',
    ]) {
      assert.ok(names.has(name), name);
    }
  });

  it('read, list, find and search without a question', async () => {
    assert.match(await invoke('read_file', { path: 'src/orders.ts' }), /^1\t/);
    assert.match(await invoke('list_directory', {}), /^src\//m);
    assert.equal(await invoke('find_files', { pattern: 'orders.*' }), 'src/orders.ts');
    assert.match(await invoke('search_text', { pattern: 'export' }), /^src\//);
  });

  it('tell what is wrong with an input or a path', async () => {
    await assert.rejects(invoke('read_file', { path: 7 }), /not valid/);
    await assert.rejects(invoke('read_file', { path: '../../etc/passwd' }), /outside the workspace/);
  });

  for (const pattern of ['--pre=sh', '-f/etc/passwd', '--hostname-bin=sh', '--files', '-']) {
    it(`A20: take ${pattern} as a pattern`, async () => {
      await writeFile(join(root, 'flags.txt'), `before\n${pattern} here\n`);
      assert.match(await invoke('search_text', { pattern, include: 'flags.txt' }), /^flags\.txt\n2: /);
      assert.match(
        await invoke('search_text', { pattern, literal: true, include: 'flags.txt' }),
        /^flags\.txt\n2: /,
      );
    });
  }

  it('A21: search beside globs in settings and calls that ripgrep cannot read', async () => {
    const files = vscode.workspace.getConfiguration('files');
    const exclude = { '{': true, 'a[': true, '**/orders.ts': true };
    await files.update('exclude', exclude, vscode.ConfigurationTarget.Workspace);
    try {
      assert.match(await invoke('search_text', { pattern: 'export' }), /^src\//);
      assert.match(await invoke('list_directory', {}), /^src\//m);
      assert.match(await invoke('find_files', { pattern: 'orders.ts' }), /^No file matches/);
      assert.match(await invoke('search_text', { pattern: 'export', include: '[z-a' }), /^No match/);
    } finally {
      await files.update('exclude', undefined, vscode.ConfigurationTarget.Workspace);
    }
  });

  it('§5: leave out what an ignore file further up leaves out, wherever they begin to look', async () => {
    await writeFile(join(root, '.gitignore'), 'generated/\n*.log\n/packages/web/out/\n');
    const files = [
      'b.txt',
      'c.log',
      'generated/a.txt',
      'out/d.txt',
      'deep/.ignore',
      'deep/e.tmp',
      'deep/f.txt',
      'dist/g.txt',
      'kept.log',
    ];
    for (const name of files) {
      await mkdir(join(root, 'packages/web', name, '..'), { recursive: true });
      await writeFile(join(root, 'packages/web', name), 'needle\n');
    }
    // Of one further down the names stand below its own folder, and `.ignore` counts before it.
    await writeFile(join(root, 'packages/.gitignore'), '*.tmp\n/web/dist/\n*.log\n');
    await writeFile(join(root, '.ignore'), '!kept.log\n');
    try {
      const names = ['b.txt', 'deep/.ignore', 'deep/f.txt', 'kept.log'];
      const found = names.map((name) => `packages/web/${name}`).join('\n');
      assert.equal(await invoke('find_files', { pattern: 'packages/web/**' }), found);
      assert.equal(await invoke('find_files', { pattern: '*', path: 'packages/web' }), found);
      assert.equal(
        await invoke('list_directory', { path: 'packages/web' }),
        'deep/\n  .ignore\n  f.txt\nb.txt\nkept.log',
      );
      assert.equal(
        await invoke('search_text', { pattern: 'needle', path: 'packages/web' }),
        found.replaceAll(/$/gm, '\n1: needle').replaceAll(/(?<=needle)\n/g, '\n\n'),
      );
      assert.match(
        await invoke('list_directory', { path: 'packages/web', include_ignored: true }),
        /^dist\/\n {2}g\.txt\ngenerated\/\n {2}a\.txt\nout\/\n {2}d\.txt\nb\.txt\nc\.log\nkept\.log$/m,
      );
      // Whoever names an ignored folder itself means it.
      assert.equal(await invoke('list_directory', { path: 'packages/web/generated' }), 'a.txt');
    } finally {
      await rm(join(root, 'packages'), { recursive: true });
      await rm(join(root, '.gitignore'));
      await rm(join(root, '.ignore'));
    }
  });

  it('say what is wrong with an expression', async () => {
    await assert.rejects(invoke('search_text', { pattern: '(' }), /unclosed group[\s\S]*literal: true/);
  });

  // Outside of a chat VS Code asks in a dialog of its own, which this kind of host answers with yes.

  it('edit a file in a way that one undo takes back', async () => {
    const file = join(root, 'src/orders.ts');
    const before = await readFile(file, 'utf8');
    const edits = [
      { old_text: 'import { findItem }', new_text: 'import { findItem as find }' },
      { old_text: 'readonly items', new_text: 'readonly things' },
    ];
    assert.match(
      await invoke('edit_file', { path: 'src/orders.ts', edits }),
      /^Edited src\/orders\.ts\.\n@@ /,
    );
    assert.notEqual(await readFile(file, 'utf8'), before);
    const editor = await vscode.window.showTextDocument(vscode.Uri.file(file));
    await vscode.commands.executeCommand('undo');
    assert.equal(editor.document.getText(), before);
    await editor.document.save();
  });

  it('create and rename files, and delete none without the person’s own word', async () => {
    await invoke('create_file', { path: 'new/a.txt', content: 'hello\n' });
    await invoke('rename_file', { from: 'new/a.txt', to: 'new/b.txt' });
    assert.equal(await readFile(join(root, 'new/b.txt'), 'utf8'), 'hello\n');
    await assert.rejects(invoke('delete_file', { path: 'new/b.txt' }));
    assert.equal(await readFile(join(root, 'new/b.txt'), 'utf8'), 'hello\n');
    await rm(join(root, 'new'), { recursive: true });
  });

  describe('beside unsaved editors', () => {
    const typed = 'typed, not saved\n';

    /** Opens a file by a path and leaves it with unsaved changes. */
    async function type(path: string): Promise<vscode.TextDocument> {
      const editor = await vscode.window.showTextDocument(vscode.Uri.file(join(root, path)));
      await typeUnsaved(editor, (edit) => edit.insert(new vscode.Position(0, 0), typed));
      return editor.document;
    }

    beforeEach(async () => {
      await mkdir(join(root, 'drafts/deep'), { recursive: true });
      await writeFile(join(root, 'drafts/deep/a.txt'), 'saved\n');
      await symlink('drafts', join(root, 'alias'));
    });
    afterEach(async () => {
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
      await rm(join(root, 'alias'));
      await rm(join(root, 'drafts'), { recursive: true, force: true });
    });

    it('read, search and edit what is typed, by whatever path the editor was opened', async () => {
      const document = await type('alias/deep/a.txt');
      for (const path of ['drafts/deep/a.txt', 'alias/deep/a.txt']) {
        assert.match(await invoke('read_file', { path }), /^1\ttyped, not saved\n2\tsaved\n.*unsaved/);
      }
      assert.equal(
        await invoke('search_text', { pattern: 'not saved' }),
        'drafts/deep/a.txt\n1: typed, not saved',
      );
      const edits = [{ old_text: '\nsaved\n', new_text: '\nedited\n' }];
      assert.match(await invoke('edit_file', { path: 'drafts/deep/a.txt', edits }), /not saved to disk/);
      assert.equal(document.getText(), `${typed}edited\n`);
      assert.equal(await readFile(join(root, 'drafts/deep/a.txt'), 'utf8'), 'saved\n');
    });

    for (const opened of ['drafts/deep/a.txt', 'alias/deep/a.txt']) {
      it(`delete nothing that somebody types in, opened as ${opened}`, async () => {
        const document = await type(opened);
        for (const path of ['drafts/deep/a.txt', 'drafts/deep', 'drafts', 'alias/deep/a.txt', 'alias/deep']) {
          await assert.rejects(invoke('delete_file', { path }), /unsaved changes/, path);
        }
        assert.deepEqual([document.isDirty, document.getText()], [true, `${typed}saved\n`]);
      });
    }

    it('delete and edit no notebook with unsaved changes', async () => {
      const file = join(root, 'drafts/n.ipynb');
      await writeFile(file, '{"cells":[],"metadata":{},"nbformat":4,"nbformat_minor":5}\n');
      const notebook = await vscode.workspace.openNotebookDocument(vscode.Uri.file(file));
      await vscode.window.showNotebookDocument(notebook);
      const edit = new vscode.WorkspaceEdit();
      const cell = new vscode.NotebookCellData(vscode.NotebookCellKind.Markup, 'typed', 'markdown');
      edit.set(notebook.uri, [vscode.NotebookEdit.insertCells(0, [cell])]);
      await vscode.workspace.applyEdit(edit);
      await until(() => notebook.isDirty);
      await assert.rejects(invoke('delete_file', { path: 'drafts' }), /unsaved changes/);
      const edits = [{ old_text: '"nbformat":4', new_text: '"nbformat":3' }];
      await assert.rejects(invoke('edit_file', { path: 'drafts/n.ipynb', edits }), /unsaved changes/);
    });
  });

  describe('with notebooks', () => {
    const cell = (source: string) => ({ cell_type: 'markdown', metadata: {}, source: [source] });
    const json = (source: string) =>
      `${JSON.stringify({ cells: [cell(source)], metadata: {}, nbformat: 4, nbformat_minor: 4 }, undefined, 1)}\n`;
    const file = join(root, 'Book.IPYNB');
    const edit = (old_text: string, new_text: string) =>
      invoke('edit_file', { path: 'Book.IPYNB', edits: [{ old_text, new_text }] });

    beforeEach(async () => {
      await writeFile(file, json('one'));
      await invoke('read_file', { path: 'Book.IPYNB' });
    });
    afterEach(async () => {
      await vscode.commands.executeCommand('workbench.action.closeAllEditors');
      await rm(file, { force: true });
    });

    it('edit one so that it stays one, and the editor follows', async () => {
      const notebook = await vscode.workspace.openNotebookDocument(vscode.Uri.file(file));
      await vscode.window.showNotebookDocument(notebook);
      await edit('one', 'two');
      assert.equal(await readFile(file, 'utf8'), json('two'));
      await until(() => notebook.cellAt(0).document.getText() === 'two');
      await until(() => !notebook.isDirty);
    });

    it('refuse what would break one, and leave it as it is', async () => {
      await assert.rejects(edit('"one"', '"one'), /no notebook that opens: it is not JSON/);
      await assert.rejects(
        invoke('create_file', { path: 'other.ipynb', content: 'print(1)' }),
        /no notebook that opens: it is not JSON/,
      );
      assert.equal(await readFile(file, 'utf8'), json('one'));
      await assert.rejects(readFile(join(root, 'other.ipynb')));
    });

    it('know which files extensions open as one', () => {
      const at = (path: string) => ({ folder: { name: 'tools', root }, path });
      assert.deepEqual(
        ['a/b.ipynb', 'A.IPYNB', 'b.ipynb.txt', 'ipynb'].map((path) => notebookTypeOf(at(path))),
        ['Jupyter Notebook', 'Jupyter Notebook', undefined, undefined],
      );
    });
  });

  it('A15: do not write a protected place because VS Code said yes: they ask once more', async () => {
    // Here our own dialog fails, as the host shows none in tests: nobody agreed, so nothing may happen.
    await assert.rejects(invoke('create_file', { path: '.vscode/tasks.json', content: '{}' }));
    await assert.rejects(readFile(join(root, '.vscode/tasks.json')));
  });

  it('know the problems and symbols that language extensions report', async () => {
    await writeFile(join(root, 'notes.txt'), 'Title\n');
    const uri = vscode.Uri.file(join(root, 'notes.txt'));
    const line = new vscode.Range(0, 0, 0, 5);
    const diagnostics = vscode.languages.createDiagnosticCollection('test');
    diagnostics.set(uri, [new vscode.Diagnostic(line, 'a test problem', vscode.DiagnosticSeverity.Error)]);
    const symbols = vscode.languages.registerDocumentSymbolProvider(
      { pattern: '**/notes.txt' },
      {
        provideDocumentSymbols: () => [
          new vscode.DocumentSymbol('Title', '', vscode.SymbolKind.Class, line, line),
        ],
      },
    );
    try {
      assert.equal(
        await invoke('get_diagnostics', { path: 'notes.txt' }),
        'notes.txt:1:1 error: a test problem',
      );
      assert.equal(await invoke('get_symbols', { path: 'notes.txt' }), '1 class Title');
    } finally {
      diagnostics.dispose();
      symbols.dispose();
    }
  });

  it('show what git reports, but no diff of a secret', async () => {
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', ...args], { cwd: root });
    await writeFile(join(root, '.env'), 'KEY=1\n');
    // Git would take them for patterns that fit the secret, too. Windows has no others.
    const patterns = process.platform === 'win32' ? ['[.]env'] : ['*', '[.]env', ':!x'];
    for (const name of patterns) await writeFile(join(root, name), 'old\n');
    git('init', '--quiet', '--initial-branch', 'trunk');
    git('add', '--all');
    git('commit', '--quiet', '--message', 'start');
    await writeFile(join(root, 'README.md'), 'changed\n');
    await writeFile(join(root, '.env'), 'KEY=2\n');
    for (const name of patterns) await writeFile(join(root, name), `new ${name}\n`);
    await writeFile(join(root, 'staged.txt'), 'staged only\n');
    git('add', 'staged.txt');
    await vscode.extensions.getExtension('vscode.git')?.activate();
    await vscode.commands.executeCommand('git.openRepository', root);
    const changes = await invoke('get_changes', {});
    assert.match(changes, /on trunk\n/);
    assert.match(changes, /unstaged modified: README\.md/);
    assert.match(changes, /^\+changed$/m);
    assert.match(changes, /^\+staged only$/m);
    for (const name of patterns) assert.ok(changes.split('\n').includes(`+new ${name}`), name);
    assert.match(changes, /\.env looks like it holds secrets/);
    assert.doesNotMatch(changes, /KEY=/);
  });

  // Windows has neither such pipes nor devices, and its files of 10 GB take that much.
  if (process.platform !== 'win32') {
    it('A21: open no pipe, and search beside pipes, devices and a file of 10 GB', async () => {
      execFileSync('mkfifo', [join(root, 'pipe')]);
      await writeFile(join(root, 'sparse.log'), '');
      await truncate(join(root, 'sparse.log'), 10 * 1024 ** 3);
      await symlink('/dev/zero', join(root, 'zero'));
      try {
        await assert.rejects(invoke('read_file', { path: 'pipe' }), /not a regular file/);
        await assert.rejects(invoke('read_file', { path: 'zero' }), /a link that leaves the workspace/);
        await assert.rejects(invoke('read_file', { path: 'sparse.log' }), /binary file \(10\.0 GB\)/);
        assert.match(await invoke('search_text', { pattern: 'findItem', path: 'src' }), /^src\//);
        assert.match(await invoke('search_text', { pattern: 'findItem' }), /^src\//);
        assert.match(
          await invoke('list_directory', { depth: 1 }),
          /zero → \[a link that leaves the workspace\]/,
        );
      } finally {
        for (const name of ['pipe', 'sparse.log', 'zero']) await rm(join(root, name));
      }
    });
  }
});
