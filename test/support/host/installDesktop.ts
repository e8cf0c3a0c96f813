import { join } from 'node:path';
import { downloadAndUnzipVSCode } from '@vscode/test-electron';
import { cacheFolder } from '../projectPaths';
import { SetupError } from '../setupError';

/** Desktop VS Code, downloaded once; gives its executable. `VSCODE_HOST_VERSION` picks another one. */
export async function installDesktop(): Promise<string> {
  try {
    const version = process.env['VSCODE_HOST_VERSION'] ?? 'stable';
    return await downloadAndUnzipVSCode({ version, cachePath: join(cacheFolder, 'desktop') });
  } catch (cause) {
    const advice = 'check the network, or use npm run test:host, which needs the npm registry only';
    throw new SetupError(`Desktop VS Code could not be downloaded: ${advice}.`, { cause });
  }
}
