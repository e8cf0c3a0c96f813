import * as vscode from 'vscode';
import { loosenedBy, type Loosened } from '../../core/tools/approvalSettings';

/** What this workspace lets VS Code run unasked. The person's own settings may do that; a workspace may not (S2). */
export interface WorkspaceApprovals extends vscode.Disposable {
  loosened(): Loosened;
}

/** A chat keeps the permission level that it began with, so what was once loosened counts as long as the window lives. */
export function createWorkspaceApprovals(): WorkspaceApprovals {
  const seen = new Set<Loosened>();
  const look = () => void seen.add(readLoosened());
  look();
  const watching = vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration('chat')) look();
  });
  return {
    loosened: () => (['all', 'terminal'] as const).find((one) => seen.has(one)) ?? 'nothing',
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
