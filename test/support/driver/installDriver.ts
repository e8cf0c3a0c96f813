import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../projectPaths';

const name = 'test.driver-0.0.1';

/** Puts the driver extension beside ours, as VS Code itself lists what is installed: packing it would take seconds. */
export function installDriver(extensionsFolder: string): void {
  const folder = join(extensionsFolder, name);
  mkdirSync(folder, { recursive: true });
  cpSync(join(projectRoot, 'test/support/driver/package.json'), join(folder, 'package.json'));
  cpSync(join(projectRoot, 'dist/test/support/driver/driver.main.js'), join(folder, 'driver.main.js'));
  const list = join(extensionsFolder, 'extensions.json');
  const installed = existsSync(list) ? (JSON.parse(readFileSync(list, 'utf8')) as unknown[]) : [];
  const driver = {
    identifier: { id: 'test.driver' },
    version: '0.0.1',
    location: { $mid: 1, path: folder, scheme: 'file' },
    relativeLocation: name,
  };
  writeFileSync(list, JSON.stringify([...installed, driver]));
}
