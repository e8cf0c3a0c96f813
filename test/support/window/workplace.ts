import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
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
  /** Puts these beside the settings it was made with; they hold from the next request on. */
  changeSettings(more: Readonly<Record<string, unknown>>): void;
  remove(): void;
}

export function createWorkplace(options: {
  readonly workspace?: string | undefined;
  readonly settings?: Readonly<Record<string, unknown>> | undefined;
}): Workplace {
  const { workspace = 'sample', settings } = options;
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
    remove: () => removeFolder(root),
  };
}
