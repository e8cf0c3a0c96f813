import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Log } from '../../core/ports';
import { withRemark } from '../../core/text/joined';
import { isObject } from '../../core/text/json';
import { codeBlock, codeSpan, plainBlock } from '../../core/text/markdown';
import { visibleLine } from '../../core/text/plainText';
import type { AllowedTools } from '../../core/tools/allowedTools';
import { refused } from '../../core/tools/approvals';
import {
  chooseHostTools,
  type Asks,
  type ChosenTool,
  type HostTool,
  type HostToolOptions,
  type OurQuestion,
  type ToolExtension,
} from '../../core/tools/chooseHostTools';
import { checkedFilePath } from '../../core/tools/hostToolPaths';
import type { PathPolicy } from '../../core/tools/paths/pathPolicy';
import {
  decide,
  denied,
  type CallInQuestion,
  type Decision,
  type Permissions,
} from '../../core/tools/permissions';
import type { Tool } from '../../core/tools/tool';
import type { Place } from '../../core/tools/workspace';
import { allowOnce, askPerson, type Question, skip } from './askPerson';
import { invokeTool, type ToolToken } from './invokeTool';
import { readFolders, uriOf } from './places';
import { allowAlways, type RuleOffers } from './ruleOffers';
import { toBlocks } from './toolResults';
import type { WholeTexts } from './wholeTexts';
import type { WorkspaceApprovals } from './workspaceApprovals';

export interface HostToolRequest extends Pick<
  HostToolOptions,
  'ownNames' | 'external' | 'disabled' | 'attached' | 'approvesAll'
> {
  readonly token: ToolToken;
}

export interface HostTools {
  /** The tools of VS Code, of other extensions and of MCP servers for one request. */
  forRequest(request: HostToolRequest): readonly Tool[];
}

export function createHostTools(options: {
  readonly allowed: AllowedTools;
  readonly approvals: WorkspaceApprovals;
  readonly whole: WholeTexts;
  readonly policy: PathPolicy;
  /** As the settings say now. */
  readonly permissions: () => Permissions;
  readonly ruleOffers: RuleOffers;
  readonly log: Log;
}): HostTools {
  const { allowed, approvals, whole, policy, permissions, ruleOffers, log } = options;
  const reported = new Set<string>();
  let wasDeferring = false;

  function reportOnce(name: string, reason: string): void {
    if (reported.has(name)) return;
    reported.add(name);
    log.warn(`The tool ${name} is not offered: ${reason}.`);
  }

  function toTool(chosen: ChosenTool, { token, ownNames }: HostToolRequest): Tool {
    const { hostName, name, description, inputSchema, effect, staysInChat, deferral } = chosen;
    return {
      name,
      description,
      inputSchema,
      effect,
      ...(staysInChat && { staysInChat }),
      ...(deferral && { deferral }),
      async run(call, signal) {
        const checked = chosen.takesFilePath
          ? await checkedFilePath(call.input, { ...pathCheck(), effect }, signal)
          : undefined;
        const input = checked?.input ?? call.input;
        const asks = chosen.asks(approvals.loosened());
        const inQuestion: CallInQuestion = {
          ...toCall(chosen, asks, ownNames),
          // A symbol is renamed in files that nobody names.
          touches: checked && { places: [checked.spellings], isAll: effect === 'reads' },
          ...(checked?.isAlwaysAsked && { question: 'always' }),
        };
        const decision = decide(inQuestion, permissions());
        if (decision.type === 'deny') return denied(decision.because);
        const question = ourQuestion(asks, decision);
        if (question && !(await isAllowedByPerson(inQuestion, input, question, token, signal)))
          return refused;
        const parts = await invokeTool(hostName, input, token, signal);
        if (parts === undefined) return refused;
        // Where VS Code asks, it asks whatever is allowed here.
        const isSpared = decision.type === 'allow' && asks.by === 'us';
        return {
          content: await toBlocks(parts),
          ...(isSpared && { unasked: { because: decision.because, isShown: false } }),
        };
      },
    };
  }

  const pathCheck = () => ({
    policy,
    folders: readFolders(),
    addressOf: (place: Place) => uriOf(place).toString(),
  });

  async function isAllowedByPerson(
    call: CallInQuestion,
    input: unknown,
    about: OurQuestion,
    token: ToolToken,
    signal: AbortSignal,
  ): Promise<boolean> {
    const [tool = ''] = call.names;
    const known = { name: tool, extension: about.extension?.id };
    const canBeRemembered = call.question !== 'always' && about.isWanted !== true;
    if (canBeRemembered && allowed.has(known)) return true;
    const [once, session, workspace, always] = [
      allowOnce(),
      l10n.t('Allow in this Session'),
      l10n.t('Allow in this Workspace'),
      allowAlways(),
    ] as const;
    const more = [
      ...(canBeRemembered ? [session, workspace] : []),
      ...(ruleOffers.has(call) ? [always] : []),
    ];
    const buttons = { yes: once, no: skip(), ...(more.length > 0 && { more }) };
    const answer = await askPerson(questionFor(tool, input, about), buttons, { token, whole }, signal);
    // No second card for one call: whoever chooses no rule has not allowed it.
    if (answer === always) return ruleOffers.choose(call);
    if (answer === session || answer === workspace) {
      await allowed
        .allow(known, answer === session ? 'session' : 'workspace')
        .catch((error: unknown) => log.error('an approval could not be kept', error));
    }
    return answer === once || answer === session || answer === workspace;
  }

  return {
    forRequest(request) {
      const tools = chooseHostTools({
        ...request,
        available: readHostTools(),
        isTrusted: vscode.workspace.isTrusted,
        roots: readFolders().map(({ root }) => root),
        onLeftOut: reportOnce,
        wasDeferring,
      });
      wasDeferring ||= tools.some(({ deferral }) => deferral !== undefined);
      return tools.map((chosen) => toTool(chosen, request));
    },
  };
}

