import * as vscode from 'vscode';

const names = ['CLAUDE.md', 'AGENTS.md'];

/** CLAUDE.md and AGENTS.md at the root of each folder. An untrusted workspace tells Claude nothing. */
export async function readInstructionFiles(): Promise<{ name: string; text: string }[]> {
  if (!vscode.workspace.isTrusted) return [];
  const files = rootFiles();
  const texts = await Promise.all(files.map(({ uri }) => readText(uri)));
  return files.flatMap(({ name }, index) => {
    const text = texts[index];
    return text === undefined ? [] : [{ name, text }];
  });
}

/**
 * VS Code attaches instruction files to every message by itself, whether the workspace is trusted or not. Those that
 * `readInstructionFiles` reads would be there twice; those of an untrusted workspace do not count. The person's own stay.
 */
export function withoutInstructionFiles(
  references: readonly vscode.ChatPromptReference[],
): readonly vscode.ChatPromptReference[] {
  const read = new Set(rootFiles().map(({ uri }) => uri.toString()));
  return references.filter(({ id, value }) => {
    if (!isInstruction.test(id)) return true;
    const uri = value instanceof vscode.Uri ? value : undefined;
    if (uri && !vscode.workspace.getWorkspaceFolder(uri)) return true;
    return vscode.workspace.isTrusted && !(uri && read.has(uri.toString()));
  });
}

/** Files as instructions and, as text, an index of them: the ids of VS Code 1.110 and of 1.139. */
const isInstruction = /^vscode\.((prompt\.)?instructions|customizations)\b/;

function rootFiles(): { name: string; uri: vscode.Uri }[] {
  const folders = vscode.workspace.workspaceFolders ?? [];
  return folders.flatMap((folder) =>
    names.map((name) => ({
      name: folders.length > 1 ? `${folder.name}/${name}` : name,
      uri: vscode.Uri.joinPath(folder.uri, name),
    })),
  );
}

async function readText(uri: vscode.Uri): Promise<string | undefined> {
  try {
    return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
  } catch {
    // Most workspaces have neither file.
    return undefined;
  }
}
