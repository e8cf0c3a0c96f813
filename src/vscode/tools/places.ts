import { isAbsolute, relative, sep } from 'node:path';
import * as vscode from 'vscode';
import { ToolError } from '../../core/errors';
import type { Folder, Place } from '../../core/tools/workspace';

/** The folders of the workspace under names that are unique. */
export function readFolders(): readonly Folder[] {
  const taken = new Set<string>();
  return (vscode.workspace.workspaceFolders ?? []).map(({ name, uri }) => {
    let unique = name;
    for (let count = 2; taken.has(unique); count++) unique = `${name} (${count})`;
    taken.add(unique);
    return { name: unique, root: rootOf(uri) };
  });
}

export function uriOf({ folder, path }: Place): vscode.Uri {
  const found = vscode.workspace.workspaceFolders?.find(({ uri }) => rootOf(uri) === folder.root);
  if (found === undefined)
    throw new ToolError(`The folder ${folder.name} is no longer part of the workspace.`);
  return path === '' ? found.uri : vscode.Uri.joinPath(found.uri, path);
}

/** Undefined for what is outside of all folders. */
export function placeOf(uri: vscode.Uri): Place | undefined {
  const found = vscode.workspace.getWorkspaceFolder(uri);
  const folder = found && readFolders().find(({ root }) => root === rootOf(found.uri));
  if (found === undefined || folder === undefined) return undefined;
  if (uri.scheme !== 'file')
    return { folder, path: uri.path.slice(found.uri.path.length).replace(/^\//, '') };
  const path = relative(found.uri.fsPath, uri.fsPath);
  return path.startsWith('..') || isAbsolute(path) ? undefined : { folder, path: path.replaceAll(sep, '/') };
}

function rootOf(uri: vscode.Uri): string {
  const root = uri.scheme === 'file' ? uri.fsPath.replaceAll(sep, '/') : uri.path;
  return root.length > 1 ? root.replace(/\/$/, '') : root;
}
