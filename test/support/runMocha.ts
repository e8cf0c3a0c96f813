import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Mocha from 'mocha';

export interface TestCounts {
  readonly passed: number;
  readonly failed: number;
}

/** Runs all test files below a folder of `dist/test` and leaves the counts in `resultFile`. */
export async function runMocha(options: {
  readonly folder: string;
  readonly resultFile: string;
  readonly grep?: string | undefined;
  readonly timeoutMs: number;
}): Promise<TestCounts> {
  const mocha = new Mocha({ ui: 'bdd', color: false, timeout: options.timeoutMs, slow: options.timeoutMs });
  if (options.grep) mocha.grep(options.grep);
  for (const name of readdirSync(options.folder, { recursive: true, encoding: 'utf8' }).toSorted()) {
    if (name.endsWith('.test.js')) mocha.addFile(join(options.folder, name));
  }
  const counts = await new Promise<TestCounts>((resolve) => {
    const runner = mocha.run(() => {
      const { passes = 0, failures = 0 } = runner.stats ?? {};
      resolve({ passed: passes, failed: failures });
    });
  });
  mkdirSync(dirname(options.resultFile), { recursive: true });
  writeFileSync(options.resultFile, JSON.stringify(counts));
  return counts;
}
