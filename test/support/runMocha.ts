import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import Mocha from 'mocha';
import { writeCounts, type TestCounts, type TestOutcome } from './results';

/** Runs built test files and leaves the counts in `resultFile`. `TEST_GREP` picks tests by name. */
export async function runMocha(options: {
  readonly files: readonly string[];
  readonly resultFile: string;
  readonly timeoutMs: number;
  /** How often a test that failed may try again. Each time is printed: it is a thing to look into. */
  readonly retries?: number;
  /** Shows more of what failed, before anything is cleaned up. */
  readonly onFailure?: (title: string) => Promise<void>;
}): Promise<TestCounts> {
  const mocha = new Mocha({ ui: 'bdd', color: false, timeout: options.timeoutMs, slow: options.timeoutMs });
  mocha.suite.retries(options.retries ?? 0);
  const grep = process.env['TEST_GREP'];
  if (grep) mocha.grep(new RegExp(grep));
  else mocha.forbidOnly();
  for (const file of options.files) mocha.addFile(file);
  const tests: TestOutcome[] = [];
  let shown: Promise<void> | undefined;
  mocha.suite.afterEach(() => shown);
  mocha.suite.afterAll(() => shown);
  const counts = await new Promise<TestCounts>((resolve) => {
    const runner = mocha.run(() => {
      const { passes = 0, failures = 0, pending = 0 } = runner.stats ?? {};
      // A test that is skipped or left empty shows nothing, so it does not pass.
      resolve({ passed: passes, failed: failures + pending, tests });
    });
    const retried = new Set<string>();
    const note = (test: Mocha.Runnable, failure?: string): void => {
      const [sentence, fullTitle] = [test.title, test.fullTitle()];
      const isSecondTry = retried.has(sentence);
      tests.push({ sentence, fullTitle, isSecondTry, ...(failure !== undefined && { failure }) });
    };
    runner.on('pass', (test) => note(test));
    runner.on('fail', (test, error: Error) => {
      note(test, error.message.split('\n')[0]);
      shown = options.onFailure?.(test.title);
    });
    runner.on('retry', ({ title }: Mocha.Test, error: Error) => {
      retried.add(title);
      console.log(`    ↻ tried again: ${title} (${error.message.split('\n')[0]})`);
      shown = options.onFailure?.(title);
    });
  });
  writeCounts(options.resultFile, counts);
  return counts;
}

export function testFilesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.js'))
    .map((name) => join(folder, name))
    .toSorted();
}
