import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** All files of a folder, with what is in them, but for those that go while it looks. */
export function filesBelow(folder: string): { readonly path: string; readonly content: string }[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .flatMap((path) => {
      const content = contentOf(path);
      return content === undefined ? [] : [{ path, content }];
    });
}

function contentOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'latin1');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
