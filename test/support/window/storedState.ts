import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';

/** All that VS Code keeps for our extension in `workspaceState`, by key. */
export type StoredState = Readonly<Record<string, unknown>>;

export const extensionId = 'claude-assistant.claude-assistant';

/** Reads the real `workspaceState`, which this VS Code keeps in the browser, as far as it is written down. */
export async function readState(page: Page): Promise<StoredState | undefined> {
  const json = await page.evaluate(storedIn, extensionId);
  return json === undefined ? undefined : (JSON.parse(json) as StoredState);
}

/** Where the extension keeps the files of the workspace. */
export function storageFolder(dataFolder: string): string {
  const storage = join(dataFolder, 'data/User/workspaceStorage');
  const workspace = readdirSync(storage).find((name) => !/.-\d$/.test(name));
  if (!workspace) throw new Error('No workspace has stored anything yet.');
  return join(storage, workspace, extensionId);
}

/** Runs in the page; VS Code keeps a database for each workspace, with one value for each extension. */
async function storedIn(extension: string): Promise<string | undefined> {
  const done = <T>(request: IDBRequest<T>): Promise<T> =>
    new Promise((resolve, reject) => {
      request.addEventListener('success', () => resolve(request.result));
      request.addEventListener('error', () => reject(request.error ?? new Error('IndexedDB failed')));
    });
  for (const { name = '' } of await indexedDB.databases()) {
    if (!name.startsWith('vscode-web-state-db-') || name.endsWith('-global')) continue;
    const database = await done(indexedDB.open(name));
    try {
      if (!database.objectStoreNames.contains('ItemTable')) continue;
      const table = database.transaction('ItemTable').objectStore('ItemTable');
      const found: unknown = await done(table.get(extension));
      if (typeof found === 'string') return found;
    } finally {
      database.close();
    }
  }
  return undefined;
}
