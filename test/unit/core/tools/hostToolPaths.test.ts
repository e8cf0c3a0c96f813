import assert from 'node:assert/strict';
import { checkedFilePath, withFilePathOnly } from '../../../../src/core/tools/hostToolPaths';
import { createPathPolicy } from '../../../../src/core/tools/paths/pathPolicy';
import { createSecretFiles, defaultSecretFiles } from '../../../../src/core/tools/paths/secretFiles';
import type { Place } from '../../../../src/core/tools/workspace';
import { createInMemoryWorkspace, type InMemoryOptions } from '../../../support/inMemoryWorkspace';

const { signal } = new AbortController();

async function check(input: object, options: InMemoryOptions = {}, { isTrusted = true } = {}) {
  const workspace = createInMemoryWorkspace(options);
  workspace.trusted = isTrusted;
  const secretFiles = createSecretFiles(defaultSecretFiles);
  const policy = createPathPolicy({ workspace, secretFiles: () => secretFiles });
  const effect = isTrusted ? 'reads' : 'writes';
  const addressOf = ({ folder, path }: Place) => `file://${folder.root}/${path}`;
  const look = { policy, folders: workspace.folders(), effect, addressOf } as const;
  return (await checkedFilePath(input, look, signal)).input;
}

async function isAlwaysAsked(filePath: string, effect: 'reads' | 'writes') {
  const workspace = createInMemoryWorkspace({ files: { 'link.ts': { link: '.vscode/task.ts' } } });
  const secretFiles = createSecretFiles(defaultSecretFiles);
  const policy = createPathPolicy({ workspace, secretFiles: () => secretFiles });
  const look = { policy, folders: workspace.folders(), effect, addressOf: () => '' };
  return (await checkedFilePath({ filePath }, look, signal)).isAlwaysAsked;
}

describe('S1: paths that VS Code’s tools for symbols get', () => {
  it('are those of the workspace, and no addresses', async () => {
    assert.deepEqual(await check({ filePath: './src/../a.ts', symbol: 'x', uri: 'file:///etc/passwd' }), {
      filePath: 'a.ts',
      symbol: 'x',
    });
    for (const filePath of [
      '../../etc/passwd',
      '/etc/passwd',
      'file:///etc/passwd',
      'a%2f..%2f..',
      7,
      undefined,
    ]) {
      await assert.rejects(check({ filePath }), { name: 'ToolError' }, String(filePath));
    }
    await assert.rejects(check({ filePath: 'link.ts' }, { files: { 'link.ts': { link: '/etc/hosts' } } }), {
      name: 'ToolError',
    });
    await assert.rejects(check({ filePath: '.env' }), /looks like it holds secrets/);
  });

  it('are addresses in other folders than the first, where VS Code looks for no path', async () => {
    const folders = [
      { name: 'app', root: '/work/app' },
      { name: 'lib', root: '/work/common/lib' },
    ];
    assert.deepEqual(await check({ filePath: 'app/a.ts' }, { folders }), { filePath: 'a.ts' });
    assert.deepEqual(await check({ filePath: 'lib/src/b.ts' }, { folders }), {
      uri: 'file:///work/common/lib/src/b.ts',
    });
  });

  it('R3: are always asked about where a change would reach a place that runs code', async () => {
    for (const path of ['.vscode/task.ts', '.git/hooks/x.ts', 'link.ts']) {
      assert.equal(await isAlwaysAsked(path, 'writes'), true, path);
      assert.equal(await isAlwaysAsked(path, 'reads'), false, path);
    }
    assert.equal(await isAlwaysAsked('a.ts', 'writes'), false);
  });

  it('A4: are only read in a workspace that is not trusted', async () => {
    await assert.rejects(check({ filePath: 'a.ts' }, {}, { isTrusted: false }), /has not trusted/);
  });

  it('are asked for by name, and the tool is left out where it knows none', () => {
    const tool = { name: 'x', description: '' };
    const properties = { uri: { type: 'string' }, filePath: { type: 'string' }, symbol: { type: 'string' } };
    assert.deepEqual(
      withFilePathOnly({ ...tool, inputSchema: { type: 'object', properties, required: ['symbol', 'uri'] } }),
      {
        ...tool,
        inputSchema: {
          type: 'object',
          properties: { filePath: { type: 'string' }, symbol: { type: 'string' } },
          required: ['symbol', 'filePath'],
        },
      },
    );
    assert.equal(withFilePathOnly({ ...tool, inputSchema: { type: 'object', properties: {} } }), undefined);
  });
});
