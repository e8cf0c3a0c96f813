import { randomUUID } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Page } from 'playwright-core';
import { projectRoot } from '../projectPaths';
import { removeFolder } from '../removeFolder';

/** Where one VS Code under test works and keeps its data. */
export interface Workplace {
  readonly root: string;
  /** The workspace, a copy of the fixture. */
  readonly folder: string;
  readonly dataFolder: string;
  /** The person's settings, as of the machine that VS Code runs on. */
  readonly settingsFile: string;
  /** From now on these are the settings that others are put beside. */
  beginWith(settings: Readonly<Record<string, unknown>>): void;
  /** Puts these beside the settings it began with; they hold from the next request on. */
  changeSettings(more: Readonly<Record<string, unknown>>): void;
  remove(): void;
}

export function createWorkplace(options: {
  readonly workspace?: string | undefined;
  readonly settings?: Readonly<Record<string, unknown>> | undefined;
}): Workplace {
  const { workspace = 'sample' } = options;
  let { settings } = options;
  const root = mkdtempSync(join(tmpdir(), 'claude-assistant-e2e-'));
  const folder = join(root, workspace);
  cpSync(join(projectRoot, 'test/fixtures', workspace), folder, { recursive: true });
  const dataFolder = join(root, 'server');
  const settingsFile = join(dataFolder, 'data/Machine/settings.json');
  mkdirSync(dirname(settingsFile), { recursive: true });
  const changeSettings = (more: Readonly<Record<string, unknown>>): void =>
    writeFileSync(settingsFile, JSON.stringify({ 'workbench.startupEditor': 'none', ...settings, ...more }));
  changeSettings({});
  return {
    root,
    folder,
    dataFolder,
    settingsFile,
    changeSettings,
    beginWith: (next) => {
      settings = next;
      changeSettings({});
    },
    remove: () => removeFolder(root),
  };
}

/** Waits until VS Code has read the settings that are written: its title shows that. */
export async function showSettings(
  page: Page,
  write: (title: Readonly<Record<string, unknown>>) => void,
): Promise<void> {
  const title = `settings ${randomUUID()}`;
  write({ 'window.title': title });
  await page.waitForFunction((wanted) => document.title.includes(wanted), title);
}
