import { spawn } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { SetupError } from '../setupError';
import type { HostInstall } from './installHost';

export interface VsCodeServer {
  readonly port: number;
  readonly url: string;
  readonly pid: number;
  readonly dataFolder: string;
  stop(): Promise<void>;
}

export interface ServerOptions {
  readonly install: HostInstall;
  readonly dataFolder: string;
  readonly extensionsFolder?: string;
  readonly port?: number;
  /** Holds the token that whoever opens a window must bring. Without it anybody on this machine can. */
  readonly tokenFile?: string;
  /** Needed to run tests inside the extension host; it silences toasts and dialogs, so not for anything else. */
  readonly isTestDriver?: boolean;
  readonly trustsWorkspaces?: boolean;
  /** Our extension logs all it has to log. */
  readonly isVerbose?: boolean;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

/** Starts VS Code's own server; the extension host inherits `env`. */
export async function startServer(options: ServerOptions): Promise<VsCodeServer> {
  const { install, dataFolder, port = 0 } = options;
  const extensionsFolder = options.extensionsFolder ?? join(dataFolder, 'extensions');
  mkdirSync(extensionsFolder, { recursive: true });
  // Not the token itself: all users of a machine see command lines.
  const token = options.tokenFile
    ? ['--connection-token-file', options.tokenFile]
    : ['--without-connection-token'];
  const args = [
    install.serverMain,
    ...['--host', '127.0.0.1', '--port', String(port), ...token],
    ...['--accept-server-license-terms', '--telemetry-level', 'off', '--disable-experiments'],
    ...['--server-data-dir', dataFolder, '--user-data-dir', join(dataFolder, 'data')],
    ...['--extensions-dir', extensionsFolder],
    // The default of three hours leaves an extension host behind for every page that was closed abruptly.
    ...['--reconnection-grace-time', '1'],
    ...(options.trustsWorkspaces === false ? [] : ['--disable-workspace-trust']),
    ...(options.isVerbose ? ['--log', 'claude-assistant.claude-assistant:trace'] : []),
    ...(options.isTestDriver ? ['--enable-smoke-test-driver'] : []),
  ];
  const child = spawn(install.node, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...withoutClaude(process.env),
      EXTENSIONS_GALLERY: noGallery,
      CLAUDE_CONFIG_DIR: personalFolderIn(dataFolder),
      ...options.env,
    },
  });
  const exited = new Promise<number | null>((resolve) => child.once('exit', resolve));
  const output: string[] = [];
  const listeningOn = await new Promise<number>((resolve, reject) => {
    const watch = (line: string): void => {
      output.push(line);
      const match = /Extension host agent listening on (\d+)/.exec(line);
      if (match) resolve(Number(match[1]));
      // The server says so and stays alive without listening.
      if (line.includes('EADDRINUSE')) child.kill('SIGKILL');
    };
    createInterface(child.stdout).on('line', watch);
    createInterface(child.stderr).on('line', watch);
    child.once('error', reject);
    void exited.then(() => reject(startFailure(output, port)));
  });
  return {
    port: listeningOn,
    url: `http://127.0.0.1:${listeningOn}`,
    pid: child.pid ?? 0,
    dataFolder,
    stop: async () => {
      child.kill('SIGTERM');
      const timer = setTimeout(() => child.kill('SIGKILL'), 3000);
      await exited;
      clearTimeout(timer);
    },
  };
}

/** Stands for the person's own `.claude` folder, so that the developer's never counts in a test. */
export function personalFolderIn(dataFolder: string): string {
  return join(dataFolder, 'claude');
}

/** Empty addresses: the server asks nobody for extensions. */
const noGallery = JSON.stringify({ serviceUrl: '', itemUrl: '', resourceUrlTemplate: '', controlUrl: '' });

/** Keys and addresses of the developer's own shell never reach a server under test. */
function withoutClaude(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(
    Object.entries(env).filter(([name]) => !/^(ANTHROPIC_|CLAUDE_|VSCODE_|ELECTRON_)/.test(name)),
  );
}

function startFailure(output: readonly string[], port: number): SetupError {
  if (output.some((line) => line.includes('EADDRINUSE'))) return portTaken(port);
  return new SetupError(
    `VS Code's server did not start: delete .vscode-test and run this again (${output.at(-1) ?? 'it said nothing'}).`,
  );
}

export function portTaken(port: number): SetupError {
  return new SetupError(
    `Port ${port} is taken: end what uses it, or choose another one with PORT=${port + 1} npm start.`,
  );
}