function toCall(
  { hostName, name, origin, effect }: ChosenTool,
  asks: Asks,
  ownNames: readonly string[],
): Omit<CallInQuestion, 'touches'> {
  const isSparable = vscode.workspace.isTrusted && !(asks.by === 'us' && asks.isLoosened);
  return {
    names: [hostName, name],
    origin,
    ownNames,
    hasSideEffects: effect === 'writes' && asks.by !== 'nobody',
    isEdit: false,
    question: asks.by === 'nobody' ? 'none' : isSparable ? 'sparable' : 'always',
  };
}

/** What we ask about a call, if anything: where VS Code asks, a second question would be one too many (R5). */
function ourQuestion(asks: Asks, decision: Decision): OurQuestion | undefined {
  if (decision.type !== 'ask' || asks.by === 'vscode') return undefined;
  return { ...(asks.by === 'us' && asks), ...(decision.rule !== undefined && { isWanted: true }) };
}

/** The title leaves the name out: VS Code drops underscores and the like from titles. */
function questionFor(tool: string, input: unknown, about: OurQuestion): Question {
  const json = JSON.stringify(input, undefined, 2);
  const [inCard, inDialog] = [codeBlock('json', json), plainBlock(json)];
  const origin = about.extension && withRemark(about.extension.label, about.extension.id);
  const isUnknown = about.question === undefined;
  const loosened = about.isLoosened
    ? [l10n.t('⚠️ This workspace tells VS Code to run tools without asking, so Claude Assistant asks.')]
    : [];
  const hint =
    isUnknown && !about.isLoosened && !about.isWanted
      ? [
          l10n.t(
            'Some tools also ask by themselves. If this one does, allow it here for the workspace: its own question still comes.',
          ),
        ]
      : [];
  return {
    title:
      about.question ??
      (about.extension
        ? l10n.t('Let Claude use a tool of another extension?')
        : l10n.t('Let Claude use this tool?')),
    message: [...loosened, whatItGets(codeSpan(tool), origin && codeSpan(origin)), inCard.text, ...hint].join(
      '\n\n',
    ),
    summary: [
      ...loosened,
      whatItGets(visibleLine(tool), origin && visibleLine(origin)),
      inDialog.text,
      ...hint,
    ].join('\n\n'),
    ...(!inDialog.isWhole && { whole: { language: 'json', text: json, isInMessage: inCard.isWhole } }),
  };
}

function whatItGets(tool: string, origin: string | undefined): string {
  return origin === undefined ? l10n.t('{0} gets:', tool) : l10n.t('{0} of {1} gets:', tool, origin);
}

/** The tools that VS Code lists, each with the extension that contributes it, as far as it runs beside us. */
function readHostTools(): readonly HostTool[] {
  const extensions = new Map<string, ToolExtension>();
  for (const { id, packageJSON } of vscode.extensions.all) {
    for (const { name, referenceName } of contributedTools(packageJSON)) {
      const fullName = `${id.toLowerCase()}/${referenceName}`;
      extensions.set(name, {
        id,
        label: labelOf(packageJSON) ?? id,
        isBuiltIn: isObject(packageJSON) && packageJSON['isBuiltin'] === true,
        isAlwaysAsked: () => isAlwaysAsked(fullName),
      });
    }
  }
  return vscode.lm.tools.map(({ name, description, inputSchema, tags }) => ({
    name,
    description,
    inputSchema,
    tags,
    extension: extensions.get(name),
  }));
}

function isAlwaysAsked(fullName: string): boolean {
  const eligible: unknown = vscode.workspace.getConfiguration('chat.tools').get('eligibleForAutoApproval');
  return isObject(eligible) && eligible[fullName] === false;
}

function contributedTools(
  manifest: unknown,
): readonly { readonly name: string; readonly referenceName: string }[] {
  const contributes = isObject(manifest) ? manifest['contributes'] : undefined;
  const tools = isObject(contributes) ? contributes['languageModelTools'] : undefined;
  return (Array.isArray(tools) ? tools : []).filter(isObject).flatMap((tool) => {
    const { name, toolReferenceName, displayName } = tool;
    if (typeof name !== 'string') return [];
    const referenceName = [toolReferenceName, displayName].find((one) => typeof one === 'string');
    return [{ name, referenceName: typeof referenceName === 'string' ? referenceName : name }];
  });
}

function labelOf(manifest: unknown): string | undefined {
  const label = isObject(manifest) ? manifest['displayName'] : undefined;
  return typeof label === 'string' && label.trim() !== '' ? label : undefined;
}
