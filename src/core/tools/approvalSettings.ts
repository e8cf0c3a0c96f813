import { isObject } from '../json';

/** A setting of VS Code by which it runs tools without asking. */
export interface ApprovalSetting {
  readonly name: string;
  /** All tools, or only those that type into a terminal. */
  readonly concerns: 'all' | 'terminal';
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
export type Loosened = 'nothing' | 'terminal' | 'all';

export function loosenedBy(valuesOf: (setting: string) => readonly unknown[]): Loosened {
  const loosening = approvalSettings.filter(({ name, loosens }) =>
    valuesOf(name).some((value) => value !== undefined && loosens(value)),
  );
  if (loosening.some(({ concerns }) => concerns === 'all')) return 'all';
  return loosening.length > 0 ? 'terminal' : 'nothing';
}

function isOn(value: unknown): boolean {
  return value !== false;
}

function hasAny(values: unknown): boolean {
  return isObject(values) && Object.keys(values).length > 0;
}

function hasApproval(rules: unknown): boolean {
  return isObject(rules) && Object.values(rules).some(approves);
}

function approves(rule: unknown): boolean {
  return rule === true || (isObject(rule) && rule['approve'] === true);
}
