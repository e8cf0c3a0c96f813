import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** All files of a folder, with what is in them. */
export function filesBelow(folder: string): { readonly path: string; readonly content: string }[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((path) => ({ path, content: readFileSync(path, 'latin1') }));
}
