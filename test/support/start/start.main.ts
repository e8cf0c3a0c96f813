/** `npm start [-- FOLDER]`: VS Code with the extension on a folder, or on the sample; offline without a key. */
import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join, resolve } from 'node:path';
import { resolveCliPathFromVSCodeExecutablePath } from '@vscode/test-electron';
import { createMind } from '../claude/mind';
import { offlineModel } from '../claude/models';
import { startStandIn } from '../claude/standIn';
import { installDesktop } from '../host/installDesktop';
import { installHost } from '../host/installHost';
import { installTypeScript, typeScriptSetting } from '../host/installTypeScript';
import { portTaken, startServer } from '../host/server';
import { installUnpacked } from '../installUnpacked';
import { cacheFolder, projectRoot } from '../projectPaths';
import { runMain, SetupError } from '../setupError';
import { installVsix, packVsix } from '../vsix';
import { mergeSettings } from './startSettings';

/** Always the same: VS Code in the browser keeps what it remembers by address. */
const defaultPort = 8137;

/** What was remembered and changed is there at the next start; delete it for a fresh one. */
const startFolder = process.env['START_FOLDER'] ?? join(cacheFolder, 'start');

runMain(async () => {
  const [given] = process.argv.slice(2);
  const folder = given === undefined ? sampleFolder() : givenFolder(given);
  const claude = process.env['ANTHROPIC_API_KEY'] ? ownClaude() : await offlineClaude();
  const desktop = await findDesktop();
  return desktop ? openDesktop(desktop, folder, claude) : openInBrowser(folder, claude);
});

function givenFolder(path: string): string {
  // npm runs scripts in the project's folder and tells where it was called.
  const folder = resolve(process.env['INIT_CWD'] ?? '.', path);
  if (!existsSync(folder)) throw new SetupError(`There is no folder ${folder}: name one that exists.`);
  if (!statSync(folder).isDirectory()) throw new SetupError(`${folder} is a file: name a folder.`);
  return folder;
}

function sampleFolder(): string {
  const folder = join(startFolder, 'sample');
  if (!existsSync(folder)) {
    cpSync(join(projectRoot, 'test/fixtures/sample'), folder, { recursive: true });
    makeRepository(folder);
  }
  return folder;
}

/** A repository of its own, so that there are changes to ask about; without git the sample is just a folder. */
function makeRepository(folder: string): void {
  const identity = ['-c', 'user.name=Corner Shop', '-c', 'user.email=shop@localhost'];
  for (const args of [
    ['init', '--quiet'],
    ['add', '.'],
    ['commit', '--quiet', '-m', 'Open the shop'],
  ]) {
    const { status } = spawnSync('git', [...identity, ...args], { cwd: folder, stdio: 'ignore' });
    if (status !== 0) return;
  }
}

interface Claude {
  readonly env: Readonly<Record<string, string>>;
  readonly settings: Readonly<Record<string, unknown>>;
}

function ownClaude(): Claude {
  console.log('Claude answers, with the key in ANTHROPIC_API_KEY.');
  const names = ['ANTHROPIC_API_KEY', 'ANTHROPIC_BASE_URL'];
  const env = names
    .flatMap((name) => [[name, process.env[name] ?? ''] as const])
    .filter(([, value]) => value);
  return { env: Object.fromEntries(env), settings: {} };
}

async function offlineClaude(): Promise<Claude> {
  const standIn = await startStandIn({ mind: createMind(), isOffline: true });
  console.log(
    'ANTHROPIC_API_KEY is not set: a small offline stand-in answers instead of Claude. It calls the real tools.',
  );
  return {
    env: { ANTHROPIC_BASE_URL: standIn.url, ANTHROPIC_API_KEY: 'offline' },
    settings: { 'assistant.model': offlineModel.id },
  };
}

/**
 * Desktop VS Code, where there is one and a screen to show it on. `ASSISTANT_HOST` decides for the `browser`, or for a
 * `desktop` that is downloaded.
 */
async function findDesktop(): Promise<string | undefined> {
  const wanted = process.env['ASSISTANT_HOST'];
  if (wanted === 'browser') return undefined;
  if (wanted === 'desktop') return resolveCliPathFromVSCodeExecutablePath(await installDesktop());
  const hasScreen = process.platform !== 'linux' || process.env['DISPLAY'] || process.env['WAYLAND_DISPLAY'];
  if (!hasScreen) return undefined;
  const { status } = spawnSync('code', ['--version'], { shell: isWindows });
  if (status === 0) return 'code';
  // Where its command is not on the PATH, which is a choice on a Mac.
  const inApplications = '/Applications/Visual Studio Code.app/Contents/Resources/app/bin/code';
  return existsSync(inApplications) ? inApplications : undefined;
}

const isWindows = process.platform === 'win32';

