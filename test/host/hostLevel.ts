import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { downloadAndUnzipVSCode } from '@vscode/test-electron';
import { installBrowser } from '../support/host/installBrowser';
import { installHost } from '../support/host/installHost';
import { cacheFolder, projectRoot } from '../support/projectPaths';
import type { Level } from '../support/run/runLevels';
import { SetupError } from '../support/setupError';

/** Every scenario in the real VS Code in a browser, each with a server and a browser of its own. */
export function hostLevel(): Level {
  // What they need from the registry is there before their time runs.
  installHost();
  installBrowser();
  return { jobs: scenarioJobs({ HOST_EXECUTABLE: join(projectRoot, 'test/support/host/code') }) };
}

/** The same in desktop VS Code, downloaded once. */
export async function desktopLevel(): Promise<Level> {
  try {
    const version = process.env['VSCODE_HOST_VERSION'] ?? 'stable';
    const cachePath = join(cacheFolder, 'desktop');
    return { jobs: scenarioJobs({ HOST_EXECUTABLE: await downloadAndUnzipVSCode({ version, cachePath }) }) };
  } catch (cause) {
    const advice = 'check the network, or use npm run test:host, which needs the npm registry only';
    throw new SetupError(`Desktop VS Code could not be downloaded: ${advice}.`, { cause });
  }
}

function scenarioJobs(env: Readonly<Record<string, string>>): Level['jobs'] {
  const folder = join(projectRoot, 'dist/test/host');
  return readdirSync(folder)
    .filter((name) => name.endsWith('.test.js'))
    .map((name) => basename(name, '.test.js'))
    .toSorted()
    .map((scenario) => ({
      name: `host ${scenario}`,
      level: 'host',
      command: process.execPath,
      args: [join(folder, 'window.main.js'), scenario],
      env,
      result: `host-${scenario}`,
    }));
}
