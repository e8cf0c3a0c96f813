import * as l10n from '@vscode/l10n';
import { isObject } from '../text/json';
import { codeSpan } from '../text/markdown';
import { caseFoldPath } from './paths/caseFold';
import { anchorGlob, compileGlob, isTooLarge } from './paths/glob';
import type { ToolOutput } from './tool';
import type { Place } from './workspace';

/** `assistant.permissionMode` (R1). */
export type PermissionMode = 'ask' | 'edits' | 'readOnly';

/** One of `assistant.permissions` (R2). */
export interface PermissionRule {
  /** A name of a tool, or a glob over names. */
  readonly tool: string;
  /** A glob relative to the workspace folder. */
  readonly path?: string;
  readonly decision: 'allow' | 'ask' | 'deny';
}

/** What the user has allowed before, by settings that no workspace can make. */
export interface Permissions {
  readonly mode: PermissionMode;
  readonly rules: readonly PermissionRule[];
}

/** A call as far as permissions are about it. */
export interface CallInQuestion {
  /** What it goes by: its name in VS Code and, where that differs, the one for Claude. */
  readonly names: readonly string[];
  /** Ours are known by what they are: a name is no proof. */
  readonly origin: 'ours' | 'mcp' | 'others';
  /** The names of all our own tools. */
  readonly ownNames: readonly string[];
  readonly hasSideEffects: boolean;
  /** A change to files by a tool of ours. */
  readonly isEdit: boolean;
  /** Undefined where nobody knows beforehand. */
  readonly touches: Touched | undefined;
  /** `always`: whatever the mode and the rules say (R3). */
  readonly question: 'none' | 'sparable' | 'always';
}

/** The places that a call reads or changes. */
export interface Touched {
  /** Each in all its spellings: as it was named, and with links followed. */
  readonly places: readonly (readonly Place[])[];
  /** False where there are more. */
  readonly isAll: boolean;
}

export type Decision =
  /** Nobody would ask about it. */
  | { readonly type: 'run' }
  | { readonly type: 'allow'; readonly because: Allowed }
  /** `rule`: the index of the rule that wants it. */
  | { readonly type: 'ask'; readonly rule?: number }
  | { readonly type: 'deny'; readonly because: Denied };

/** Why a call ran unasked (R4). Rules are counted from 1. */
export type Allowed =
  | { readonly by: 'edits' }
  | { readonly by: 'rule'; readonly rule: number; readonly tool: string; readonly path?: string };

export type Denied = { readonly by: 'readOnly' } | { readonly by: 'rule'; readonly rule: number };

/**
 * The first rule that fits counts, before the mode. No rule lets run what has side effects in `readOnly`, and none
 * spares the questions that are always asked (R3).
 */
export function decide(call: CallInQuestion, { mode, rules }: Permissions): Decision {
  const index = rules.findIndex((candidate) => fits(candidate, call));
  const rule = rules[index];
  if (rule?.decision === 'deny') return { type: 'deny', because: { by: 'rule', rule: index + 1 } };
  if (mode === 'readOnly' && call.hasSideEffects) return { type: 'deny', because: { by: 'readOnly' } };
  if (rule?.decision === 'ask') return { type: 'ask', rule: index };
  if (call.question === 'none') return { type: 'run' };
  if (call.question === 'always') return { type: 'ask' };
  if (rule) {
    const { tool, path } = rule;
    return {
      type: 'allow',
      because: { by: 'rule', rule: index + 1, tool, ...(path !== undefined && { path }) },
    };
  }
  return mode === 'edits' && call.isEdit ? { type: 'allow', because: { by: 'edits' } } : { type: 'ask' };
}

/** In doubt a rule that allows does not fit, and one that asks or denies does. */
function fits(rule: PermissionRule, call: CallInQuestion): boolean {
  return fitsTool(rule, call) && (rule.path === undefined || fitsPlaces(rule.path, rule.decision, call));
}

function fitsTool({ tool, decision }: PermissionRule, { names, origin, ownNames }: CallInQuestion): boolean {
  if (decision !== 'allow') return names.some(compileGlob(tool, { isCaseSensitive: false }));
  const isNamed = compileGlob(tool, { isCaseSensitive: true });
  if (!names.every(isNamed)) return false;
  // `edit_*` and `*` are meant for ours: nobody else gains by a name that begins alike, or by one like an MCP server's.
  if (origin !== 'ours' && ownNames.some(isNamed)) return false;
  return origin !== 'others' || !names.some((name) => /^mcp_/i.test(name));
}

function fitsPlaces(
  glob: string,
  decision: PermissionRule['decision'],
  { touches }: CallInQuestion,
): boolean {
  if (touches === undefined || touches.places.length === 0) return false;
  const { places, isAll } = touches;
  const rooted = glob.replace(/^\.\//, '').replace(/\/$/, '/**');
  if (decision === 'allow') {
    const isFitting = compileGlob(rooted, { isCaseSensitive: true });
    return isAll && places.every((spellings) => spellings.every(({ path }) => isFitting(path)));
  }
  // People write `private` and `*.key` for what is anywhere, and for all that is in it.
  const anywhere = anchorGlob(glob);
  const fitting = [rooted, anywhere, `${anywhere}/**`].map((one) =>
    compileGlob(one, { isCaseSensitive: false }),
  );
  const isDoubtful = (path: string) => fitting.some((isFitting) => isFitting(path));
  return places.flat().some(({ path }) => isDoubtful(path) || isDoubtful(caseFoldPath(path)));
}

/** Whether a value from the settings is a rule that can be understood: one with a typing error might allow too much. */
export function isPermissionRule(value: unknown): value is PermissionRule {
  if (!isObject(value)) return false;
  const { tool, path, decision, ...unknown } = value;
  return (
    Object.keys(unknown).length === 0 &&
    isGlob(tool) &&
    (path === undefined || (isGlob(path) && isInside(path))) &&
    (decision === 'allow' || decision === 'ask' || decision === 'deny')
  );
}

function isGlob(value: unknown): value is string {
  return typeof value === 'string' && value.trim() === value && value !== '' && !isTooLarge(value);
}

/** Paths of the workspace are never written in another way, so that such a glob would fit nothing. */
function isInside(glob: string): boolean {
  return !/^[/~]|^[a-z]:|\\/i.test(glob) && !glob.split(/[/{},]/).includes('..');
}

/** R4: `allowed: edits mode`, `allowed: rule 2, src/**`, as Markdown. */
export function describeAllowed(because: Allowed): string {
  if (because.by === 'edits') return l10n.t('allowed: edits mode');
  return l10n.t('allowed: rule {0}, {1}', because.rule, codeSpan(because.path ?? because.tool));
}

export function describeDenied(because: Denied): string {
  return because.by === 'readOnly'
    ? l10n.t('not allowed: read-only mode')
    : l10n.t('not allowed: rule {0}', because.rule);
}

/** What Claude is told. */
export function denied(because: Denied): ToolOutput {
  const why =
    because.by === 'readOnly'
      ? 'the person has set assistant.permissionMode to readOnly, so that nothing with side effects runs. Say what you would do instead'
      : `rule ${because.rule} of the person's assistant.permissions does not allow this call. Go on without it or ask what they want`;
  return {
    content: `Nothing was done: ${why}. Do not try it in another way: only the person can change this setting.`,
    isError: true,
  };
}
