/** `npm test`: every level, one after another, and one line that counts them all. */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './support/projectPaths';
import { resultFile, type TestCounts } from './support/results';
import { runMain } from './support/setupError';

const checks = ['types', 'lint', 'format', 'unused'];
const levels = ['unit', 'host', 'e2e'];

runMain(async () => {
  const results = new Map<string, TestCounts | undefined>([
    ['check', runChecks()],
    ...levels.map((level) => [level, runLevel(level)] as const),
  ]);
  console.log('');
  let passed = 0;
  let failed = 0;
  for (const [level, counts] of results) {
    console.log(
      `${level.padEnd(6)} ${counts ? `${counts.passed} passed, ${counts.failed} failed` : 'did not run'}`,
    );
    passed += counts?.passed ?? 0;
    failed += counts?.failed ?? 1;
  }
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
});

/** Each of the checks of `npm run check` counts as one test. */
function runChecks(): TestCounts {
  const failures = checks.filter((check) => run('npm', ['run', '--silent', `check:${check}`]) !== 0);
  for (const check of failures) console.error(`check:${check} failed.`);
  return { passed: checks.length - failures.length, failed: failures.length };
}

/** A level that left no counts, or that counted no test, did not run. */
function runLevel(level: string): TestCounts | undefined {
  const file = resultFile(level);
  rmSync(file, { force: true });
  const status = run(process.execPath, [join(__dirname, level, `${level}.main.js`)]);
  if (!existsSync(file)) return undefined;
  const counts = JSON.parse(readFileSync(file, 'utf8')) as TestCounts;
  if (counts.passed + counts.failed === 0) return undefined;
  // A level that counted no failure and still ended badly has failed in its own set-up or tear-down.
  return status === 0 || counts.failed > 0 ? counts : { passed: counts.passed, failed: 1 };
}

function run(command: string, args: readonly string[]): number | null {
  return spawnSync(command, args, { cwd: projectRoot, stdio: 'inherit', shell: process.platform === 'win32' })
    .status;
}
