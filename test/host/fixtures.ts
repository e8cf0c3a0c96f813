import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from '../support/projectPaths';

/** A scenario is a test file and the fixture of the same name. */
export function fixtureOf(scenario: string): string {
  return join(projectRoot, 'test/fixtures', scenario);
}

/** An open window cannot take another workspace file. After others, `tools` has stopped the extension host: why is not known. */
export function hasOwnWindow(scenario: string): boolean {
  return scenario === 'tools' || existsSync(join(fixtureOf(scenario), `${scenario}.code-workspace`));
}
