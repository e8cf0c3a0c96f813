import * as vscode from 'vscode';

const names = ['CLAUDE.md', 'AGENTS.md'];

/** CLAUDE.md and AGENTS.md at the root of each folder. An untrusted workspace tells Claude nothing. */
export async function readInstructionFiles(): Promise<{ name: string; text: string }[]> {
  if (!vscode.workspace.isTrusted) return [];
  const folders = vscode.workspace.workspaceFolders ?? [];
  const files = folders.flatMap((folder) =>
    names.map((name) => ({
      name: folders.length > 1 ? `${folder.name}/${name}` : name,
      uri: vscode.Uri.joinPath(folder.uri, name),
    })),
  );
  const texts = await Promise.all(files.map(({ uri }) => readText(uri)));
  return files.flatMap(({ name }, index) => {
    const text = texts[index];
    return text === undefined ? [] : [{ name, text }];
  });
}

async function readText(uri: vscode.Uri): Promise<string | undefined> {
  try {
    return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
  } catch {
    // Most workspaces have neither file.
    return undefined;
  }
}
