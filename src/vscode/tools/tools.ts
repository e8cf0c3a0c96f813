import * as vscode from 'vscode';
import type { Log, StateStore, TextFiles } from '../../core/ports';
import { createAllowedTools } from '../../core/tools/allowedTools';
import { createChangeJournal, type ChangeJournal } from '../../core/tools/changeJournal';
import { createKeptChanges } from '../../core/tools/keptChanges';
import { createLateTools } from '../../core/tools/lateTools';
import { createPathPolicy } from '../../core/tools/paths/pathPolicy';
import type { SecretFiles } from '../../core/tools/paths/secretFiles';
import type { Tool } from '../../core/tools/tool';
import { createToolset } from '../../core/tools/toolset';
import { wait } from '../wait';
import { createHostTools, type HostToolRequest } from './hostTools';
import { registerTools } from './languageModelTools';
import { createWholeTexts, type WholeTexts } from './wholeTexts';
import { createWorkspace } from './workspace';
import { createWorkspaceApprovals } from './workspaceApprovals';

export interface Tools extends vscode.Disposable {
  /** What Claude can call in one request, always in the same order. */
  forRequest(request: ToolsRequest, signal: AbortSignal): Promise<readonly Tool[]>;
  /** Waits for tools of VS Code's own that a window just opened may still lack, a few seconds at most. */
  whenThere(names: readonly string[], signal: AbortSignal): Promise<void>;
  readonly journal: ChangeJournal;
  /** Texts that are too long for a question. */
  readonly whole: WholeTexts;
  /** Forgets which tools of others the person allowed for longer; says how many. */
  resetApprovals(): Promise<number>;
}

export interface ToolsRequest extends Omit<HostToolRequest, 'ownNames'> {
  /** VS Code's name of the chat. */
  readonly session: string | undefined;
  /** Names of the tools that the plan of a waiting question was made with. */
  readonly plan: readonly string[];
}

/** All tools: ours, those of VS Code, of other extensions and of MCP servers. */
export function createTools(options: {
  readonly secretFiles: () => SecretFiles;
  readonly nextId: () => string;
  /** Where changes are kept for the next window; absent in a window without a folder. */
  readonly changes: TextFiles | undefined;
  /** Where it is kept which tools of others the person allowed in this workspace. */
  readonly store: StateStore;
  readonly log: Log;
}): Tools {
  const workspace = createWorkspace();
  const { secretFiles } = options;
  const kept =
    options.changes &&
    createKeptChanges({
      files: options.changes,
      isSecret: (path) => secretFiles().has(path),
      clock: Date.now,
      log: options.log,
    });
  const journal = createChangeJournal(workspace, kept);
  const toolset = createToolset({
    workspace,
    secretFiles,
    onChange: (change) => journal.record(change),
  });
  const whole = createWholeTexts(options.nextId);
  const approvals = createWorkspaceApprovals(options);
  const allowed = createAllowedTools(options.store);
  const own = registerTools({
    tools: toolset,
    nextId: options.nextId,
    whole,
    isVsCodeLoosened: () => approvals.loosened().has('all'),
    onRun: (ids) => journal.assign(ids),
  });
  const policy = createPathPolicy({ workspace, secretFiles });
  const host = createHostTools({ allowed, approvals, whole, policy, log: options.log });
  const whenThere = createLateTools({ clock: Date.now, wait });
  return {
    journal,
    whole,
    resetApprovals: () => allowed.reset(),
    async forRequest(request, signal) {
      approvals.enter(request.session);
      const isOn = (name: string) => !request.disabled.includes(name);
      // Their own path policy refuses to write there, too: other chats get them from VS Code.
      const isOffered = ({ name, effect }: Tool) =>
        isOn(name) && (vscode.workspace.isTrusted || effect === 'reads');
      const read = () => [
        ...own.forRequest(request.token).filter(isOffered),
        ...host.forRequest({ ...request, ownNames: toolset.map(({ name }) => name) }),
      ];
      // As VS Code names them and as Claude knows them: not every name can be offered as it is.
      const names = () => [...vscode.lm.tools, ...read()].map(({ name }) => name);
      await whenThere({ names, plan: request.plan.filter(isOn) }, signal);
      return read();
    },
    whenThere: (names, signal) =>
      whenThere({ names: () => vscode.lm.tools.map(({ name }) => name), plan: names }, signal),
    dispose: () => void vscode.Disposable.from(own, whole, approvals).dispose(),
  };
}
