import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { followProblemReports } from '../../src/vscode/tools/problemReports';
import { createWorkspace } from '../../src/vscode/tools/workspace';
import { describeWorkspaceContract } from '../support/contracts/workspaceContract';
import type { Content } from '../support/inMemoryWorkspace';
import { typeUnsaved } from '../support/typeUnsaved';

describe('the workspace of the real VS Code', () => {
  const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
  const reports = followProblemReports();
  after(() => void reports.dispose());

  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('edits a file that another program has only just written', async () => {
    const workspace = createWorkspace(reports);
    const path = join(root, 'busy.txt');
    const place = { folder: workspace.folders()[0]!, path: 'busy.txt' };
    const outcomes: string[] = [];
    for (let round = 0; round < 20; round++) {
      const before = `${'line\n'.repeat(round % 3)}${round}\n`;
      await rm(path, { force: true });
      await writeFile(path, before);
      const after = `${before}edited\n`;
      const { kind } = await workspace.apply(
        { kind: 'edit', place, before, after },
        new AbortController().signal,
      );
      outcomes.push(`${kind} ${(await readFile(path, 'utf8')) === after}`);
    }
    assert.deepEqual(
      outcomes,
      outcomes.map(() => 'saved true'),
    );
  });

  describeWorkspaceContract(async (files) => {
    for (const name of await readdir(root)) await rm(join(root, name), { recursive: true });
    for (const [path, content] of Object.entries(files)) await put(join(root, path), content);
    return {
      workspace: createWorkspace(reports),
      text: (path) => readFile(join(root, path), 'utf8').catch(() => undefined),
      async setUnsaved(path, text) {
        const document = await vscode.workspace.openTextDocument(join(root, path));
        const editor = await vscode.window.showTextDocument(document);
        const all = new vscode.Range(0, 0, document.lineCount, 0);
        await typeUnsaved(editor, (edit) => edit.replace(all, text));
      },
      async replaceByLink(path, target) {
        await rm(join(root, path), { recursive: true });
        await symlink(join(root, target), join(root, path));
      },
    };
  });
});

async function put(path: string, content: Content): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  if (typeof content === 'string' || content instanceof Uint8Array) await writeFile(path, content);
  else if ('link' in content) await symlink(content.link, path);
  else throw new Error('A device cannot be made here.');
}
