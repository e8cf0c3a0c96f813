import * as l10n from '@vscode/l10n';
import type { BudgetLimits } from './agent/spending';
import { wordList } from './text/joined';
import { isObject } from './text/json';
import type { ExternalTools } from './tools/chooseHostTools';
import { defaultSecretFiles } from './tools/paths/secretFiles';
import { isPermissionRule, type PermissionRule, type Permissions } from './tools/permissions';
import { isWebDomains, readableDomains, type WebDomains } from './tools/web/domains';

/** A value that cannot be used; the default serves in its place. */
export interface SettingProblem {
  readonly setting: string;
  readonly value: unknown;
  readonly allowed: string;
}

interface Rule<T> {
  readonly fallback: T;
  readonly allowed: string;
  readonly accepts: (value: unknown) => value is T;
  /** What of a value that cannot be used is still no less careful than the default. */
  readonly careful?: (value: unknown) => T;
}

/**
 * What each setting accepts. `package.json` declares the same defaults; a test compares them. A function, since texts can
 * be translated only after activation.
 */
export const settingRules = () => ({
  maxTurns: wholeNumber(10, { from: 0, to: 1000 }, l10n.t('0 keeps all turns')),
  conversationTimeout: wholeNumber(1800, { from: 0, to: 31_536_000 }, l10n.t('in seconds, 0 is never')),
  conversationScope: oneOf(['workspace', 'thread']),
  historyTokenBudget: wholeNumber(100_000, { from: 0, to: 10_000_000 }, l10n.t('in tokens, 0 is no budget')),
  whenFull: oneOf(['drop', 'summarize']),
  eviction: oneOf(['oldest', 'half']),
  recall: yesOrNo(true),
  archiveSize: wholeNumber(100, { from: 0, to: 1000 }, l10n.t('0 keeps none')),
  model: modelId('claude-sonnet-5-5'),
  'explore.model': modelId('claude-haiku-5-5'),
  maxOutputTokens: wholeNumber(32_000, { from: 256, to: 128_000 }, l10n.t('in tokens')),
  effort: oneOf(['default', 'low', 'medium', 'high', 'xhigh', 'max']),
  maxRounds: wholeNumber(25, { from: 1, to: 500 }, l10n.t('tool rounds in one turn')),
  'budget.turn': amount(),
  'budget.day': amount(),
  requestTimeout: wholeNumber(600, { from: 5, to: 3600 }, l10n.t('in seconds')),
  'tools.external': rule<ExternalTools>(
    'ask',
    l10n.t('"ask", "off" or a list of tool names'),
    (value): value is ExternalTools => value === 'ask' || value === 'off' || isNames(value),
  ),
  'tools.disabled': rule<readonly string[]>([], l10n.t('a list of tool names'), isNames),
  permissionMode: oneOf(['ask', 'edits', 'readOnly']),
  permissions: {
    ...rule<readonly PermissionRule[]>(
      [],
      l10n.t(
        'a list of rules such as {0}, with "allow", "ask" or "deny" and a glob inside the workspace',
        '{"tool": "edit_file", "path": "src/**", "decision": "allow"}',
      ),
      areRules,
    ),
    careful: withoutAllowing,
  },
  web: oneOf(['ask', 'on', 'off']),
  webDomains: {
    ...rule<WebDomains>(
      {},
      l10n.t('lists of domains such as {0}', '{"allow": ["example.com"], "block": []}'),
      isWebDomains,
    ),
    careful: readableDomains,
  },
  secretFiles: rule(defaultSecretFiles, l10n.t('a list of globs'), isNames),
  instructions: text('', l10n.t('a text of at most 20,000 characters'), (value) => value.length <= 20_000),
  baseUrl: text(
    '',
    l10n.t('an http or https address, or nothing'),
    (value) => value === '' || isWebAddress(value),
  ),
  headers: rule({}, l10n.t('an object of header names and text values'), isHeaders),
});

type Rules = ReturnType<typeof settingRules>;

/** All settings as one frozen value, read once per request. */
export type Settings = {
  readonly [Name in keyof Rules]: Rules[Name]['fallback'];
};

