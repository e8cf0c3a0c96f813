import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Puts an extension beside ours as it stands in its folder, with what was built of it, in the way VS Code itself lists
 * what is installed: packing it would take seconds.
 */
export function installUnpacked(
  source: string,
  extensionsFolder: string,
  built: readonly string[] = [],
): void {
  const { publisher, name, version } = JSON.parse(
    readFileSync(join(source, 'package.json'), 'utf8'),
  ) as Readonly<Record<'publisher' | 'name' | 'version', string>>;
  const folderName = `${publisher}.${name}-${version}`;
  const folder = join(extensionsFolder, folderName);
  cpSync(source, folder, { recursive: true, filter: (path) => !path.endsWith('.ts') });
  for (const file of built) cpSync(file, join(folder, basename(file)));
  const list = join(extensionsFolder, 'extensions.json');
  const installed = existsSync(list) ? (JSON.parse(readFileSync(list, 'utf8')) as unknown[]) : [];
  const entry = {
    identifier: { id: `${publisher}.${name}` },
    version,
    // Not the folder itself: on Windows it has backslashes.
    location: { $mid: 1, path: decodeURIComponent(pathToFileURL(folder).pathname), scheme: 'file' },
    relativeLocation: folderName,
  };
  writeFileSync(list, JSON.stringify([...installed, entry]));
}
