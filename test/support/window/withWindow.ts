import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { StandIn } from '../claude/standIn';
import { freshForEach, startStrictStandIn, withStandIn } from '../claude/withStandIn';
import { late } from '../late';
import { projectRoot } from '../projectPaths';
import { removeFolder } from '../removeFolder';
import { handOn } from './handOn';
import { startLastingVsCode, type DrivenWindow, type LastingVsCode } from './lastingVsCode';
import { openWindow, type VsCodeWindow } from './vscodeWindow';
import { showSettings, type Workplace } from './workplace';

/** Options of what is opened, but for its environment: that is the stand-in and this key; an empty one is none. */
type WithKey<Options> = Omit<Options, 'env'> & { readonly key?: string };

type WindowOptions = WithKey<Parameters<typeof openWindow>[0]>;
type LastingOptions = WithKey<Parameters<typeof startLastingVsCode>[0]>;

/**
 * One window for all tests of a suite, and the stand-in that answers there. Suites that run in one process and differ in
 * their settings only have the same one, one after another: with nothing said, no editor open and the fixture's files.
 */
export function withWindow({ key, settings = {}, ...options }: WindowOptions = {}): {
  readonly standIn: StandIn;
  readonly window: VsCodeWindow;
} {
  let opened: { readonly standIn: StandIn; readonly window: VsCodeWindow } | undefined;
  before(async () => {
    opened = await handOn(JSON.stringify({ key, ...options }), {
      open: async () => {
        const standIn = await startStrictStandIn();
        const window = await openWindow({ ...options, settings, env: claudeAt(standIn, key) });
        return { standIn, window, close: () => Promise.all([window.close(), standIn.close()]) };
      },
      tidy: async ({ standIn, window }) => {
        standIn.reset();
        await tidy(window, window.workplace, settings, options.workspace);
      },
    });
  });
  return { standIn: freshForEach(() => opened?.standIn), window: late(() => opened?.window) };
}

/** The same with an extension inside that can be asked to do things, so that not everything has to be typed. */
export function withDrivenWindow({ key, settings = {}, ...options }: LastingOptions = {}): {
  readonly standIn: StandIn;
  readonly vscode: LastingVsCode;
  readonly window: DrivenWindow;
} {
  let opened:
    | { readonly standIn: StandIn; readonly vscode: LastingVsCode; readonly window: DrivenWindow }
    | undefined;
  before(async () => {
    opened = await handOn(JSON.stringify({ driven: true, key, ...options }), {
      open: async () => {
        const standIn = await startStrictStandIn();
        const vscode = await startLastingVsCode({ ...options, settings, env: claudeAt(standIn, key) });
        const window = await vscode.openWindow();
        return { standIn, vscode, window, close: () => Promise.all([vscode.close(), standIn.close()]) };
      },
      tidy: async ({ standIn, vscode, window }) => {
        standIn.reset();
        await tidy(window, vscode.workplace, settings);
      },
    });
  });
  return {
    standIn: freshForEach(() => opened?.standIn),
    vscode: late(() => opened?.vscode),
    window: late(() => opened?.window),
  };
}

/** For tests that open and close windows themselves. */
export function withLastingVsCode({ key, ...options }: LastingOptions = {}): {
  readonly standIn: StandIn;
  readonly vscode: LastingVsCode;
} {
  const standIn = withStandIn();
  let vscode: LastingVsCode | undefined;
  before(async () => {
    vscode = await startLastingVsCode({ ...options, env: claudeAt(standIn, key) });
  });
  after(() => vscode?.close());
  return { standIn, vscode: late(() => vscode) };
}

function claudeAt({ url }: StandIn, key = 'sk-ant-e2e'): Readonly<Record<string, string>> {
  return { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: key };
}

/** Nothing is open, shown or remembered, and the files are as they were. */
async function tidy(
  { page, panel, workbench }: Pick<VsCodeWindow, 'page' | 'panel' | 'workbench'>,
  workplace: Workplace,
  settings: Readonly<Record<string, unknown>>,
  fixture = 'sample',
): Promise<void> {
  await workbench.closeEditors();
  await workbench.deleteAllConversations();
  await panel.newChat();
  await workbench.runCommand('Notifications: Clear All Notifications');
  for (const name of readdirSync(workplace.folder)) removeFolder(join(workplace.folder, name));
  cpSync(join(projectRoot, 'test/fixtures', fixture), workplace.folder, { recursive: true });
  await showSettings(page, (title) => workplace.beginWith({ ...settings, ...title }));
}
