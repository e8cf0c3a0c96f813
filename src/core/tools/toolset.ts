import { ToolError } from '../errors';
import { isObject } from '../text/json';
import type { ChangeRecorder } from './changes/changes';
import { createFile } from './createFile';
import { deleteFile } from './deleteFile';
import { editFile } from './editFile';
import { fetchPage } from './fetchPage';
import { createFileKnowledge } from './fileKnowledge';
import { findFiles } from './findFiles';
import { getChanges } from './getChanges';
import { getDiagnostics } from './getDiagnostics';
import { getSymbols } from './getSymbols';
import type { Guidance } from './guidance/guidance';
import { listDirectory } from './listDirectory';
import { createNewProblems } from './newProblems';
import { note } from './note';
import type { Notes } from './notes/notes';
import { createPathPolicy } from './paths/pathPolicy';
import type { SecretFiles } from './paths/secretFiles';
import { readFile } from './readFile';
import { readSkill } from './readSkill';
import { renameFile } from './renameFile';
import { searchText } from './searchText';
import { searchWeb } from './searchWeb';
import type { ToolCall } from './tool';
import type { Web } from './web/web';
import type { Workspace } from './workspace';
import type { CallingTurn, ToolContext, ToolDefinition, WorkspaceTool } from './workspaceTool';

/** The one list of our workspace tools; its order is what Claude gets, and the prompt cache depends on it. */
const definitions: readonly ToolDefinition[] = [
  readFile,
  listDirectory,
  findFiles,
  searchText,
  getDiagnostics,
  getSymbols,
  getChanges,
  editFile,
  createFile,
  renameFile,
  deleteFile,
  note,
  searchWeb,
  fetchPage,
  readSkill,
];

export function createToolset(options: {
  readonly workspace: Workspace;
  /** Files that look like secrets, by the person's own settings and never by the workspace's. */
  readonly secretFiles: () => SecretFiles;
  readonly changes: ChangeRecorder;
  readonly notes: Pick<Notes, 'list' | 'add'>;
  /** Without it, there is none. */
  readonly web?: Web;
  readonly guidance: Pick<Guidance, 'skills'>;
}): readonly WorkspaceTool[] {
  const { workspace, secretFiles, changes, notes, web = noWeb, guidance } = options;
  const context: ToolContext = {
    workspace,
    policy: createPathPolicy({ workspace, secretFiles }),
    known: createFileKnowledge(),
    changes,
    notes,
    web,
    guidance,
  };
  const newProblems = createNewProblems(context);
  return definitions.map((definition) => {
    const prepare = async (input: unknown, signal: AbortSignal, turn?: CallingTurn) =>
      newProblems.follow(await definition.prepare(input, { ...context, turn }, signal));
    return {
      ...definition,
      title: definition.title(),
      checksInput: true,
      prepare,
      run: async ({ id, input }, signal) =>
        (await prepare(input, signal)).run({ callId: id, turnId: undefined }, signal),
    };
  });
}

const noWeb: Web = {
  mode: () => 'off',
  domains: () => ({}),
  search: () => Promise.reject(new ToolError('There is no web here.')),
  fetch: () => Promise.reject(new ToolError('There is no web here.')),
};

/** The files that a call of one of our tools reads or changes, as it names them; undefined for other calls. */
export function filesOfCall({
  name,
  input,
}: Pick<ToolCall, 'name' | 'input'>):
  | { readonly use: 'reads' | 'changes'; readonly paths: readonly string[] }
  | undefined {
  const files = definitions.find((definition) => definition.name === name)?.files;
  if (files === undefined) return undefined;
  const named = isObject(input) ? files.inputs.map((key) => input[key]) : [];
  return { use: files.use, paths: named.filter((path) => typeof path === 'string') };
}
