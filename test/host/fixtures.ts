import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../support/projectPaths';

/** A scenario is a test file and the fixture of the same name. */
export function fixtureOf(scenario: string): string {
  return join(projectRoot, 'test/fixtures', scenario);
}

/**
 * An open window cannot take another workspace file. After others, `tools` has stopped the extension host: why is not
 * known. `problems` needs TypeScript, which looks for its compiler once, when the first file of it is opened.
 */
export function hasOwnWindow(scenario: string): boolean {
  return (
    ['tools', 'problems'].includes(scenario) ||
    existsSync(join(fixtureOf(scenario), `${scenario}.code-workspace`))
  );
}
