import { join } from 'node:path';
import { installUnpacked } from '../installUnpacked';
import { projectRoot } from '../projectPaths';

/** Puts the driver extension beside ours. */
export function installDriver(extensionsFolder: string): void {
  const built = join(projectRoot, 'dist/test/support/driver/driver.main.js');
  installUnpacked(join(projectRoot, 'test/support/driver'), extensionsFolder, [built]);
}
