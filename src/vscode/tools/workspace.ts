import { sep } from 'node:path';
import * as vscode from 'vscode';
import { ToolError } from '../../core/errors';
import type { Entry, FileStatus, Place, ScopedQuery, Workspace } from '../../core/tools/workspace';
import { followLinks, listFolder, readBytes, statFile } from './diskFiles';
import { decodeFile, findUnwritable, newFileText, ripgrepEncoding } from './encodings';
import { readChanges, readDiff } from './gitChanges';
import { findSymbols, readOutline, readProblems } from './languageFeatures';
import { notebookTypeOf } from './notebookTypes';
import { readFolders, uriOf } from './places';
import type { ProblemReports } from './problemReports';
import { findRipgrep } from './ripgrep';
import type { Excludes } from './ripgrepArguments';
import { findFiles, searchText, type RipgrepOptions } from './ripgrepSearch';
import { readUnsaved } from './unsavedEditors';
import { applyChange } from './workspaceEdits';

const searchTimeLimitMs = 20_000;

/** The workspace of this window: files of this machine directly, all others through VS Code. */
export function createWorkspace(reports: Pick<ProblemReports, 'settled'>): Workspace {
  let ripgrep: Promise<string | undefined> | undefined;

  async function ripgrepOptions({ within }: ScopedQuery): Promise<RipgrepOptions> {
    if (within.some((place) => diskPath(place) === undefined)) {
      throw new ToolError(
        'Files of this workspace are not on a disk here, so that they cannot be searched. Use read_file.',
      );
    }
    const executable = await (ripgrep ??= findRipgrep(vscode.env.appRoot));
    if (executable === undefined) {
      throw new ToolError(
        "Search is not available: VS Code's ripgrep was not found. Folders cannot be listed without it either: use read_file.",
      );
    }
    return {
      executable,
      timeLimitMs: searchTimeLimitMs,
      excludesOf: (place) => readExcludes(uriOf({ ...place, path: '' })),
      encodingOf: (place) => ripgrepEncoding(uriOf({ ...place, path: '' })),
    };
  }

  return {
    folders: readFolders,
    isTrusted: () => vscode.workspace.isTrusted,
    async realPath(place) {
      const path = diskPath(place);
      if (path === undefined) return `${place.folder.root.replace(/\/$/, '')}/${place.path}`;
      return (await followLinks(path)).replaceAll(sep, '/');
    },
    async stat(place) {
      const path = diskPath(place);
      return path === undefined ? statVirtual(place) : statFile(path);
    },
    async list(place) {
      const path = diskPath(place);
      if (path !== undefined) return listFolder(path);
      const entries = await vscode.workspace.fs.readDirectory(uriOf(place));
      return entries.map(([name, type]): Entry => ({ name, kind: kindOf(type) }));
    },
    async readBytes(place, start, length) {
      const path = diskPath(place);
      if (path !== undefined) return readBytes(path, start, length);
      return (await vscode.workspace.fs.readFile(uriOf(place))).subarray(start, start + length);
    },
    unsavedEditors: readUnsaved,
    decode: async (place, bytes) => decodeFile(uriOf(place), bytes),
    findUnwritable: async (place, text, encoding) => findUnwritable(uriOf(place), text, encoding),
    newFileText: (place, text) => newFileText(uriOf(place), text),
    notebookType: notebookTypeOf,
    async findFiles(query, onFile, signal) {
      return findFiles(await ripgrepOptions(query), query, onFile, signal);
    },
    async searchText(query, signal) {
      return searchText(await ripgrepOptions(query), query, unsavedTexts, signal);
    },
    problems: readProblems,
    problemsSettled: reports.settled,
    outline: readOutline,
    findSymbols,
    changes: readChanges,
    diff: readDiff,
    apply: applyChange,
  };
}

async function unsavedTexts() {
  const editors = await readUnsaved();
  return editors.flatMap(({ place, text }) => (text === undefined ? [] : [{ place, text }]));
}

/** What VS Code's own settings leave out of searches in a folder. */
function readExcludes(folder: vscode.Uri): Excludes {
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

/** Undefined for files that are not on this machine's disk. */
function diskPath(place: Place): string | undefined {
  const uri = uriOf(place);
  return uri.scheme === 'file' ? uri.fsPath : undefined;
}

async function statVirtual(place: Place): Promise<FileStatus | undefined> {
  try {
    const { type, size } = await vscode.workspace.fs.stat(uriOf(place));
    const kind = kindOf(type & ~vscode.FileType.SymbolicLink);
    return { kind: kind === 'link' ? 'other' : kind, size };
  } catch (error) {
    if (error instanceof vscode.FileSystemError && error.code === 'FileNotFound') return undefined;
    throw error;
  }
}

function kindOf(type: vscode.FileType): Entry['kind'] {
  if ((type & vscode.FileType.SymbolicLink) !== 0) return 'link';
  if ((type & vscode.FileType.Directory) !== 0) return 'folder';
  return (type & vscode.FileType.File) !== 0 ? 'file' : 'other';
}
