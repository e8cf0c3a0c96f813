import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RecordStore } from '../core/ports';
import { unlessMissing } from './diskFolder';

const ending = '.json';

/** Records as one small file each, in a folder that all windows on the workspace share. */
export function createLedgerFiles(options: {
  /** Below `storageUri`; created when first needed. */
  readonly folder: string;
  /** New for each activation, so that no two windows write to one half-done file. */
  readonly activationId: string;
  readonly limit?: number;
}): RecordStore {
  const { folder, activationId, limit = 300 } = options;
  const pathOf = (name: string) => join(folder, `${name}${ending}`);

  async function names(): Promise<readonly string[]> {
    const files = await readdir(folder).catch(unlessMissing([]));
    return files
      .filter((file) => file.endsWith(ending))
      .map((file) => file.slice(0, -ending.length))
      .toSorted();
  }

  return {
    async write(name, text) {
      await mkdir(folder, { recursive: true });
      const unfinished = join(folder, `${name}.${activationId}.tmp`);
      // First words of what people ask: nobody else on the machine reads them.
      await writeFile(unfinished, text, { mode: 0o600 });
      await rename(unfinished, pathOf(name));
      const tooOld = (await names()).slice(0, -limit);
      await Promise.all(tooOld.map((old) => rm(pathOf(old), { force: true })));
    },

    async read() {
      const files = (await names()).slice(-limit).map(async (name) => {
        // Another window may just have removed it.
        const text = await readFile(pathOf(name), 'utf8').catch(unlessMissing(undefined));
        return text === undefined ? [] : [{ name, text }];
      });
      return (await Promise.all(files)).flat();
    },

    // The whole folder, so that nothing half-written stays behind either.
    clear: () => rm(folder, { recursive: true, force: true }),
  };
}
