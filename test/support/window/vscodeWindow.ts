import { join } from 'node:path';
import { chromium, type BrowserContext, type Page } from 'playwright-core';
import { windowOptions } from '../host/browser';
import { installHost } from '../host/installHost';
import { startServer, type VsCodeServer } from '../host/server';
import { projectRoot } from '../projectPaths';
import { ChatPanel } from './chatPanel';
import { QuestionCard } from './questionCard';
import { watchPage } from './watchPage';
import { Workbench } from './workbench';
import { createWorkplace, type Workplace } from './workplace';

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
  /** Answers the input box that is open. */
  typeIntoInputBox(text: string): Promise<void>;
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
}): Promise<VsCodeWindow> {
  const workplace = createWorkplace(options);
  const { folder, dataFolder } = workplace;
  const server = await startServer({
    install: installHost(),
    dataFolder,
    extensionsFolder: fromEnvironment('E2E_EXTENSIONS'),
    trustsWorkspaces: options.asksForTrust !== true,
    ...(options.env ? { env: options.env } : {}),
  });
  const browser = await chromium.connect(fromEnvironment('WARM_BROWSER'));
  const context = await browser.newContext(windowOptions);
  const page = await context.newPage();
  await watchPage(page);
  await page.goto(`${server.url}/?folder=${encodeURIComponent(folder)}`);
  const panel = new ChatPanel(page);
  const workbench = new Workbench(page);
  return {
    page,
    panel,
    card: new QuestionCard(page),
    workbench,
    reload: async () => {
      const reloaded = page.waitForEvent('framenavigated', (frame) => frame === page.mainFrame());
      await workbench.startCommand('Developer: Reload Window');
      await reloaded;
      await panel.ready();
    },
    context,
    server,
    folder,
    workplace,
    typeIntoInputBox: (text) => workbench.answerInputBox(text),
    screenshot: async (name) => {
      await page.screenshot({ path: join(projectRoot, 'dist/test/screenshots', `${name}.png`) });
    },
    close: async () => {
      await browser.close();
      await server.stop();
      workplace.remove();
    },
  };
}

function fromEnvironment(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run the end-to-end tests with npm run test:e2e.`);
  return value;
}
