import { createChanges, type ChangeRecorder, type Changes } from '../../src/core/tools/changes/changes';
import { createSecretFilesReader, defaultSecretFiles } from '../../src/core/tools/paths/secretFiles';
import type { ToolOutput } from '../../src/core/tools/tool';
import { createToolset } from '../../src/core/tools/toolset';
import type { Workspace } from '../../src/core/tools/workspace';
import type { Caller } from '../../src/core/tools/workspaceTool';
import { createChangeStore } from '../../src/storage/changeTable';
import { inMemory, Sqlite } from '../../src/storage/sqlite';
import { noSkills } from './guidance';
import { createInMemoryWorkspace, type InMemoryOptions, type InMemoryWorkspace } from './inMemoryWorkspace';
import { unkept } from './notes';

/** Where it does not matter what becomes of changes. */
export const unrecorded: ChangeRecorder = {
  record: async (_caller, _planned, act) => (await act()).outcome,
  recordAll: async (_caller, _planned, act) => (await act()).outcome,
};

/** Our tools over a workspace and a database, and what they changed. */
export interface RecordedTools {
  readonly changes: Changes;
  readonly logged: string[];
  /** Runs a tool as a call of a turn. */
  readonly run: (turnId: string | undefined, tool: string, input: object) => Promise<ToolOutput | undefined>;
}

export function createRecordedTools(workspace: Workspace, file = inMemory): RecordedTools {
  const sqlite = Sqlite.open(file);
  const logged: string[] = [];
  let now = 0;
  const changes = createChanges({
    store: createChangeStore(() => sqlite),
    workspace,
    clock: () => ++now,
    log: { info: () => undefined, warn: () => undefined, error: (line) => void logged.push(line) },
  });
  const tools = createToolset({
    workspace,
    secretFiles: createSecretFilesReader(() => defaultSecretFiles),
    changes,
    notes: unkept,
    guidance: noSkills,
  });
  const { signal } = new AbortController();
  let calls = 0;
  return {
    changes,
    logged,
    async run(turnId, name, input) {
      const tool = tools.find((one) => one.name === name);
      const caller: Caller = { callId: `call ${++calls}`, turnId };
      return (await tool?.prepare(input, signal))?.run(caller, signal);
    },
  };
}

export interface ChangedWorkspace extends RecordedTools {
  readonly workspace: InMemoryWorkspace;
}

export function createChangedWorkspace(options: InMemoryOptions, file?: string): ChangedWorkspace {
  const workspace = createInMemoryWorkspace(options);
  return { workspace, ...createRecordedTools(workspace, file) };
}

export function replacing(path: string, old_text: string, new_text: string) {
  return { path, edits: [{ old_text, new_text }] };
}
