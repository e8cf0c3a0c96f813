import * as l10n from '@vscode/l10n';
import type { Effort } from './ports';
import type { ExternalTools } from './tools/chooseHostTools';
import { defaultSecretFiles } from './tools/paths/secretFiles';

/** All settings as one frozen value, read once per request. */
export interface Settings {
  readonly maxTurns: number;
  readonly conversationTimeout: number;
  readonly conversationScope: 'workspace' | 'thread';
  readonly historyTokenBudget: number;
  readonly whenFull: 'drop' | 'summarize';
  readonly eviction: 'oldest' | 'half';
  readonly archiveSize: number;
  readonly model: string;
  readonly maxOutputTokens: number;
  readonly effort: Effort | 'default';
  readonly maxRounds: number;
  readonly requestTimeout: number;
  readonly instructions: string;
  readonly 'tools.external': ExternalTools;
  readonly 'tools.disabled': readonly string[];
  readonly secretFiles: readonly string[];
  readonly baseUrl: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** A value that cannot be used; the default serves in its place. */
export interface SettingProblem {
  readonly setting: keyof Settings;
  readonly value: unknown;
  readonly allowed: string;
}

interface Rule<T> {
  readonly fallback: T;
  readonly allowed: () => string;
  readonly accepts: (value: unknown) => value is T;
}

/** What each setting takes. `package.json` declares the same defaults; a test compares them. */
export const settingRules: { readonly [Name in keyof Settings]: Rule<Settings[Name]> } = {
  maxTurns: wholeNumber(10, { from: 0, to: 1000 }, () => l10n.t('0 keeps all turns')),
  conversationTimeout: wholeNumber(1800, { from: 0, to: 31_536_000 }, () => l10n.t('in seconds, 0 is never')),
  conversationScope: oneOf('workspace', ['workspace', 'thread']),
  historyTokenBudget: wholeNumber(100_000, { from: 0, to: 10_000_000 }, () =>
    l10n.t('in tokens, 0 is no budget'),
  ),
  whenFull: oneOf('drop', ['drop', 'summarize']),
  eviction: oneOf('oldest', ['oldest', 'half']),
  archiveSize: wholeNumber(20, { from: 0, to: 1000 }, () => l10n.t('0 keeps none')),
  model: text(
    'claude-sonnet-5-5',
    () => l10n.t('the id of a Claude model'),
    (value) => /^\S+$/.test(value),
  ),
  maxOutputTokens: wholeNumber(32_000, { from: 256, to: 128_000 }, () => l10n.t('in tokens')),
  effort: oneOf('default', ['default', 'low', 'medium', 'high', 'xhigh', 'max']),
  maxRounds: wholeNumber(25, { from: 1, to: 500 }, () => l10n.t('tool rounds in one turn')),
  requestTimeout: wholeNumber(600, { from: 5, to: 3600 }, () => l10n.t('in seconds')),
  'tools.external': {
    fallback: 'ask',
    allowed: () => l10n.t('"ask", "off" or a list of tool names'),
    accepts: (value): value is ExternalTools => value === 'ask' || value === 'off' || isNames(value),
  },
  'tools.disabled': names([], () => l10n.t('a list of tool names')),
  secretFiles: names(defaultSecretFiles, () => l10n.t('a list of globs')),
  instructions: text(
    '',
    () => l10n.t('a text of at most 20,000 characters'),
    (value) => value.length <= 20_000,
  ),
  baseUrl: text(
    '',
    () => l10n.t('an http or https address, or nothing'),
    (value) => value === '' || isWebAddress(value),
  ),
  headers: {
    fallback: {},
    allowed: () => l10n.t('an object of header names and text values'),
    accepts: (value): value is Readonly<Record<string, string>> =>
      typeof value === 'object' &&
      value !== null &&
      !Array.isArray(value) &&
      Object.entries(value).every(([name, header]) => isHeader(name, header)),
  },
};

/** Reads every setting through `read`; a bad value gives its default and a problem that names it. */
export function parseSettings(read: (name: keyof Settings) => unknown): {
  readonly settings: Settings;
  readonly problems: readonly SettingProblem[];
} {
  const problems: SettingProblem[] = [];
  const get = <Name extends keyof Settings>(setting: Name): Settings[Name] => {
    const rule = settingRules[setting];
    const value = read(setting);
    if (value === undefined) return rule.fallback;
    if (rule.accepts(value)) return value;
    problems.push({ setting, value, allowed: rule.allowed() });
    return rule.fallback;
  };
  const settings: Settings = {
    maxTurns: get('maxTurns'),
    conversationTimeout: get('conversationTimeout'),
    conversationScope: get('conversationScope'),
    historyTokenBudget: get('historyTokenBudget'),
    whenFull: get('whenFull'),
    eviction: get('eviction'),
    archiveSize: get('archiveSize'),
    model: get('model'),
    maxOutputTokens: get('maxOutputTokens'),
    effort: get('effort'),
    maxRounds: get('maxRounds'),
    requestTimeout: get('requestTimeout'),
    'tools.external': get('tools.external'),
    'tools.disabled': get('tools.disabled'),
    secretFiles: get('secretFiles'),
    instructions: get('instructions'),
    baseUrl: get('baseUrl'),
    headers: get('headers'),
  };
  return { settings: Object.freeze(settings), problems };
}

/** The words for a problem: the setting, its value and what is allowed. What may be a secret is left out. */
export function describeProblem({ setting, value, allowed }: SettingProblem): string {
  const mayBeSecret = setting === 'headers' || (setting === 'baseUrl' && String(value).includes('@'));
  const shown = mayBeSecret ? l10n.t('its value') : shortJson(value);
  return l10n.t(
    '{0} cannot be {1}: it takes {2}. The default is used.',
    `assistant.${setting}`,
    shown,
    allowed,
  );
}

function wholeNumber(
  fallback: number,
  range: { from: number; to: number },
  note: () => string,
): Rule<number> {
  return {
    fallback,
    allowed: () => l10n.t('a whole number from {0} to {1} ({2})', range.from, range.to, note()),
    accepts: (value): value is number =>
      typeof value === 'number' && Number.isInteger(value) && value >= range.from && value <= range.to,
  };
}

function oneOf<T extends string>(fallback: T, values: readonly T[]): Rule<T> {
  const known: ReadonlySet<unknown> = new Set(values);
  return {
    fallback,
    allowed: () => l10n.t('one of {0}', values.map((value) => JSON.stringify(value)).join(', ')),
    accepts: (value): value is T => known.has(value),
  };
}

function text(fallback: string, allowed: () => string, fits: (value: string) => boolean): Rule<string> {
  return {
    fallback,
    allowed,
    accepts: (value): value is string => typeof value === 'string' && fits(value),
  };
}

function names(fallback: readonly string[], allowed: () => string): Rule<readonly string[]> {
  return { fallback, allowed, accepts: isNames };
}

function isNames(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((name) => typeof name === 'string' && name.trim() !== '');
}

function isWebAddress(value: string): boolean {
  return URL.canParse(value) && /^https?:$/.test(new URL(value).protocol);
}

function isHeader(name: string, value: unknown): boolean {
  return /^[\w!#$%&'*+.^`|~-]+$/.test(name) && typeof value === 'string' && /^[\t\x20-\x7e]*$/.test(value);
}

function shortJson(value: unknown): string {
  const json = typeof value === 'number' ? String(value) : (JSON.stringify(value) ?? l10n.t('this value'));
  return json.length > 60 ? `${json.slice(0, 60)}…` : json;
}
