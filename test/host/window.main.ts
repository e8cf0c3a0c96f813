/** Runs one scenario of the host tests, through `runTests`. */
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runTests, TestRunFailedError } from '@vscode/test-electron';
import { projectRoot } from '../support/projectPaths';
import { removeFolder } from '../support/removeFolder';
import { hostLogFile, resultFile, writeCounts, type TestCounts } from '../support/results';
import { runMain, SetupError } from '../support/setupError';

runMain(async () => {
  const [scenario = ''] = process.argv.slice(2);
  const first = await runInWindow(scenario);
  if (first) return first.failed === 0 ? 0 : 1;
  // On a shared machine a window can be starved until VS Code gives it up.
  console.log(`  ↻ ${scenario} did not run and is tried in a new window`);
  const second = await runInWindow(scenario);
  if (!second)
    throw new SetupError(`The host tests of ${scenario} did not run: see ${hostLogFile(scenario)}.`);
  writeCounts(resultFile(`host-${scenario}`), { ...second, isSecondTry: true });
  return second.failed === 0 ? 0 : 1;
});

/**
 * A scenario is a test file and the fixture of the same name, opened as a copy: the folder, or the workspace file in it.
 * No counts: it did not run.
 */
async function runInWindow(scenario: string): Promise<TestCounts | undefined> {
  const work = mkdtempSync(join(tmpdir(), 'host-'));
  const folder = join(work, scenario);
  cpSync(join(projectRoot, 'test/fixtures', scenario), folder, { recursive: true });
  const workspaceFile = join(folder, `${scenario}.code-workspace`);
  const result = resultFile(`host-${scenario}`);
  rmSync(result, { force: true });
  const grep = process.env['TEST_GREP'];
  try {
    await runTests({
      extensionDevelopmentPath: projectRoot,
      extensionTestsPath: join(__dirname, 'scenario.main.js'),
      launchArgs: [existsSync(workspaceFile) ? workspaceFile : folder],
      // No key: a test that needs one brings its own stand-in and key.
      extensionTestsEnv: { ASSISTANT_TEST: '1', ...(grep ? { TEST_GREP: grep } : {}) },
      vscodeExecutablePath: process.env['HOST_EXECUTABLE'] ?? '',
    });
  } catch (error) {
    // Failed tests leave their counts; only a scenario without counts did not run.
    if (!(error instanceof TestRunFailedError)) throw error;
  } finally {
    removeFolder(work);
  }
  return existsSync(result) ? (JSON.parse(readFileSync(result, 'utf8')) as TestCounts) : undefined;
}
