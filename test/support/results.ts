import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { projectRoot } from './projectPaths';

export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
  /** Something failed, or did not run, and all was tried once more. */
  readonly isSecondTry?: boolean;
  /** Each test by itself, where a level tells. */
  readonly tests?: readonly TestOutcome[];
}

export interface TestOutcome {
  /** Its own sentence, and with those of the suites around it. */
  readonly sentence: string;
  readonly fullTitle: string;
  /** Why it failed, in one line; absent when it passed. */
  readonly failure?: string;
  /** It failed at first, and passed or failed when it tried again. */
  readonly isSecondTry: boolean;
}

/** Where a level leaves its counts; a level without that file did not run. */
export function resultFile(level: string): string {
  return join(projectRoot, 'dist/test/results', `${level}.json`);
}

export function writeCounts(file: string, counts: TestCounts): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(counts));
}

/** Stands before each line that tests print inside the extension host, to tell it from VS Code's own output. */
export const testOutputMark = '\u2502 ';

/** What VS Code itself logged while the host tests of a scenario ran. */
export function hostLogFile(scenario: string): string {
  return join(projectRoot, 'dist/test/results', `host-${scenario}.log`);
}

export function sumOf(counts: readonly TestCounts[]): TestCounts {
  return {
    passed: counts.reduce((sum, { passed }) => sum + passed, 0),
    failed: counts.reduce((sum, { failed }) => sum + failed, 0),
    tests: counts.flatMap(({ tests = [] }) => tests),
  };
}
