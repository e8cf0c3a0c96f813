import * as vscode from 'vscode';

export interface Excludes {
  readonly globs: readonly string[];
  readonly isIgnoreFilesUsed: boolean;
}

/** What VS Code's own settings leave out of searches in a folder. */
export function readExcludes(folder: vscode.Uri): Excludes {
  const search = vscode.workspace.getConfiguration('search', folder);
  const files = vscode.workspace.getConfiguration('files', folder);
  const settings = [files.get('exclude'), search.get('exclude')];
  return {
    // An exclude with a `when` clause depends on sibling files, which ripgrep cannot ask about.
    globs: settings.flatMap((setting) =>
      Object.entries(setting ?? {}).flatMap(([glob, value]) => (value === true ? [glob] : [])),
    ),
    isIgnoreFilesUsed: search.get('useIgnoreFiles') !== false,
  };
}
