import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Place } from '../../core/tools/workspace';
import { statFile } from './diskFiles';

/**
 * Hands over the files that say what is ignored below a place, as far as they are above it: ripgrep knows by itself only
 * those from where it starts, or else those above the workspace, too, by which VS Code does not go. Of a file that it is
 * given it takes all names as if they stood in the folder of the workspace.
 */
export async function withIgnoreFiles<T>(
  place: Place,
  use: (files: readonly string[]) => Promise<T>,
): Promise<T> {
  const { root } = place.folder;
  const known = await Promise.all(
    ignoreFilesAbove(place).map(async ({ folder, file }) => {
      const status = await statFile(join(root, folder, file));
      return status?.kind === 'file' ? [{ folder, file }] : [];
    }),
  );
  const files = known.flat();
  const atRoot = files.filter(({ folder }) => folder === '').map(({ file }) => `./${file}`);
  if (atRoot.length === files.length) return use(atRoot);
  const texts = await Promise.all(
    files.map(async ({ folder, file }) =>
      rebased(await readFile(join(root, folder, file), 'utf8').catch(() => ''), folder),
    ),
  );
  const temporary = await writeAside(texts.join('\n'));
  if (temporary === undefined) return use(atRoot);
  try {
    return await use([join(temporary, ignoreFile)]);
  } finally {
    // Windows may still hold it: then it goes with all that is temporary.
    await rm(temporary, { recursive: true, force: true }).catch(() => undefined);
  }
}

const ignoreFile = 'ignore';

/** The folder that it is in; undefined where nothing can be written, which keeps nobody from a search. */
async function writeAside(text: string): Promise<string | undefined> {
  try {
    const folder = await mkdtemp(join(tmpdir(), 'assistant-'));
    await writeFile(join(folder, ignoreFile), text);
    return folder;
  } catch {
    return undefined;
  }
}

/** What counts most comes last: the kind of file before the folder that it is in. */
function ignoreFilesAbove({ path }: Place) {
  if (path === '') return [];
  const folders = path.split('/').map((_, depth, names) => names.slice(0, depth).join('/'));
  const files = ['.gitignore', '.ignore', '.rgignore'];
  return [
    { folder: '', file: '.git/info/exclude' },
    ...files.flatMap((file) => folders.map((folder) => ({ folder, file }))),
  ];
}

/** The lines of an ignore file in a folder, as they would stand in one at the root. */
export function rebased(text: string, folder: string): string {
  const plain = text.replace(/^\uFEFF/, '');
  if (folder === '') return plain;
  const below = `/${folder.replaceAll(/[\\*?[\]{}]/g, String.raw`\$&`)}/`;
  return plain
    .split(/\r?\n/)
    .flatMap((line) => {
      if (line.trim() === '' || line.startsWith('#')) return [];
      const sign = line.startsWith('!') ? '!' : '';
      const pattern = line.slice(sign.length);
      // Which means nothing, and would mean all of the folder.
      if (pattern.trim() === '/') return [];
      // With a slash before its end it is about this folder, and without one about all below it.
      const isHere = pattern.trimEnd().slice(0, -1).includes('/');
      return `${sign}${below}${isHere ? '' : '**/'}${pattern.replace(/^\//, '')}`;
    })
    .join('\n');
}
