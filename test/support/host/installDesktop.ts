import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { downloadAndUnzipVSCode } from '@vscode/test-electron';
import { cacheFolder } from '../projectPaths';
import { SetupError } from '../setupError';

/** Desktop VS Code, downloaded once; gives its executable. `VSCODE_HOST_VERSION` picks another one. */
export async function installDesktop(): Promise<string> {
  const cachePath = join(cacheFolder, 'desktop');
  mkdirSync(cachePath, { recursive: true });
  try {
    const version = process.env['VSCODE_HOST_VERSION'] ?? 'stable';
    return programOf(await downloadAndUnzipVSCode({ version, cachePath }));
  } catch (cause) {
    const advice = 'check the network, or use npm run test:host, which needs the npm registry only';
    throw new SetupError(`Desktop VS Code could not be downloaded: ${advice}.`, { cause });
  }
}

/**
 * On a Mac the program has had the name of the product since VS Code 1.131. The newest `@vscode/test-electron` that runs
 * on Node 20 knows only its older name; beside it there is nothing else.
 */
export function programOf(executable: string): string {
  if (existsSync(executable)) return executable;
  const folder = dirname(executable);
  return join(folder, readdirSync(folder)[0] ?? '');
}
