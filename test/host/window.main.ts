/** Runs scenarios of the host tests in one window, one after another, through `runTests`. */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runTests, TestRunFailedError } from '@vscode/test-electron';
import { cacheFolder, projectRoot } from '../support/projectPaths';
import { removeFolder } from '../support/removeFolder';
import { hostLogFile, resultFile, writeCounts, type TestCounts } from '../support/results';
import { runMain, SetupError } from '../support/setupError';
import { fixtureOf, hasOwnWindow } from './fixtures';

runMain(async () => {
  const [name = '', ...scenarios] = process.argv.slice(2);
  const first = await runInWindow(name, scenarios);
  if (first) return first.failed === 0 ? 0 : 1;
  // On a shared machine a window can be starved until VS Code gives it up.
  console.log(`  ↻ ${name} did not run to its end and is tried in a new window`);
  const second = await runInWindow(name, scenarios);
  if (!second) throw new SetupError(`The host tests of ${name} did not run: see ${hostLogFile(name)}.`);
  writeCounts(resultFile(`host-${name}`), { ...second, isSecondTry: true });
  return second.failed === 0 ? 0 : 1;
});

/**
 * Opens a copy of a scenario's fixture, or a folder that each scenario in this window finds filled with its own.
 * No counts: it did not run.
 */
async function runInWindow(name: string, scenarios: readonly string[]): Promise<TestCounts | undefined> {
  const work = mkdtempSync(join(tmpdir(), 'host-'));
  const result = resultFile(`host-${name}`);
  rmSync(result, { force: true });
  const grep = process.env['TEST_GREP'];
  try {
    await runTests({
      extensionDevelopmentPath: quoted(projectRoot),
      extensionTestsPath: quoted(join(__dirname, 'scenario.main.js')),
      launchArgs: [
        quoted(prepared(join(work, name), name)),
        `--user-data-dir=${quoted(join(cacheFolder, 'user-data'))}`,
        `--extensions-dir=${quoted(join(cacheFolder, 'extensions'))}`,
      ],
      extensionTestsEnv: {
        // No key: a test that needs one brings its own stand-in and key.
        ASSISTANT_TEST: '1',
        CLAUDE_CONFIG_DIR: join(work, 'claude'),
        HOST_WINDOW: name,
        HOST_SCENARIOS: scenarios.join(' '),
        ...(grep ? { TEST_GREP: grep } : {}),
      },
      vscodeExecutablePath: process.env['HOST_EXECUTABLE'] ?? '',
    });
  } catch (error) {
    // Failed tests leave their counts; only a window without counts did not run.
    if (!(error instanceof TestRunFailedError)) throw error;
  } finally {
    removeFolder(work);
  }
  return existsSync(result) ? (JSON.parse(readFileSync(result, 'utf8')) as TestCounts) : undefined;
}

/** On Windows `runTests` hands all of this to a shell, which takes what has spaces apart. */
function quoted(path: string): string {
  return process.platform === 'win32' ? `"${path}"` : path;
}

/** What the window opens. */
function prepared(folder: string, name: string): string {
  if (hasOwnWindow(name)) cpSync(fixtureOf(name), folder, { recursive: true });
  else mkdirSync(folder);
  const workspaceFile = join(folder, `${name}.code-workspace`);
  return existsSync(workspaceFile) ? workspaceFile : folder;
}
