import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { installBrowser } from '../support/host/installBrowser';
import { installDesktop } from '../support/host/installDesktop';
import { installHost } from '../support/host/installHost';
import { installTypeScript } from '../support/host/installTypeScript';
import { projectRoot } from '../support/projectPaths';
import type { Job } from '../support/run/job';
import type { Level } from '../support/run/runLevels';
import { hasOwnWindow } from './fixtures';

/** Every scenario in the real VS Code in a browser. */
export function hostLevel(): Level {
  // What they need from the registry is there before their time runs.
  installHost();
  installBrowser();
  installTypeScript();
  return { jobs: windowJobs({ HOST_EXECUTABLE: join(projectRoot, 'test/support/host/code') }) };
}

/** The same in desktop VS Code, downloaded once. */
export async function desktopLevel(): Promise<Level> {
  installTypeScript();
  return { jobs: windowJobs({ HOST_EXECUTABLE: await installDesktop() }) };
}

/** The first one finds an extension that nobody has used; what loosens approvals leaves the window suspicious. */
const [first, last] = ['sample', 'attacks'];

/** As few windows as there can be. */
function windowJobs(env: Readonly<Record<string, string>>): Level['jobs'] {
  const folder = join(projectRoot, 'dist/test/host');
  const scenarios = readdirSync(folder)
    .filter((name) => name.endsWith('.test.js'))
    .map((name) => basename(name, '.test.js'))
    .toSorted((one, other) => rank(one) - rank(other) || one.localeCompare(other));
  const jobOf = (window: string, inIt: readonly string[]): Job => ({
    name: `host ${window}`,
    level: 'host',
    command: process.execPath,
    args: [join(folder, 'window.main.js'), window, ...inIt],
    env,
    result: `host-${window}`,
  });
  return [
    jobOf(
      'together',
      scenarios.filter((scenario) => !hasOwnWindow(scenario)),
    ),
    ...scenarios.filter(hasOwnWindow).map((scenario) => jobOf(scenario, [scenario])),
  ];
}

function rank(scenario: string): number {
  return scenario === first ? -1 : scenario === last ? 1 : 0;
}
