/**
 * Takes the arguments of desktop VS Code that `runTests` gives, and runs the same tests in the real VS Code
 * in a browser.
 */
import { appendFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { format } from 'node:util';
import { hostLogFile, testOutputMark } from '../results';
import { runMain, SetupError } from '../setupError';
import { launchBrowser, windowOptions } from './browser';
import { installHost } from './installHost';
import { startServer } from './server';

const maxMinutes = 10;

runMain(async () => {
  const { options, folder } = parseArguments(process.argv.slice(2));
  const log = hostLogFile(basename(folder, '.code-workspace'));
  const tooLong = `The tests in VS Code did not end within ${maxMinutes} minutes: see ${log}.`;
  const cleanUp: (() => unknown)[] = [];
  try {
    const url = await ownServer(cleanUp);
    const browser = await launchBrowser();
    cleanUp.unshift(() => browser.close());
    const context = await browser.newContext(windowOptions);
    cleanUp.unshift(() => context.close());
    const page = await context.newPage();
    const exitCode = new Promise<number>((resolveExit, reject) => {
      // A host that hangs would otherwise hold up the whole run.
      setTimeout(() => reject(new SetupError(tooLong)), maxMinutes * 60_000).unref();
      page.once('crash', () => reject(new Error('The page with VS Code crashed.')));
      page.once('close', () => reject(new Error('The page with VS Code was closed.')));
      void page.exposeFunction('codeAutomationExit', resolveExit);
    });
    await page.exposeFunction('codeAutomationLog', (type: string, args: readonly unknown[]) =>
      report(type, args, log),
    );
    const remote = (path: string): string => `vscode-remote://${new URL(url).host}${resolve(path)}`;
    const payload = [
      ['extensionDevelopmentPath', remote(required(options, 'extensionDevelopmentPath'))],
      ['extensionTestsPath', remote(required(options, 'extensionTestsPath'))],
      ['skipWelcome', 'true'],
    ];
    const kind = folder.endsWith('.code-workspace') ? 'workspace' : 'folder';
    await page.goto(
      `${url}/?${kind}=${encodeURIComponent(resolve(folder))}&payload=${encodeURIComponent(JSON.stringify(payload))}`,
      { timeout: 120_000 },
    );
    return await exitCode;
  } finally {
    for (const step of cleanUp) await step();
  }
});

/** VS Code logs much of its own; only what the tests say is shown, the rest is kept for when they say nothing. */
function report(type: string, args: readonly unknown[], log: string): void {
  for (const line of format(...args).split('\n')) {
    if (line.startsWith(testOutputMark)) console.log(line.slice(testOutputMark.length));
    else appendFileSync(log, `[${type}] ${line}\n`);
  }
}

async function ownServer(cleanUp: (() => unknown)[]): Promise<string> {
  const dataFolder = mkdtempSync(join(tmpdir(), 'claude-assistant-host-'));
  const settings = join(dataFolder, 'data/Machine/settings.json');
  mkdirSync(dirname(settings), { recursive: true });
  // As on the desktop: in a browser VS Code saves a second later what a test leaves unsaved.
  writeFileSync(settings, JSON.stringify({ 'files.autoSave': 'off' }));
  const server = await startServer({
    install: installHost(),
    dataFolder,
    isTestDriver: true,
  });
  cleanUp.push(
    () => server.stop(),
    () => rmSync(dataFolder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }),
  );
  return server.url;
}

function parseArguments(args: readonly string[]): { options: Map<string, string>; folder: string } {
  const options = new Map<string, string>();
  let folder: string | undefined;
  for (const arg of args) {
    const [name = '', value = ''] = arg.replace(/^--/, '').split(/=(.*)/s);
    if (arg.startsWith('--')) options.set(name, value);
    else folder ??= arg;
  }
  if (!folder) throw new SetupError('Name the folder or workspace file to open.');
  return { options, folder };
}

function required(options: ReadonlyMap<string, string>, name: string): string {
  const value = options.get(name);
  if (!value) throw new SetupError(`The argument --${name}=… is missing.`);
  return value;
}
