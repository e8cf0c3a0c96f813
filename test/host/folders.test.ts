import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { followProblemReports } from '../../src/vscode/tools/problemReports';
import { createWorkspace } from '../../src/vscode/tools/workspace';
import { guidanceOver } from '../support/guidance';

/** A workspace file can name its folders as it likes: `packages/api` beside `packages`, `~`, `a\b`. */
describe('a workspace with folders of any name', () => {
  const rootOf = (name: string) =>
    vscode.workspace.workspaceFolders?.find((folder) => folder.name === name)?.uri.fsPath ?? '';
  const reports = followProblemReports();
  after(() => void reports.dispose());

  before(async () => {
    await vscode.extensions.getExtension('claude-assistant.claude-assistant')?.activate();
  });

  async function invoke(name: string, input: object): Promise<string> {
    const { content } = await vscode.lm.invokeTool(name, { input, toolInvocationToken: undefined });
    return content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join('');
  }

  it('P9: is listed whole', async () => {
    assert.equal(
      await invoke('list_directory', {}),
      [
        'folders/',
        '  notes.txt',
        'packages/',
        '  api/ (1 file)',
        'packages/api/',
        '  CLAUDE.md',
        '  index.ts',
        '~/',
        '  notes.txt',
        'a\\b/',
        '  c.ts',
      ].join('\n'),
    );
  });

  it('P9: is read, searched and edited in the folder that is named', async () => {
    assert.equal(await invoke('read_file', { path: 'packages/api/index.ts' }), '1\texport const port = 1;');
    assert.equal(await invoke('read_file', { path: '~/notes.txt' }), '1\tat home');
    assert.equal(await invoke('read_file', { path: 'a\\b/c.ts' }), "1\texport const back = 'slash';");
    assert.equal(await invoke('find_files', { pattern: 'packages/api/*.ts' }), 'packages/api/index.ts');
    const notes = await invoke('find_files', { pattern: '**/notes.txt' });
    assert.deepEqual(notes.split('\n').toSorted(), ['folders/notes.txt', '~/notes.txt']);
    assert.equal(
      await invoke('search_text', { pattern: 'port', include: 'packages/api/**' }),
      'packages/api/index.ts\n1: export const port = 1;',
    );
    const edits = [{ old_text: 'port = 1', new_text: 'port = 2' }];
    await invoke('edit_file', { path: 'packages/api/index.ts', edits });
    assert.equal(
      await readFile(join(rootOf('packages/api'), 'index.ts'), 'utf8'),
      'export const port = 2;\n',
    );
    assert.match(await readFile(join(rootOf('packages'), 'api/index.ts'), 'utf8'), /not the api/);
  });

  it('T1: has its instruction files found', async () => {
    const { always } = await guidanceOver(createWorkspace(reports)).instructions(
      new AbortController().signal,
    );
    assert.deepEqual(
      always.map(({ path, text }) => [path, text]),
      [['packages/api/CLAUDE.md', 'Use tabs in the api.\n']],
    );
  });

  it('S1: leads nowhere else by such a name', async () => {
    for (const path of [
      '~/../../etc/passwd',
      '~root/x',
      'a\\b/../../x',
      'packages/api/../../x',
      '/etc/passwd',
    ]) {
      await assert.rejects(invoke('read_file', { path }), /outside|Home folders|several folders/, path);
    }
  });
});