/** Reads every setting through `read`; a bad value gives its default and a problem that names it. */
export function parseSettings(read: (name: string) => unknown): {
  readonly settings: Settings;
  readonly problems: readonly SettingProblem[];
} {
  const problems: SettingProblem[] = [];
  const rules: Readonly<Record<string, Rule<unknown>>> = settingRules();
  const entries = Object.entries(rules).map(([setting, { fallback, allowed, accepts, careful }]) => {
    const value = read(setting);
    const isUsable = value === undefined || accepts(value);
    if (!isUsable) problems.push({ setting, value, allowed });
    return [setting, isUsable ? (value ?? fallback) : (careful?.(value) ?? fallback)];
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each value is the rule's own, or accepted by it
  const settings = Object.fromEntries(entries) as Settings;
  // What cannot be read may have been there to forbid something.
  const isUnread = (name: string) => problems.some(({ setting }) => setting === name);
  const mode = isUnread('permissions') ? asksAtLeast(settings) : undefined;
  const web = isUnread('webDomains') && settings.web === 'on' ? ({ web: 'ask' } as const) : undefined;
  return { settings: Object.freeze({ ...settings, ...mode, ...web }), problems };
}

function asksAtLeast({ permissionMode }: Settings): Pick<Settings, 'permissionMode'> {
  return { permissionMode: permissionMode === 'edits' ? 'ask' : permissionMode };
}

/** What the user allows before anybody asks (R1, R2). */
export function permissionsIn({ permissionMode, permissions }: Settings): Permissions {
  return { mode: permissionMode, rules: permissions };
}

/** L14. */
export function budgetIn(settings: Settings): BudgetLimits {
  return { turn: settings['budget.turn'], day: settings['budget.day'] };
}

/** Whether a workspace can only lower what the user has set (L14). */
export function isBudget(setting: string): boolean {
  return setting.startsWith('budget.');
}

/** The lowest of what the user and the workspace say; 0 is no limit. What cannot be read takes no limit away. */
export function strictest(...values: readonly unknown[]): unknown {
  const given = values.filter((value) => value !== undefined);
  const limits = given.filter(amount().accepts).filter((value) => value > 0);
  return limits.length > 0 ? Math.min(...limits) : (given.find((value) => value !== 0) ?? given[0]);
}

/** L17. */
export function webSettingsIn(settings: Settings) {
  const { web, webDomains, model } = settings;
  return { mode: web, domains: webDomains, modelId: settings['explore.model'], fallbackModelId: model };
}

/** M27. Where nothing is archived, there is nothing to recall. */
export function canRecall({ recall, archiveSize }: Settings): boolean {
  return recall && archiveSize > 0;
}

/** One sentence for a problem. What may be a secret is left out. */
export function describeProblem({ setting, value, allowed }: SettingProblem): string {
  const mayBeSecret = setting === 'headers' || (setting === 'baseUrl' && String(value).includes('@'));
  // Of a list of rules, the one that is wrong.
  const wrong = setting === 'permissions' && Array.isArray(value) ? value.find(isNoRule) : undefined;
  const named = `assistant.${setting}`;
  if (mayBeSecret)
    return l10n.t('The value of {0} cannot be used: it must be {1}. Using the default.', named, allowed);
  const shown = shortJson(wrong ?? value);
  return setting === 'permissions'
    ? l10n.t(
        '{0} cannot be {1}: it must be {2}. Until then no rule and no mode allows anything; rules that ask or deny still count.',
        named,
        shown,
        allowed,
      )
    : l10n.t('{0} cannot be {1}: it must be {2}. Using the default.', named, shown, allowed);
}

function rule<T>(fallback: T, allowed: string, accepts: (value: unknown) => value is T): Rule<T> {
  return { fallback, allowed, accepts };
}

function wholeNumber(fallback: number, { from, to }: { from: number; to: number }, note: string) {
  const allowed = l10n.t('a whole number from {0} to {1} ({2})', from, to, note);
  return rule(
    fallback,
    allowed,
    (value): value is number =>
      typeof value === 'number' && Number.isInteger(value) && value >= from && value <= to,
  );
}

/** US dollars. */
function amount(): Rule<number> {
  return rule(
    0,
    l10n.t('an amount in US dollars from 0 to {0} (0 is no limit)', maxAmount),
    (value): value is number => typeof value === 'number' && value >= 0 && value <= maxAmount,
  );
}

const maxAmount = 100_000;

/** The first one is the default. */
function oneOf<const T extends string>(values: readonly [T, ...T[]]): Rule<T> {
  const allowed = l10n.t('one of {0}', wordList(values.map((value) => JSON.stringify(value))));
  return rule<T>(values[0], allowed, (value): value is T => values.some((known) => known === value));
}

function yesOrNo(fallback: boolean): Rule<boolean> {
  return rule(
    fallback,
    wordList([true, false].map(String)),
    (value): value is boolean => typeof value === 'boolean',
  );
}

function text(fallback: string, allowed: string, fits: (value: string) => boolean): Rule<string> {
  return rule(fallback, allowed, (value): value is string => typeof value === 'string' && fits(value));
}

function modelId(fallback: string): Rule<string> {
  return text(fallback, l10n.t('the id of a Claude model'), (value) => /^\S+$/.test(value));
}

function isNames(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((name) => typeof name === 'string' && name.trim() !== '');
}

function areRules(value: unknown): value is readonly PermissionRule[] {
  return Array.isArray(value) && value.length <= mostRules && value.every(isPermissionRule);
}

function isNoRule(value: unknown): boolean {
  return !isPermissionRule(value);
}

/** More than this nobody writes, and each call goes through them. */
const mostRules = 500;

function withoutAllowing(value: unknown): readonly PermissionRule[] {
  const rules = Array.isArray(value) ? value.slice(0, mostRules).filter(isPermissionRule) : [];
  return rules.filter(({ decision }) => decision !== 'allow');
}

function isWebAddress(value: string): boolean {
  return URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
}

function isHeaders(value: unknown): value is Readonly<Record<string, string>> {
  return isObject(value) && Object.entries(value).every(([name, header]) => isHeader(name, header));
}

function isHeader(name: string, value: unknown): boolean {
  return /^[\w!#$%&'*+.^`|~-]+$/.test(name) && typeof value === 'string' && /^[\t\x20-\x7e]*$/.test(value);
}

function shortJson(value: unknown): string {
  const json = typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? l10n.t('this value'));
  return json.length > 60 ? `${json.slice(0, 60)}…` : json;
}
