import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type BrowserServer,
  type LaunchOptions,
} from 'playwright-core';
import { SetupError } from '../setupError';
import { installBrowser } from './installBrowser';

/** One browser for many windows of VS Code. */
export async function launchBrowser(): Promise<Browser> {
  return orExplain(chromium.launch(launchOptions()));
}

/** A browser that other processes connect to. */
export async function launchBrowserServer(): Promise<BrowserServer> {
  return orExplain(chromium.launchServer(launchOptions()));
}

/** A browser with a profile on disk: `workspaceState` lives in it and outlives the browser. */
export async function launchProfile(folder: string): Promise<BrowserContext> {
  return orExplain(chromium.launchPersistentContext(folder, { ...launchOptions(), ...windowOptions }));
}

export const windowOptions: BrowserContextOptions = {
  viewport: { width: 1280, height: 800 },
  permissions: ['clipboard-read', 'clipboard-write'],
  // Without a graphics card, a spinner takes about a quarter of a core for as long as it turns.
  reducedMotion: 'reduce',
};

function launchOptions(): LaunchOptions {
  const install = installBrowser();
  return {
    executablePath: install.executablePath,
    env: { ...process.env, ...install.env },
    // Whoever started it ends it, and it ends by itself when nobody is there any more.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
    args: [
      ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync'],
      ...['--disable-background-networking', '--disable-component-update', '--disable-dev-shm-usage'],
    ],
  };
}

async function orExplain<T>(launch: Promise<T>): Promise<T> {
  try {
    return await launch;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message.split('\n')[0] : String(cause);
    throw new SetupError(
      `The browser did not start: set CHROME_PATH to a working Chrome or Chromium (${reason}).`,
      { cause },
    );
  }
}
