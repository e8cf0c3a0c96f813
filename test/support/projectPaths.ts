import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** The project's folder, found from the built file that asks. */
export const projectRoot = findRoot(__dirname);

/** What set-up downloads, kept out of git. */
export const cacheFolder = join(projectRoot, '.vscode-test');

function findRoot(folder: string): string {
  if (existsSync(join(folder, 'esbuild.mjs'))) return folder;
  const parent = dirname(folder);
  if (parent === folder) throw new Error('The project folder was not found above the built tests.');
  return findRoot(parent);
}
