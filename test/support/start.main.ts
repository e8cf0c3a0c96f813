/** `npm start`: VS Code with the extension on the sample workspace; with Claude, or offline without a key. */
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createMind } from './claude/mind';
import { startStandIn } from './claude/standIn';
import { installHost } from './host/installHost';
import { startServer } from './host/server';
import { cacheFolder, projectRoot } from './projectPaths';
import { runMain, SetupError } from './setupError';
import { installVsix, packVsix } from './vsix';

/** Always the same: VS Code in the browser keeps what it remembers by address. */
const defaultPort = 8137;

/** What was remembered and changed is there at the next start; delete it for a fresh one. */
const startFolder = process.env['START_FOLDER'] ?? join(cacheFolder, 'start');

runMain(async () => {
  const folder = join(startFolder, 'sample');
  if (!existsSync(folder)) cpSync(join(projectRoot, 'test/fixtures/sample'), folder, { recursive: true });
  const claude = process.env['ANTHROPIC_API_KEY'] ? ownClaude() : await offlineClaude();
  const desktop = process.env['ASSISTANT_HOST'] === 'browser' ? undefined : findDesktop();
  return desktop ? openDesktop(desktop, folder, claude) : openInBrowser(folder, claude);
});

type ClaudeEnvironment = Readonly<Record<string, string>>;

function ownClaude(): ClaudeEnvironment {
  console.log('Claude answers, with the key in ANTHROPIC_API_KEY.');
  const names = ['ANTHROPIC_API_KEY', 'ANTHROPIC_BASE_URL'];
  return Object.fromEntries(
    names.flatMap((name) => [[name, process.env[name] ?? '']]).filter(([, value]) => value),
  );
}

async function offlineClaude(): Promise<ClaudeEnvironment> {
  const standIn = await startStandIn({ mind: createMind(), displayNameSuffix: ' (offline stand-in)' });
  console.log(
    'ANTHROPIC_API_KEY is not set: a small offline stand-in answers instead of Claude. It calls the real tools.',
  );
  return { ANTHROPIC_BASE_URL: standIn.url, ANTHROPIC_API_KEY: 'offline' };
}

/** Desktop VS Code, where there is one and a screen to show it on. */
function findDesktop(): string | undefined {
  const hasScreen = process.platform !== 'linux' || process.env['DISPLAY'] || process.env['WAYLAND_DISPLAY'];
  if (!hasScreen) return undefined;
  const { status } = spawnSync('code', ['--version'], { shell: process.platform === 'win32' });
  return status === 0 ? 'code' : undefined;
}

async function openDesktop(code: string, folder: string, claude: ClaudeEnvironment): Promise<number> {
  // A profile of its own is a VS Code of its own, which takes the environment from here.
  const args = [
    `--extensionDevelopmentPath=${projectRoot}`,
    `--user-data-dir=${join(startFolder, 'profile')}`,
  ];
  console.log('Opening VS Code. In its chat, type @assistant and a question. Close the window to end.');
  const child = spawn(code, [...args, '--new-window', '--wait', folder], {
    env: { ...process.env, ...claude },
    stdio: 'ignore',
    shell: process.platform === 'win32',
  });
  return new Promise((resolve) => child.once('exit', (exitCode) => resolve(exitCode ?? 0)));
}

async function openInBrowser(folder: string, claude: ClaudeEnvironment): Promise<number> {
  const port = readPort();
  const install = installHost();
  const dataFolder = join(startFolder, 'server');
  const extensionsFolder = join(startFolder, 'extensions');
  const settings = join(dataFolder, 'data/Machine/settings.json');
  mkdirSync(dirname(settings), { recursive: true });
  writeFileSync(settings, JSON.stringify({ 'workbench.startupEditor': 'readme' }));
  const { path } = packVsix();
  installVsix(install, path, extensionsFolder);
  const server = await startServer({ install, dataFolder, extensionsFolder, port, env: claude });
  console.log(`VS Code runs at ${server.url}/?folder=${encodeURIComponent(folder)}`);
  console.log('Open that address in a browser. In the chat, type @assistant and a question. Ctrl+C ends it.');
  await new Promise<void>((resolve) => {
    process.once('SIGINT', () => resolve());
    process.once('SIGTERM', () => resolve());
  });
  await server.stop();
  return 0;
}

function readPort(): number {
  const text = process.env['PORT'] ?? String(defaultPort);
  const port = Number(text);
  if (Number.isInteger(port) && port > 0 && port < 65_536) return port;
  throw new SetupError(`PORT is ${text}: set it to a number from 1 to 65535, or unset it.`);
}
