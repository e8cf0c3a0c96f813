/** Runs the host tests: every scenario in the real VS Code, through `runTests`. */
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { downloadAndUnzipVSCode, runTests, TestRunFailedError } from '@vscode/test-electron';
import { launchBrowserServer } from '../support/host/browser';
import { installHost } from '../support/host/installHost';
import { startServer } from '../support/host/server';
import { cacheFolder, projectRoot } from '../support/projectPaths';
import { hostLogFile, resultFile, writeCounts, type TestCounts } from '../support/results';
import { runMain, SetupError } from '../support/setupError';

runMain(async () => {
  const work = mkdtempSync(join(tmpdir(), 'claude-assistant-host-'));
  const cleanUp: (() => unknown)[] = [
    () => rmSync(work, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }),
  ];
  try {
    const launch = process.argv.includes('--desktop') ? await desktop() : await warmHost(work, cleanUp);
    let total: Required<TestCounts> = { passed: 0, failed: 0, tests: [] };
    for (const scenario of scenarios()) {
      const { passed, failed, tests = [] } = await runScenario(scenario, work, launch);
      total = {
        passed: total.passed + passed,
        failed: total.failed + failed,
        tests: [...total.tests, ...tests],
      };
    }
    writeCounts(resultFile('host'), total);
    return total.failed === 0 ? 0 : 1;
  } finally {
    for (const step of cleanUp.toReversed()) await step();
  }
});

interface Launch {
  readonly vscodeExecutablePath: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Desktop VS Code, downloaded once. */
async function desktop(): Promise<Launch> {
  try {
    const version = process.env['VSCODE_HOST_VERSION'] ?? 'stable';
    const cachePath = join(cacheFolder, 'desktop');
    return { vscodeExecutablePath: await downloadAndUnzipVSCode({ version, cachePath }) };
  } catch (cause) {
    const advice = 'check the network, or use npm run test:host, which needs the npm registry only';
    throw new SetupError(`Desktop VS Code could not be downloaded: ${advice}.`, { cause });
  }
}

/** One server and one browser for all scenarios; each gets a window of its own in a fresh profile. */
async function warmHost(work: string, cleanUp: (() => unknown)[]): Promise<Launch> {
  const browser = await launchBrowserServer();
  cleanUp.push(() => browser.close());
  const dataFolder = join(work, 'server');
  const settings = join(dataFolder, 'data/Machine/settings.json');
  mkdirSync(dirname(settings), { recursive: true });
  // As on the desktop: in a browser VS Code saves a second later what a test leaves unsaved.
  writeFileSync(settings, JSON.stringify({ 'files.autoSave': 'off' }));
  const server = await startServer({
    install: installHost(),
    dataFolder,
    isTestDriver: true,
    env: testEnvironment(),
  });
  cleanUp.push(() => server.stop());
  return {
    vscodeExecutablePath: join(projectRoot, 'test/support/host/code'),
    env: { WARM_SERVER: server.url, WARM_BROWSER: browser.wsEndpoint() },
  };
}

async function runScenario(scenario: string, work: string, launch: Launch): Promise<TestCounts> {
  const counts = await runInWindow(scenario, join(work, 'first'), launch);
  if (counts) return counts;
  // On a shared machine a window can be starved until VS Code gives it up.
  console.log(`  ↻ ${scenario} did not run and is tried in a new window`);
  const again = await runInWindow(scenario, join(work, 'second'), launch);
  if (again) return again;
  throw new SetupError(`The host tests of ${scenario} did not run: see ${hostLogFile}.`);
}

/**
 * A scenario is a test file and the fixture of the same name, opened as a copy: the folder, or the workspace file in it.
 * No counts: it did not run.
 */
async function runInWindow(scenario: string, work: string, launch: Launch): Promise<TestCounts | undefined> {
  const folder = join(work, scenario);
  cpSync(join(projectRoot, 'test/fixtures', scenario), folder, { recursive: true });
  const workspaceFile = join(folder, `${scenario}.code-workspace`);
  const result = resultFile(`host-${scenario}`);
  rmSync(result, { force: true });
  try {
    await runTests({
      extensionDevelopmentPath: projectRoot,
      extensionTestsPath: join(__dirname, 'scenario.main.js'),
      launchArgs: [existsSync(workspaceFile) ? workspaceFile : folder],
      extensionTestsEnv: { ...testEnvironment(), ...launch.env },
      vscodeExecutablePath: launch.vscodeExecutablePath,
    });
  } catch (error) {
    // Failed tests leave their counts; only a scenario without counts did not run.
    if (!(error instanceof TestRunFailedError)) throw error;
  }
  return existsSync(result) ? (JSON.parse(readFileSync(result, 'utf8')) as TestCounts) : undefined;
}

function scenarios(): string[] {
  return readdirSync(__dirname)
    .filter((name) => name.endsWith('.test.js'))
    .map((name) => basename(name, '.test.js'))
    .toSorted();
}

/** No key: a test that needs one brings its own stand-in and key. */
function testEnvironment(): Record<string, string> {
  const grep = process.env['TEST_GREP'];
  return { ASSISTANT_TEST: '1', ...(grep ? { TEST_GREP: grep } : {}) };
}
