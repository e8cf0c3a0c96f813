import { createCreateFile } from './createFile';
import { createDeleteFile } from './deleteFile';
import { createEditFile } from './editFile';
import { createFileKnowledge } from './fileKnowledge';
import { createFindFiles } from './findFiles';
import { createGetChanges } from './getChanges';
import { createGetDiagnostics } from './getDiagnostics';
import { createGetSymbols } from './getSymbols';
import { createListDirectory } from './listDirectory';
import { createPathPolicy } from './paths/pathPolicy';
import type { SecretFiles } from './paths/secretFiles';
import { createReadFile } from './readFile';
import { createRenameFile } from './renameFile';
import { createSearchText } from './searchText';
import type { Workspace } from './workspace';
import type { FileChange, ToolContext, WorkspaceTool } from './workspaceTool';

/** The one list of our workspace tools; its order is what Claude gets, and the prompt cache depends on it. */
const creators: readonly ((context: ToolContext) => WorkspaceTool)[] = [
  createReadFile,
  createListDirectory,
  createFindFiles,
  createSearchText,
  createGetDiagnostics,
  createGetSymbols,
  createGetChanges,
  createEditFile,
  createCreateFile,
  createRenameFile,
  createDeleteFile,
];

export function createToolset(options: {
  readonly workspace: Workspace;
  /** Files that look like secrets, by the person's own settings and never by the workspace's. */
  readonly secretFiles: () => SecretFiles;
  readonly onChange: (change: FileChange) => void;
}): readonly WorkspaceTool[] {
  const { workspace, secretFiles, onChange } = options;
  const context: ToolContext = {
    workspace,
    policy: createPathPolicy({ workspace, secretFiles }),
    known: createFileKnowledge(),
    onChange,
  };
  return creators.map((create) => create(context));
}
