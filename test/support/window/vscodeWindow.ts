import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { chromium, type BrowserContext, type Page } from 'playwright-core';
import { windowOptions } from '../host/browser';
import { installHost } from '../host/installHost';
import { startServer, type VsCodeServer } from '../host/server';
import { projectRoot } from '../projectPaths';
import { ChatPanel } from './chatPanel';
import { QuestionCard } from './questionCard';

/** A real VS Code with the packed extension, in a window of its own and a fresh profile. */
export interface VsCodeWindow {
  readonly page: Page;
  readonly panel: ChatPanel;
  readonly card: QuestionCard;
  readonly context: BrowserContext;
  readonly server: VsCodeServer;
  readonly folder: string;
  /** Answers the input box that is open. */
  typeIntoInputBox(text: string): Promise<void>;
  /** Runs a command of the palette by its title. */
  runCommand(title: string): Promise<void>;
  /** Reloads the window as its own command does. */
  reload(): Promise<void>;
  /** Changes settings of the machine, as from the next request on. */
  changeSettings(settings: Readonly<Record<string, unknown>>): void;
  /** Keeps a picture below dist/test/screenshots, for looking at. */
  screenshot(name: string): Promise<void>;
  close(): Promise<void>;
}

export async function openWindow(options: {
  /** The fixture to open, as a copy. */
  readonly workspace?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Settings of the person, as of the machine that VS Code runs on. */
  readonly settings?: Readonly<Record<string, unknown>>;
}): Promise<VsCodeWindow> {
  const work = mkdtempSync(join(tmpdir(), 'claude-assistant-e2e-'));
  const folder = join(work, options.workspace ?? 'sample');
  cpSync(join(projectRoot, 'test/fixtures', options.workspace ?? 'sample'), folder, { recursive: true });
  const settingsFile = join(work, 'server/data/Machine/settings.json');
  mkdirSync(dirname(settingsFile), { recursive: true });
  const changeSettings = (settings: Readonly<Record<string, unknown>> = {}) =>
    writeFileSync(
      settingsFile,
      JSON.stringify({ 'workbench.startupEditor': 'none', ...options.settings, ...settings }),
    );
  changeSettings();
  const server = await startServer({
    install: installHost(),
    dataFolder: join(work, 'server'),
    extensionsFolder: fromEnvironment('E2E_EXTENSIONS'),
    ...(options.env ? { env: options.env } : {}),
  });
  const browser = await chromium.connect(fromEnvironment('WARM_BROWSER'));
  const context = await browser.newContext(windowOptions);
  const page = await context.newPage();
  await page.goto(`${server.url}/?folder=${encodeURIComponent(folder)}`);
  const panel = new ChatPanel(page);
  const runCommand = async (title: string) => {
    await page.keyboard.press('F1');
    const input = page.locator('.quick-input-widget input:visible').first();
    await input.fill(`>${title}`);
    await page.locator('.quick-input-list .monaco-list-row').filter({ hasText: title }).first().waitFor();
    await input.press('Enter');
  };
  return {
    page,
    panel,
    card: new QuestionCard(page),
    runCommand,
    changeSettings,
    reload: async () => {
      const reloaded = page.waitForEvent('framenavigated', (frame) => frame === page.mainFrame());
      await runCommand('Developer: Reload Window');
      await reloaded;
      await panel.ready();
    },
    context,
    server,
    folder,
    typeIntoInputBox: async (text) => {
      const input = page.locator('.quick-input-widget input:visible').first();
      await input.waitFor();
      await input.fill(text);
      await input.press('Enter');
    },
    screenshot: async (name) => {
      await page.screenshot({ path: join(projectRoot, 'dist/test/screenshots', `${name}.png`) });
    },
    close: async () => {
      await browser.close();
      await server.stop();
      rmSync(work, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    },
  };
}

function fromEnvironment(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run the end-to-end tests with npm run test:e2e.`);
  return value;
}
