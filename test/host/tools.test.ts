import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';

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

  it('create, rename and delete files', async () => {
    await invoke('create_file', { path: 'new/a.txt', content: 'hello\n' });
    await invoke('rename_file', { from: 'new/a.txt', to: 'new/b.txt' });
    assert.equal(await readFile(join(root, 'new/b.txt'), 'utf8'), 'hello\n');
    assert.match(await invoke('delete_file', { path: 'new/b.txt' }), /^Deleted new\/b\.txt/);
    await assert.rejects(readFile(join(root, 'new/b.txt')));
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
    git('init', '--quiet', '--initial-branch', 'trunk');
    git('add', '--all');
    git('commit', '--quiet', '--message', 'start');
    await writeFile(join(root, 'README.md'), 'changed\n');
    await writeFile(join(root, '.env'), 'KEY=2\n');
    await vscode.extensions.getExtension('vscode.git')?.activate();
    await vscode.commands.executeCommand('git.openRepository', root);
    const changes = await invoke('get_changes', {});
    assert.match(changes, /on trunk\n/);
    assert.match(changes, /unstaged modified: README\.md/);
    assert.match(changes, /^\+changed$/m);
    assert.match(changes, /\.env looks like it holds secrets/);
    assert.doesNotMatch(changes, /KEY=/);
  });

  it('A21: open no pipe, and search beside pipes, devices and a file of 10 GB', async () => {
    execFileSync('mkfifo', [join(root, 'pipe')]);
    execFileSync('truncate', ['--size', '10G', join(root, 'sparse.log')]);
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
});
