import { isAbsolute, relative, sep } from 'node:path';
import * as vscode from 'vscode';
import { ToolError } from '../../core/errors';
import { relativeTo } from '../../core/tools/paths/parsePath';
import type { Folder, Place } from '../../core/tools/workspace';
import { followLinks } from './diskFiles';

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

/** Where a file really is, all links followed; undefined when that is outside of all folders. */
export async function realPlaceOf(uri: vscode.Uri): Promise<Place | undefined> {
  if (uri.scheme !== 'file') return placeOf(uri);
  const real = slashed(await followLinks(uri.fsPath));
  const places = await Promise.all(
    readFolders().map(async (folder) => {
      const root = uriOf({ folder, path: '' });
      if (root.scheme !== 'file') return [];
      const path = relativeTo(slashed(await followLinks(root.fsPath)), real);
      return path === undefined ? [] : [{ folder, path }];
    }),
  );
  // Of nested folders the innermost, as the path policy takes it.
  return places.flat().toSorted((a, b) => a.path.length - b.path.length)[0];
}

function rootOf(uri: vscode.Uri): string {
  const root = uri.scheme === 'file' ? slashed(uri.fsPath) : uri.path;
  return root.length > 1 ? root.replace(/\/$/, '') : root;
}

export function slashed(path: string): string {
  return path.replaceAll(sep, '/');
}
