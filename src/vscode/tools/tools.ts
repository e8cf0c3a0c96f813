import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { TurnId } from '../../core/conversation/turn';
import type { Log, StateStore } from '../../core/ports';
import { paragraph } from '../../core/text/joined';
import { createAllowedTools } from '../../core/tools/allowedTools';
import { refused } from '../../core/tools/approvals';
import { type ChangeStore } from '../../core/tools/changes/changeRows';
import { createChanges, type Changes } from '../../core/tools/changes/changes';
import { confirmUse } from '../../core/tools/confirmation';
import { createGuidance, type Guidance } from '../../core/tools/guidance/guidance';
import type { GuidanceFolder } from '../../core/tools/guidance/shelf';
import type { Notes } from '../../core/tools/notes/notes';
import { createTurnSources } from '../../core/tools/notes/turnSources';
import { createPathPolicy } from '../../core/tools/paths/pathPolicy';
import type { SecretFiles } from '../../core/tools/paths/secretFiles';
import { decide, denied, type Permissions } from '../../core/tools/permissions';
import { createSharedRecall, type RecallMemory } from '../../core/tools/recall';
import type { Tool } from '../../core/tools/tool';
import { createToolset } from '../../core/tools/toolset';
import { isForScouts, withoutQuestions } from '../../core/tools/unattended';
import { createToolWait } from '../../core/tools/waitForTools';
import { webTools, type Web } from '../../core/tools/web/web';
import type { Workspace } from '../../core/tools/workspace';
import type { CallingTurn } from '../../core/tools/workspaceTool';
import { inform } from '../notify';
import { wait } from '../wait';
import { allowOnce, askOnce, skip, type Asking } from './askPerson';
import { createHostTools, type HostToolRequest } from './hostTools';
import type { ToolToken } from './invokeTool';
import { registerTools } from './languageModelTools';
import { followProblemReports } from './problemReports';
import { createRuleOffers } from './ruleOffers';
import { createWholeTexts, type WholeTexts } from './wholeTexts';
import { createWorkspace } from './workspace';
import { createWorkspaceApprovals } from './workspaceApprovals';

export interface Tools extends vscode.Disposable {
  /** What Claude can call in one request, always in the same order. */
  forRequest(request: ToolsRequest, signal: AbortSignal): Promise<RequestTools>;
  /** A tool of the conversation itself, as the rules want it (R2). Without a chat, a dialog asks. */
  permit(tool: Tool, token: ToolToken): Tool;
  /** Waits for tools of VS Code's own that a window just opened may still lack, a few seconds at most. */
  waitForTools(names: readonly string[], signal: AbortSignal): Promise<void>;
  readonly workspace: Workspace;
  readonly changes: Changes;
  /** The team's own words, and the person's. */
  readonly guidance: Guidance;
  /** Texts that are too long for a question. */
  readonly whole: WholeTexts;
  /** Forgets which tools of others the person allowed for longer; says how many. */
  resetApprovals(): Promise<number>;
}

export interface RequestTools {
  readonly tools: readonly Tool[];
  /** What scouts of this request get: they read, and ask nobody (L16). */
  readonly forScouts: readonly Tool[];
}

export interface ToolsRequest extends Omit<HostToolRequest, 'ownNames'> {
  /** VS Code's name of the chat. */
  readonly session: string | undefined;
  readonly turnId: TurnId;
  /** The person's own words; none where they did not write the message. */
  readonly words: string;
  /** What the web is asked by. */
  readonly web: NonNullable<CallingTurn['web']>;
  /** Names of what they attached. */
  readonly enclosed: readonly string[];
  /** Names of the tools that the turn had whose question waits. */
  readonly askedWith: readonly string[];
}

