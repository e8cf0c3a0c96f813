import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import Mocha from 'mocha';
import { writeCounts, type TestCounts, type TestOutcome } from './results';

interface Options {
  readonly files: readonly string[];
  readonly resultFile: string;
  readonly timeoutMs: number;
  /** Runs a file once more, from its start, when something in it failed. The counts say so: it is a thing to look into. */
  readonly triesAgain?: boolean;
  /** Shows more of what failed, before anything is cleaned up. */
  readonly onFailure?: (title: string) => Promise<void>;
  /** After the last of the files. */
  readonly onEnd?: () => Promise<void>;
}

/** A test, or a hook that failed, and the file it stands in. */
type Outcome = TestOutcome & { readonly file: string };

/** Runs built test files and leaves the counts in `resultFile`. `TEST_GREP` picks tests by name. */
export async function runMocha(options: Options): Promise<TestCounts> {
  const first = await runOnce(options.files, options);
  const failed = first.filter(isFailure);
  const again = options.files.filter((path) => failed.some(({ file }) => file === path));
  const outcomes = options.triesAgain
    ? [...first.filter(({ file }) => !again.includes(file)), ...(await runAgain(again, options, failed))]
    : first;
  const failures = outcomes.filter(isFailure).length;
  const counts = {
    passed: outcomes.length - failures,
    failed: failures,
    isSecondTry: options.triesAgain === true && again.length > 0,
    tests: outcomes,
  };
  writeCounts(options.resultFile, counts);
  return counts;
}

async function runAgain(
  files: readonly string[],
  options: Options,
  failed: readonly Outcome[],
): Promise<Outcome[]> {
  if (files.length === 0) return [];
  console.log(`\n  ↻ what failed is run again: ${files.map((file) => basename(file)).join(', ')}`);
  return runOnce(files, options, new Set(failed.map(({ fullTitle }) => fullTitle)));
}

function isFailure({ failure }: TestOutcome): boolean {
  return failure !== undefined;
}

async function runOnce(
  files: readonly string[],
  { timeoutMs, onFailure, onEnd }: Options,
  failedBefore: ReadonlySet<string> = new Set(),
): Promise<Outcome[]> {
  const mocha = new Mocha({ ui: 'bdd', color: false, timeout: timeoutMs, slow: timeoutMs });
  const grep = process.env['TEST_GREP'];
  if (grep) mocha.grep(new RegExp(grep));
  else mocha.forbidOnly();
  for (const file of files) mocha.addFile(file);
  let shown: Promise<void> | undefined;
  mocha.suite.afterEach(() => shown);
  mocha.suite.afterAll(() => shown);
  const outcomes: Outcome[] = [];
  await new Promise<void>((resolve) => {
    const note = (test: Mocha.Runnable, failure?: string): void => {
      const fullTitle = test.fullTitle();
      outcomes.push({
        sentence: test.title,
        fullTitle,
        file: test.file ?? test.parent?.file ?? '',
        isSecondTry: failedBefore.has(fullTitle),
        ...(failure !== undefined && { failure }),
      });
    };
    const runner = mocha.run(() => resolve());
    runner.on('pass', (test) => note(test));
    // A test that is skipped or left empty shows nothing, so it does not pass.
    runner.on('pending', (test) => note(test, 'shows nothing'));
    runner.on('fail', (test, error: Error) => {
      note(test, error.message.split('\n')[0]);
      shown = onFailure?.(test.title);
    });
  });
  await onEnd?.();
  mocha.unloadFiles();
  return outcomes;
}

export function testFilesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.test.js'))
    .map((name) => join(folder, name))
    .toSorted();
}
