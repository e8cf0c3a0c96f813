import * as vscode from 'vscode';
import { instructionFileNames } from '../../core/instructionFiles';

/**
 * VS Code attaches instruction files to every message by itself, whether the workspace is trusted or not. Those that
 * `readInstructionFiles` reads would be there twice; those of an untrusted workspace do not count. The person's own stay.
 */
export function withoutInstructionFiles(
  references: readonly vscode.ChatPromptReference[],
): readonly vscode.ChatPromptReference[] {
  const read = new Set(rootFiles().map(String));
  return references.filter(({ id, value }) => {
    if (!isInstructionId(id)) return true;
    const uri = value instanceof vscode.Uri ? value : undefined;
    if (uri && !vscode.workspace.getWorkspaceFolder(uri)) return true;
    return vscode.workspace.isTrusted && !(uri && read.has(uri.toString()));
  });
}

/** Files as instructions and, as text, an index of them: the ids of VS Code 1.110 and of 1.139. */
export function isInstructionId(id: string): boolean {
  return /^vscode\.((prompt\.)?instructions|customizations)\b/.test(id);
}

function rootFiles(): readonly vscode.Uri[] {
  return (vscode.workspace.workspaceFolders ?? []).flatMap(({ uri }) =>
    instructionFileNames.map((name) => vscode.Uri.joinPath(uri, name)),
  );
}
