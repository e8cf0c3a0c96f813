import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTextFiles } from '../../../../src/vscode/memory/textFiles';
import { textFilesContract } from '../../../support/contracts/textFilesContract';

for (const isSynced of [true, false]) {
  textFilesContract(`on disk, ${isSynced ? 'synced' : 'not synced'}`, async () => {
    const root = mkdtempSync(join(tmpdir(), 'texts-'));
    return {
      open: () => createTextFiles(join(root, 'below', 'texts'), { isSynced }),
      dispose: async () => rmSync(root, { recursive: true }),
    };
  });
}

describe('text files on disk', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'texts-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('are readable by nobody else', async () => {
    await createTextFiles(folder).write('a.json', 'x');
    assert.equal(statSync(join(folder, 'a.json')).mode & 0o777, 0o600);
  });

  it('are left as they were by a write that fails, without a trace of it', async () => {
    const files = createTextFiles(folder);
    // A folder stands where the file should go: the last step of the write fails.
    await mkdir(join(folder, 'a.json', 'inside'), { recursive: true });
    await assert.rejects(files.write('a.json', 'x'));
    assert.deepEqual(readdirSync(folder), ['a.json']);
  });

  it('lose what a crash left half-written, but not what another window is writing', async () => {
    const hourAgo = new Date(Date.now() - 60 * 60 * 1000);
    for (const name of ['a.json.1.tmp', 'b.json.2.tmp']) writeFileSync(join(folder, name), 'half');
    utimesSync(join(folder, 'a.json.1.tmp'), hourAgo, hourAgo);
    const files = createTextFiles(folder);
    await files.write('c.json', 'x');
    assert.deepEqual(readdirSync(folder).toSorted(), ['b.json.2.tmp', 'c.json']);
    assert.deepEqual(await files.names(), ['c.json']);
    await files.clear();
    assert.equal(existsSync(folder), false);
  });

  it('make their folder only when something is written', async () => {
    const files = createTextFiles(join(folder, 'texts'));
    await files.names();
    assert.deepEqual(readdirSync(folder), []);
  });
});
