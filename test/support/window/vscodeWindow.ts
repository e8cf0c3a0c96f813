import { join } from 'node:path';
import { chromium, type BrowserContext, type Page } from 'playwright-core';
import { windowOptions } from '../host/browser';
import { openGate } from '../host/closeGate';
import { installHost, type HostInstall } from '../host/installHost';
import { startServer, type VsCodeServer } from '../host/server';
import { installUnpacked } from '../installUnpacked';
import { projectRoot } from '../projectPaths';
import { installVsix } from '../vsix';
import { ChatPanel } from './chatPanel';
import { QuestionCard } from './questionCard';
import { watchPage } from './watchPage';
import { Workbench } from './workbench';
import { createWorkplace, showSettings, type Workplace } from './workplace';

/** A real VS Code with the packed extension, in a window of its own and a fresh profile. */
export interface VsCodeWindow {
  readonly page: Page;
  readonly panel: ChatPanel;
  readonly card: QuestionCard;
  readonly context: BrowserContext;
  readonly server: VsCodeServer;
  readonly workbench: Workbench;
  readonly folder: string;
  readonly workplace: Workplace;
  /** Puts these beside the settings it began with, and waits until they hold. */
  changeSettings(more: Readonly<Record<string, unknown>>): Promise<void>;
  /** Reloads the window as its own command does. */
  reload(): Promise<void>;
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
  /** VS Code asks whether the folder is to be trusted; else it trusts all. */
  readonly asksForTrust?: boolean;
  /** One of `test/fixtures/extensions`, installed for this window only. */
  readonly extension?: string;
  /** What VS Code tells extensions to speak. Its own words stay English: others come with a language pack. */
  readonly language?: string;
  /** `open`: as if every extension had declared every proposed API. Else it is closed, as in Microsoft's build. */
  readonly gate?: 'open';
}): Promise<VsCodeWindow> {
  const workplace = createWorkplace(options);
  const { folder, dataFolder } = workplace;
  const gate = options.gate === 'open' ? openGate : undefined;
  const install = installHost();
  const server = await startServer({
    install,
    dataFolder,
    extensionsFolder: options.extension
      ? withExtension(options.extension, install, workplace)
      : fromEnvironment('E2E_EXTENSIONS'),
    trustsWorkspaces: options.asksForTrust !== true,
    env: { ...options.env, ...gate?.env },
  });
  const browser = await chromium.connect(fromEnvironment('WARM_BROWSER'));
  const close = async (): Promise<void> => {
    await browser.close();
    await server.stop();
    workplace.remove();
  };
  const context = await browser.newContext(windowOptions);
  const page = await context.newPage();
  await watchPage(page);
  if (options.language !== undefined) await speak(context, options.language);
  const query = [`folder=${encodeURIComponent(folder)}`, ...(gate ? [gate.query] : [])].join('&');
  await page.goto(`${server.url}/?${query}`).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  const panel = new ChatPanel(page);
  const workbench = new Workbench(page);
  return {
    page,
    panel,
    card: new QuestionCard(page),
    workbench,
    changeSettings: (more) => showSettings(page, (title) => workplace.changeSettings({ ...more, ...title })),
    reload: async () => {
      const reloaded = page.waitForEvent('framenavigated', (frame) => frame === page.mainFrame());
      const isChatting = await panel.hasRows();
      await workbench.startCommand('Developer: Reload Window');
      await reloaded;
      await panel.ready();
      if (isChatting) await panel.comesBack();
    },
    context,
    server,
    folder,
    workplace,
    screenshot: async (name) => {
      await page.screenshot({ path: join(projectRoot, 'dist/test/screenshots', `${name}.png`) });
    },
    close,
  };
}

/** Holds from the next load of the page on. VS Code itself learns its language from this variable. */
export async function speak(context: BrowserContext, language: string): Promise<void> {
  await context.addInitScript(`globalThis._VSCODE_NLS_LANGUAGE = ${JSON.stringify(language)};`);
}

function withExtension(name: string, install: HostInstall, { root }: Workplace): string {
  const extensionsFolder = join(root, 'extensions');
  installVsix(install, join(projectRoot, 'dist/claude-assistant.vsix'), extensionsFolder);
  installUnpacked(join(projectRoot, 'test/fixtures/extensions', name), extensionsFolder);
  return extensionsFolder;
}

function fromEnvironment(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run the end-to-end tests with npm run test:e2e.`);
  return value;
}
