import * as vscode from 'vscode';
import type { Log, StateStore } from '../../core/ports';
import { loosenedBy, type Loosened } from '../../core/tools/approvalSettings';

/** What this workspace lets VS Code run unasked. The person's own settings may do that; a workspace may not (S2). */
export interface WorkspaceApprovals extends vscode.Disposable {
  loosened(): Loosened;
  /** A request comes from this chat. */
  enter(session: string | undefined): void;
}

const stateKey = 'loosenedChats';
/** VS Code shows the person no more than a few of them at a time. */
const mostChats = 50;

/**
 * A chat keeps the permission level that it began with, also when it is opened again after a reload: what was once
 * loosened counts as long as the window lives, and again as soon as such a chat is back.
 */
export function createWorkspaceApprovals({
  store,
  log,
}: {
  readonly store: StateStore;
  readonly log: Log;
}): WorkspaceApprovals {
  const seen = new Set([...readLoosened()]);
  const watching = vscode.workspace.onDidChangeConfiguration((event) => {
    if (!event.affectsConfiguration('chat') && !event.affectsConfiguration('mcp')) return;
    for (const concern of readLoosened()) seen.add(concern);
  });
  const storedChats = () => {
    const stored = store.get(stateKey);
    return Array.isArray(stored) ? stored.filter((chat) => typeof chat === 'string') : [];
  };
  return {
    loosened: () => seen,
    enter(session) {
      const chats = storedChats();
      if (session === undefined) return;
      if (chats.includes(session)) seen.add('all');
      else if (seen.has('all')) {
        void store
          .update(stateKey, [...chats, session].slice(-mostChats))
          .then(undefined, (error: unknown) => log.error('a loosened chat could not be kept', error));
      }
    },
    dispose: () => void watching.dispose(),
  };
}

function readLoosened(): Loosened {
  const folders = [undefined, ...(vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri)];
  return loosenedBy((setting) =>
    folders.flatMap((folder) => {
      const found = vscode.workspace.getConfiguration(undefined, folder).inspect(setting);
      return [found?.workspaceValue, found?.workspaceFolderValue];
    }),
  );
}
