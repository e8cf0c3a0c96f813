import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { programOf } from '../../../support/host/installDesktop';

describe('the program of desktop VS Code', () => {
  let folder: string;
  beforeEach(() => {
    folder = join(mkdtempSync(join(tmpdir(), 'app-')), 'Visual Studio Code.app/Contents/MacOS');
    mkdirSync(folder, { recursive: true });
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('is found on a Mac by its old name and by its new one', () => {
    writeFileSync(join(folder, 'Code'), '');
    assert.equal(programOf(join(folder, 'Electron')), join(folder, 'Code'));
    writeFileSync(join(folder, 'Electron'), '');
    assert.equal(programOf(join(folder, 'Electron')), join(folder, 'Electron'));
  });
});
