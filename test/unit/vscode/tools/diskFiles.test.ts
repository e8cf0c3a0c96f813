import assert from 'node:assert/strict';
import { mkdtemp, realpath, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, parse, relative } from 'node:path';
import { isReachedWithoutLinks } from '../../../../src/vscode/tools/diskFiles';
import { removeFolder } from '../../../support/removeFolder';

describe('files on disk', () => {
  let folder = '';
  before(async () => {
    folder = await realpath(await mkdtemp(join(tmpdir(), 'claude-assistant-disk-')));
    await writeFile(join(folder, 'a.txt'), '');
    await symlink('a.txt', join(folder, 'link.txt'));
    await symlink(folder, join(folder, 'linked'));
  });
  after(() => removeFolder(folder));

  it('A14: are reached without links, or not', async () => {
    assert.equal(await isReachedWithoutLinks(folder, 'a.txt'), true);
    assert.equal(await isReachedWithoutLinks(folder, 'new/b.txt'), true);
    assert.equal(await isReachedWithoutLinks(folder, ''), true);
    assert.equal(await isReachedWithoutLinks(folder, 'link.txt'), false);
    assert.equal(await isReachedWithoutLinks(folder, 'linked/a.txt'), false);
  });

  it('are reached from a folder that was itself opened through a link', async () => {
    assert.equal(await isReachedWithoutLinks(join(folder, 'linked'), 'a.txt'), true);
  });

  it('are reached from the root of the disk', async () => {
    const { root } = parse(folder);
    assert.equal(await isReachedWithoutLinks(root, relative(root, join(folder, 'a.txt'))), true);
    assert.equal(await isReachedWithoutLinks(root, relative(root, join(folder, 'link.txt'))), false);
    assert.equal(await isReachedWithoutLinks(root, ''), true);
  });
});
