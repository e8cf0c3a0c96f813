import { isObject } from '../text/json';

/** A setting of VS Code by which it runs tools without asking. */
export interface ApprovalSetting {
  readonly name: string;
  /** All tools, or only those that type into a terminal, or those of MCP servers. */
  readonly concerns: 'all' | 'terminal' | 'mcp';
  /** Whether this value lets something run unasked that was asked about before. */
  readonly loosens: (value: unknown) => boolean;
}

/**
 * Those that a workspace can set. VS Code counts them in a trusted workspace, and `chat.permissions.default` in any: a
 * repository could so have Claude run commands unasked (S2). A test in VS Code fails when it knows more of them.
 */
export const approvalSettings: readonly ApprovalSetting[] = [
  {
    name: 'chat.permissions.default',
    concerns: 'all',
    loosens: (value) => value !== 'default',
  },
  // What the person wants to be asked about each time, VS Code would then ask about no more.
  { name: 'chat.tools.eligibleForAutoApproval', concerns: 'all', loosens: hasEligible },
  // No setting, but VS Code reads the file for MCP servers as one, and asks nothing about a server with a sandbox: not
  // even on Windows, where there is none, and whatever the same file lets out of it.
  { name: 'mcp', concerns: 'mcp', loosens: hasSandboxedServer },
  { name: 'chat.tools.terminal.autoApprove', concerns: 'terminal', loosens: hasApproval },
  // Its older name, which still counts.
  { name: 'chat.agent.terminal.autoApprove', concerns: 'terminal', loosens: hasApproval },
  { name: 'chat.tools.terminal.enableAutoApprove', concerns: 'terminal', loosens: isOn },
  { name: 'chat.tools.terminal.ignoreDefaultAutoApproveRules', concerns: 'terminal', loosens: isOn },
  { name: 'chat.tools.terminal.autoApproveWorkspaceNpmScripts', concerns: 'terminal', loosens: isOn },
  { name: 'chat.tools.terminal.autoReplyToPrompts', concerns: 'terminal', loosens: isOn },
  {
    name: 'chat.tools.terminal.blockDetectedFileWrites',
    concerns: 'terminal',
    loosens: (value) => value !== 'all',
  },
  // What runs in a sandbox runs unasked, and these say what the sandbox lets through.
  { name: 'chat.tools.terminal.sandbox', concerns: 'terminal', loosens: hasAny },
  { name: 'chat.agent.sandbox', concerns: 'terminal', loosens: hasAny },
];

/** What the values of a workspace, and not those of the person, let run unasked. */
export type Loosened = ReadonlySet<ApprovalSetting['concerns']>;

export function loosenedBy(valuesOf: (setting: string) => readonly unknown[]): Loosened {
  const loosening = approvalSettings.filter(({ name, loosens }) =>
    valuesOf(name).some((value) => value !== undefined && loosens(value)),
  );
  return new Set(loosening.map(({ concerns }) => concerns));
}

function isOn(value: unknown): boolean {
  return value !== false;
}

function hasAny(values: unknown): boolean {
  return isObject(values) && Object.keys(values).length > 0;
}

function hasEligible(tools: unknown): boolean {
  return isObject(tools) && Object.values(tools).some(isOn);
}

function hasSandboxedServer(file: unknown): boolean {
  const servers = isObject(file) ? file['servers'] : undefined;
  return (
    isObject(servers) &&
    Object.values(servers).some((server) => isObject(server) && server['sandboxEnabled'] === true)
  );
}

function hasApproval(rules: unknown): boolean {
  return isObject(rules) && Object.values(rules).some(approves);
}

function approves(rule: unknown): boolean {
  return rule === true || (isObject(rule) && rule['approve'] === true);
}
