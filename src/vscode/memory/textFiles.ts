import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { TextFiles } from '../../core/ports';
import { syncFolder, unlessMissing } from './diskFolder';

/** What a crash left half-written is removed after this long: until then another window may be writing it. */
const staleMs = 10 * 60 * 1000;

/** The files of one folder, which is created when first needed, readable by nobody but the person. */
export function createTextFiles(
  folder: string,
  /** Without it a loss of power may take the newest along, and a write takes as little as a fifth of the time. */
  { isSynced = true }: { readonly isSynced?: boolean } = {},
): TextFiles {
  const remove = (name: string) => unlink(join(folder, name)).catch(unlessMissing(undefined));

  async function removeStale(): Promise<void> {
    for (const name of (await readdir(folder)).filter(isTemporary)) {
      const found = await stat(join(folder, name)).catch(unlessMissing(undefined));
      if (found && Date.now() - found.mtimeMs > staleMs) await remove(name);
    }
  }

  return {
    async names() {
      const names = await readdir(folder).catch(unlessMissing([]));
      return names.filter((name) => !isTemporary(name));
    },

    read: (name) => readFile(join(folder, name), 'utf8').catch(unlessMissing(undefined)),

    async write(name, text) {
      await mkdir(folder, { recursive: true });
      const temporary = `${name}.${randomUUID()}.tmp`;
      try {
        const file = await open(join(folder, temporary), 'wx', 0o600);
        try {
          await file.writeFile(text);
          if (isSynced) await file.sync();
        } finally {
          await file.close();
        }
        await rename(join(folder, temporary), join(folder, name));
      } catch (cause) {
        await remove(temporary).catch(() => undefined);
        throw cause;
      }
      if (isSynced) await syncFolder(folder);
      await removeStale().catch(() => undefined);
    },

    remove,

    clear: () => rm(folder, { recursive: true, force: true }),
  };
}

function isTemporary(name: string): boolean {
  return name.endsWith('.tmp');
}
