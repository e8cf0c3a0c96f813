import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/**
 * A folder that is gone when this process is. In memory where that is possible: what counts is what is written, not how
 * fast the disk is.
 */
export function testFolder(name: string): string {
  const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), `${name}-`));
  process.on('exit', () => {
    try {
      rmSync(folder, { recursive: true, force: true });
    } catch {
      // Windows removes nothing that is open: it goes with the temporary folder of the run.
    }
  });
  return folder;
}
