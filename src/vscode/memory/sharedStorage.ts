import { basename, dirname, join } from 'node:path';

/**
 * The storage folder that all windows on a workspace share. VS Code locks `workspaceStorage/<id>` for the first window
 * and hands `<id>-1`, `<id>-2` and so on to the others, and to a window that was reloaded before its old extension
 * host had gone: what one of them wrote would not be seen by the next.
 */
export function sharedStorage(storagePath: string): string {
  const workspace = dirname(storagePath);
  const id = basename(workspace).replace(/^(.+)-[1-9]$/, '$1');
  return join(dirname(workspace), id, basename(storagePath));
}