/** All tools: ours, those of VS Code, of other extensions and of MCP servers. */
export function createTools(options: {
  readonly secretFiles: () => SecretFiles;
  /** As the settings say now: what the person allows or forbids in the midst of a turn counts for the next call. */
  readonly permissions: () => Permissions;
  readonly nextId: () => string;
  /** Where changes are kept until they are judged. */
  readonly changes: ChangeStore;
  /** What was said in this workspace, and whether it may be looked into. */
  readonly recall: { readonly memory: RecallMemory; readonly isOn: () => boolean };
  readonly notes: Pick<Notes, 'list' | 'add'>;
  readonly web: Web;
  /** The person's own `.claude` folder. */
  readonly personalFolder: GuidanceFolder;
  /** Where it is kept which tools of others the person allowed in this workspace. */
  readonly store: StateStore;
  readonly log: Log;
}): Tools {
  const reports = followProblemReports();
  const workspace = createWorkspace(reports);
  const { secretFiles, permissions, web } = options;
  const changes = createChanges({ store: options.changes, workspace, clock: Date.now, log: options.log });
  const policy = createPathPolicy({ workspace, secretFiles });
  const guidance = createGuidance({
    workspace,
    policy,
    person: options.personalFolder,
    secretFiles,
    wait,
    log: options.log,
  });
  const createOwn = () =>
    createToolset({ workspace, secretFiles, changes, notes: options.notes, web, guidance });
  const toolset = createOwn();
  // What a scout has read, Claude has not: it must not count as known when a file is edited.
  const scoutTools = withoutQuestions(createOwn().filter(isForScouts), permissions);
  const forOthers = [createSharedRecall(options.recall.memory, options.recall.isOn)];
  const ownNames = [...toolset, ...forOthers].map(({ name }) => name);
  const whole = createWholeTexts(options.nextId, options.log);
  const approvals = createWorkspaceApprovals(options);
  const allowed = createAllowedTools(options.store);
  const ruleOffers = createRuleOffers(options);
  const own = registerTools({
    tools: toolset,
    forOthers,
    nextId: options.nextId,
    whole,
    permissions,
    ruleOffers,
    isVsCodeLoosened: () => approvals.loosened().has('all'),
  });
  const host = createHostTools({
    allowed,
    approvals,
    whole,
    policy,
    permissions,
    ruleOffers,
    log: options.log,
  });
  const waitForTools = createToolWait({ clock: Date.now, wait });
  return {
    workspace,
    changes,
    guidance,
    whole,
    resetApprovals: () => allowed.reset(),
    async forRequest(request, signal) {
      approvals.enter(request.session);
      const isOn = (name: string) => !request.disabled.includes(name);
      // Their own path policy refuses to write there, too: other chats get them from VS Code.
      const isOffered = ({ name, effect }: Tool) =>
        isOn(name) &&
        (vscode.workspace.isTrusted || effect === 'reads') &&
        (!webTools.includes(name) || (vscode.workspace.isTrusted && web.mode() !== 'off'));
      const sources = createTurnSources(request.enclosed);
      const turn = { id: request.turnId, words: request.words, read: () => sources.list(), web: request.web };
      const ours = own.forRequest({ token: request.token, turn }).filter(isOffered);
      const read = () => [
        ...ours.map((tool) => sources.follow(tool, 'us')),
        ...host.forRequest({ ...request, ownNames }).map((tool) => sources.follow(tool, 'others')),
      ];
      // As VS Code names them and as Claude knows them: not every name can be offered as it is.
      const names = () => [...vscode.lm.tools, ...read()].map(({ name }) => name);
      await waitForTools({ names, wanted: request.askedWith.filter(isOn) }, signal);
      return {
        tools: read(),
        forScouts: scoutTools.filter(({ name }) => isOn(name)).map((tool) => sources.follow(tool, 'us')),
      };
    },
    permit: (tool, token) => permitted(tool, { permissions, ownNames, asking: { token, whole } }),
    waitForTools: (names, signal) =>
      waitForTools({ names: () => vscode.lm.tools.map(({ name }) => name), wanted: names }, signal),
    dispose: () => void vscode.Disposable.from(own, whole, ruleOffers, approvals, reports).dispose(),
  };
}

/** Nobody is asked about tools that stay in the chat, unless a rule wants it. */
function permitted(
  tool: Tool,
  {
    permissions,
    ownNames,
    asking,
  }: {
    readonly permissions: () => Permissions;
    readonly ownNames: readonly string[];
    readonly asking: Asking;
  },
): Tool {
  return {
    ...tool,
    async run(call, signal, report) {
      const about = { isEdit: false, hasSideEffects: false, touches: undefined, question: 'none' } as const;
      const decision = decide({ names: [tool.name], origin: 'ours', ownNames, ...about }, permissions());
      if (decision.type === 'deny') return denied(decision.because);
      const question = confirmUse({ title: tool.name, input: call.input });
      const buttons = { yes: allowOnce(), no: skip() };
      if (decision.type === 'ask' && !(await askOnce(question, asking, signal, buttons))) return refused;
      return tool.run(call, signal, report);
    },
  };
}

/** Claude asks again about every tool of others. What VS Code remembers is VS Code's own, and named with a way there. */
export async function resetToolApprovals(tools: Pick<Tools, 'resetApprovals'>): Promise<void> {
  const count = await tools.resetApprovals();
  const done =
    count === 0
      ? l10n.t('No tool of another extension was allowed for longer than one call.')
      : l10n.t('Claude asks again before it uses tools of other extensions (allowed until now: {0}).', count);
  const manage = l10n.t('Manage VS Code’s Approvals…');
  const others = l10n.t('What you allowed in cards of VS Code itself, VS Code remembers.');
  if ((await inform(paragraph([done, others]), manage)) === manage) {
    await vscode.commands.executeCommand('workbench.action.chat.editToolApproval');
  }
}
