import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserContext, Page } from 'playwright-core';
import { startDriverHub, type DrivenHost } from '../driver/driverHub';
import { installDriver } from '../driver/installDriver';
import { launchProfile } from '../host/browser';
import { installHost } from '../host/installHost';
import { startServer, type VsCodeServer } from '../host/server';
import { projectRoot } from '../projectPaths';
import { installVsix } from '../vsix';
import { ChatPanel } from './chatPanel';
import { watchPage } from './watchPage';
import { Workbench } from './workbench';
import { createWorkplace, type Workplace } from './workplace';

/** A VS Code that keeps its profile, port and data while its windows, extension hosts, browser and server come and go. */
export interface LastingVsCode {
  readonly workplace: Workplace;
  readonly extensionsFolder: string;
  readonly url: string;
  /** Opens one more window, on the folder unless `place` says otherwise, and waits for its extension host. */
  openWindow(place?: WindowPlace): Promise<DrivenWindow>;
  /** Stops everything, does what is to be done meanwhile, and starts the server again at the same address. */
  restart(meanwhile?: () => void): Promise<void>;
  /** `kill -9` of the browser with all its windows. */
  killBrowser(): Promise<void>;
  close(): Promise<void>;
}

/** A workspace file, another folder, or none at all. */
type WindowPlace = { readonly workspaceFile: string } | { readonly folder: string } | 'no folder';

/** A window together with the extension host that serves it now. */
export interface DrivenWindow {
  readonly page: Page;
  readonly panel: ChatPanel;
  readonly workbench: Workbench;
  readonly host: DrivenHost;
  /** Does what ends the extension host and waits for the next one. */
  replaceHost(end: () => unknown): Promise<DrivenHost>;
  screenshot(name: string): Promise<void>;
}

export async function startLastingVsCode(options: {
  readonly env: Readonly<Record<string, string>>;
  readonly settings?: Readonly<Record<string, unknown>>;
  readonly isVerbose?: boolean;
}): Promise<LastingVsCode> {
  const install = installHost();
  const workplace = createWorkplace({ settings: options.settings });
  const extensionsFolder = join(workplace.root, 'extensions');
  installVsix(install, join(projectRoot, 'dist/claude-assistant.vsix'), extensionsFolder);
  installDriver(extensionsFolder);
  const hub = await startDriverHub();
  const start = (port: number): Promise<VsCodeServer> =>
    startServer({
      install,
      dataFolder: workplace.dataFolder,
      extensionsFolder,
      port,
      isVerbose: options.isVerbose ?? false,
      env: { ...options.env, TEST_DRIVER_PORT: String(hub.port) },
    });
  const profile = join(workplace.root, 'profile');
  let server = await start(0);
  const { port, url } = server;
  let browser: BrowserContext | undefined;

  return {
    workplace,
    extensionsFolder,
    url,
    async openWindow(place = { folder: workplace.folder }) {
      browser ??= await launchProfile(profile);
      const blank = browser.pages().find((page) => page.url() === 'about:blank');
      const page = blank ?? (await browser.newPage());
      await watchPage(page);
      const next = hub.nextHost();
      await page.goto(`${url}/?${placeQuery(place)}`);
      return drivenWindow(page, await next, () => hub.nextHost());
    },
    async restart(meanwhile) {
      await browser?.close();
      browser = undefined;
      await server.stop();
      meanwhile?.();
      server = await start(port);
    },
    async killBrowser() {
      const closed = new Promise((resolve) => browser?.once('close', resolve));
      killProcesses((args) => args.includes(`--user-data-dir=${profile}`));
      await closed;
      browser = undefined;
    },
    async close() {
      await browser?.close();
      await server.stop();
      await hub.close();
      workplace.remove();
    },
  };
}

function placeQuery(place: WindowPlace): string {
  if (place === 'no folder') return 'ew=true';
  return 'folder' in place
    ? `folder=${encodeURIComponent(place.folder)}`
    : `workspace=${encodeURIComponent(place.workspaceFile)}`;
}

function drivenWindow(page: Page, first: DrivenHost, nextHost: () => Promise<DrivenHost>): DrivenWindow {
  let host = first;
  return {
    page,
    panel: new ChatPanel(page),
    workbench: new Workbench(page),
    get host() {
      return host;
    },
    async replaceHost(end) {
      const next = nextHost();
      await end();
      host = await restarted(page, next, nextHost);
      return host;
    },
    screenshot: async (name) => {
      await page.screenshot({ path: join(projectRoot, 'dist/test/screenshots', `${name}.png`) });
    },
  };
}

/** So long VS Code may take to restart a lost extension host, or to ask whether it should. */
const patienceMs = 20_000;
/** So long an extension host lives on at most when its window is reloaded. */
const farewellMs = 5_000;

/**
 * VS Code restarts a lost extension host by itself, three times in five minutes; then it asks. Now and then it does
 * neither, and a person would reload the window.
 */
async function restarted(
  page: Page,
  first: Promise<DrivenHost>,
  nextHost: () => Promise<DrivenHost>,
): Promise<DrivenHost> {
  const button = page.getByRole('button', { name: 'Restart Remote Extension Host' }).first();
  let next = first;
  let timeout = patienceMs;
  const press = async () => {
    try {
      await button.click({ timeout });
      return 'pressed' as const;
    } catch {
      return 'stuck' as const;
    }
  };
  for (;;) {
    const outcome = await Promise.race([next, press()]);
    if (outcome === 'pressed') continue;
    if (outcome === 'stuck') {
      await page.reload();
      // On a busy machine a window takes longer than that to open, and would never be let to.
      timeout *= 2;
      continue;
    }
    // One that came just as its window was reloaded for being late goes with that.
    if (timeout === patienceMs || (await isThereAfter(farewellMs, outcome))) return outcome;
    next = nextHost();
  }
}

async function isThereAfter(ms: number, { gone }: DrivenHost): Promise<boolean> {
  return Promise.race([gone.then(() => false), sleep(ms, true)]);
}

/** Ends at once the processes whose command line fits; it must name something that is only ours. */
function killProcesses(fits: (args: string) => boolean): void {
  const { stdout } = spawnSync('ps', ['-eo', 'pid=,args='], { encoding: 'utf8' });
  for (const line of stdout.split('\n')) {
    const [, pid, args = ''] = /^\s*(\d+)\s+(.*)$/.exec(line) ?? [];
    if (pid && fits(args)) process.kill(Number(pid), 'SIGKILL');
  }
}