async function openDesktop(code: string, folder: string, claude: Claude): Promise<number> {
  const extensions = join(startFolder, 'desktop-extensions');
  rmSync(extensions, { recursive: true, force: true });
  mkdirSync(extensions, { recursive: true });
  installOpener(extensions);
  // A profile of its own is a VS Code of its own, which takes the environment from here.
  const profile = join(startFolder, 'profile');
  writeSettings(join(profile, 'User/settings.json'), claude);
  const args = [
    `--extensionDevelopmentPath=${projectRoot}`,
    `--user-data-dir=${profile}`,
    `--extensions-dir=${extensions}`,
  ];
  console.log('Opening VS Code. In its chat, type @assistant and a question. Close the window to end.');
  const answer = join(startFolder, 'answer.json');
  rmSync(answer, { force: true });
  const env = { ...process.env, ...claude.env, START_ANSWER: answer };
  const exitCode = await runCode(code, [...args, '--new-window', '--wait', folder], env);
  return process.env['START_QUESTION'] ? judgeAnswer(answer) : exitCode;
}

async function runCode(code: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<number> {
  // On Windows it is a script: a shell runs it, which takes what has spaces apart.
  const quoted = (text: string): string => (isWindows ? `"${text}"` : text);
  const child = spawn(quoted(code), args.map(quoted), { env, stdio: 'ignore', shell: isWindows });
  return new Promise((done) => child.once('exit', (exitCode) => done(exitCode ?? 0)));
}

/** For runs that nobody watches: `START_QUESTION` is asked by the opener, which closes the window after the answer. */
function judgeAnswer(file: string): number {
  const answer = existsSync(file) ? readFileSync(file, 'utf8') : 'there was none';
  console.log(`The answer: ${answer}`);
  return answer.startsWith('{') && !answer.includes('"errorDetails"') ? 0 : 1;
}

async function openInBrowser(folder: string, claude: Claude): Promise<number> {
  const port = readPort();
  await refuseTaken(port);
  const install = installHost();
  // Else the first file of TypeScript that is opened brings an error, and Claude never sees a problem in one.
  installTypeScript();
  const dataFolder = join(startFolder, 'server');
  // Its own for each port: what runs at another one goes on.
  const extensionsFolder = join(startFolder, `extensions-${port}`);
  console.log('Starting VS Code …');
  writeSettings(join(dataFolder, 'data/Machine/settings.json'), {
    ...claude,
    settings: {
      ...claude.settings,
      [typeScriptSetting.name]: typeScriptSetting.value,
      // It would fetch types for the folder from npm, and keep them in the home folder.
      'typescript.disableAutomaticTypeAcquisition': true,
    },
  });
  rmSync(extensionsFolder, { recursive: true, force: true });
  installVsix(install, packVsix().path, extensionsFolder);
  installOpener(extensionsFolder);
  const { token, tokenFile } = ownToken();
  const server = await startServer({
    install,
    dataFolder,
    extensionsFolder,
    port,
    tokenFile,
    env: claude.env,
  });
  console.log(`VS Code runs at ${server.url}/?folder=${encodeURIComponent(folder)}&tkn=${token}`);
  console.log('Open that address in a browser. In the chat, type @assistant and a question. Ctrl+C ends it.');
  await new Promise<void>((done) => {
    process.once('SIGINT', () => done());
    process.once('SIGTERM', () => done());
  });
  await server.stop();
  return 0;
}

/** Before anything changes below the VS Code that may run there. */
async function refuseTaken(port: number): Promise<void> {
  await new Promise<void>((done, refuse) => {
    const server = createServer();
    server.once('error', () => refuse(portTaken(port)));
    server.listen(port, '127.0.0.1', () => server.close(() => done()));
  });
}

/** The same at every start, so that the address stays good; only its owner can read it. */
function ownToken(): { readonly token: string; readonly tokenFile: string } {
  const tokenFile = join(startFolder, 'connection-token');
  if (!existsSync(tokenFile)) {
    writeFileSync(tokenFile, randomBytes(24).toString('hex'), { mode: 0o600 });
  }
  return { token: readFileSync(tokenFile, 'utf8'), tokenFile };
}

function installOpener(extensionsFolder: string): void {
  const built = join(projectRoot, 'dist/test/support/start/opener/opener.main.js');
  installUnpacked(join(projectRoot, 'test/support/start/opener'), extensionsFolder, [built]);
}

function writeSettings(path: string, { settings }: Claude): void {
  const needed = {
    // The README is opened beside the chat instead.
    'workbench.startupEditor': 'none',
    // The sample lies inside this project, whose repository is not what it is about; one's own folder may be part of one.
    'git.openRepositoryInParentFolders': process.argv[2] === undefined ? 'never' : 'always',
    ...settings,
  };
  const written = existsSync(path) ? readFileSync(path, 'utf8') : undefined;
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify(mergeSettings(written, needed)));
}

function readPort(): number {
  const text = process.env['PORT'] ?? String(defaultPort);
  const port = Number(text);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw new SetupError(`PORT is ${text}: set it to a number from 1 to 65535, or unset it.`);
}
