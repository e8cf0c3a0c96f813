import * as l10n from '@vscode/l10n';
import { UserError } from '../../errors';
import type { IdSource } from '../../ports';
import { wellFormed } from '../../text/json';
import { type JsonObject } from '../../text/json';
import { isObject } from '../../text/json';
import { jsonBytes } from '../../text/json';
import { maxParamBytes, summaryText } from '../changes';
import { decodeParamWrite, decodeSummary, decodeTurn, isCount, isName, isTime } from '../decode';
import { repairedMessages } from '../transcript';
import type { Conversation, ParamWrite, StoredTurn, Summary } from '../turn';
import { portableFormat, portableVersion } from './portable';

/** More than the memory of any workspace takes. */
const maxBytes = 20 * 1024 * 1024;
/** As many as the setting for the turn limit takes. */
const maxTurns = 1000;

export interface Imported {
  readonly conversation: Conversation;
  /** What had to be repaired or left out, a sentence each. */
  readonly notes: readonly string[];
}

/** Takes an export back. What can be repaired is; a file of which nothing can be used is refused with the reason. */
export function fromPortable(
  text: string,
  options: { readonly now: number; readonly ids: IdSource },
): Imported {
  const { now } = options;
  const form = checkedForm(text);
  const notes: string[] = [];
  const turns = importedTurns(form['turns'], notes, options);
  const params = importedParams(form['params'], notes, options);
  const summary = importedSummary(form['summary'], notes, options);
  if (turns.length === 0) {
    throw new UserError(
      [l10n.t('There is no turn in this file that can be used.'), ...notes.slice(0, 3)].join(' '),
    );
  }
  const conversation = {
    id: 'imported',
    lastActive: now,
    turns,
    summarized: [],
    params,
  };
  return { conversation: { ...conversation, ...(summary && { summary }) }, notes };
}

/** Before the file is read: a sentence against one that is too large. */
export function checkImportSize(bytes: number): void {
  if (bytes <= maxBytes) return;
  throw new UserError(
    l10n.t(
      'This file is too large: it has {0} MB, and a conversation to import has at most {1} MB.',
      Math.ceil(bytes / 1024 / 1024),
      maxBytes / 1024 / 1024,
    ),
  );
}

function checkedForm(text: string): JsonObject {
  checkImportSize(text.length);
  const form = parsedJson(text.replace(/^\uFEFF/, ''));
  const found = isObject(form) ? form['format'] : undefined;
  if (!isObject(form) || found !== portableFormat) {
    const shown = typeof found === 'string' ? JSON.stringify(found.slice(0, 60)) : l10n.t('missing');
    throw new UserError(
      l10n.t(
        'This is JSON, but not a conversation that Claude Assistant exported: its "format" is {0} instead of "{1}".',
        shown,
        portableFormat,
      ),
    );
  }
  const written = form['version'];
  if (!isCount(written) || written === 0) {
    throw new UserError(
      l10n.t('The "version" of this conversation is not a number that Claude Assistant writes.'),
    );
  }
  if (written > portableVersion) {
    throw new UserError(
      l10n.t(
        'This conversation was exported by a newer version of Claude Assistant (format version {0}; this one reads {1}). Update the extension to import it.',
        written,
        portableVersion,
      ),
    );
  }
  if (!Array.isArray(form['turns'])) {
    throw new UserError(l10n.t('This conversation has no list of "turns".'));
  }
  return form;
}

function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const said = cause instanceof Error ? cause.message : '';
    const [, position] = /at position (\d+)/.exec(said) ?? [];
    throw new UserError(jsonProblem(text, said, position), { cause });
  }
}

/** V8 says where only for some mistakes. */
function jsonProblem(text: string, said: string, position: string | undefined): string {
  const lines = text.slice(0, position === undefined ? undefined : Number(position)).split('\n');
  if (/^(Unexpected end|Unterminated string)/.test(said)) {
    return l10n.t('This file is not complete: it ends in the middle of its JSON, in line {0}.', lines.length);
  }
  if (position === undefined) return l10n.t('This file is not JSON.');
  const column = (lines.at(-1) ?? '').length + 1;
  return l10n.t('This file is not JSON: it breaks in line {0}, column {1}.', lines.length, column);
}

interface ImportOptions {
  readonly now: number;
  readonly ids: IdSource;
}

function importedTurns(raw: unknown, notes: string[], options: ImportOptions): readonly StoredTurn[] {
  const all: readonly unknown[] = Array.isArray(raw) ? raw : [];
  const first = Math.max(0, all.length - maxTurns);
  if (first > 0) {
    notes.push(l10n.t('Of {0} turns only the last {1} were taken.', all.length, maxTurns));
  }
  const turns: StoredTurn[] = [];
  const used = new Set<string>();
  for (const [index, one] of all.slice(first).entries()) {
    const number = String(first + index + 1);
    const messages = isObject(one) && Array.isArray(one['messages']) ? repairedMessages(one['messages']) : [];
    if (!isObject(one) || messages.length === 0) {
      notes.push(l10n.t('Turn {0} was left out: {1}.', number, whyUnusable(one)));
      continue;
    }
    const mended: string[] = [];
    if (!isSameJson(messages, one['messages'])) mended.push(l10n.t('messages'));
    const turn = importedTurn(one, turns.at(-1), used, mended, options);
    const decoded = decodeTurn({ ...turn, messages });
    if (!decoded) continue;
    used.add(decoded.id);
    turns.push(decoded);
    if (mended.length > 0) notes.push(l10n.t('Turn {0} was repaired: {1}.', number, mended.join(', ')));
  }
  return turns;
}

function whyUnusable(turn: unknown): string {
  if (!isObject(turn)) return l10n.t('it is not an object');
  if (!Array.isArray(turn['messages'])) return l10n.t('it has no list of messages');
  return l10n.t('it has no message of the person that can be sent');
}

/** All of a turn but its messages, with what is missing or wrong made up. */
function importedTurn(
  raw: JsonObject,
  before: StoredTurn | undefined,
  used: ReadonlySet<string>,
  mended: string[],
  { now, ids }: ImportOptions,
): JsonObject {
  const id = isName(raw['id']) ? wellFormed(raw['id'].slice(0, 200)) : undefined;
  const isOwnId = id !== undefined && id === raw['id'] && !used.has(id);
  if (!isOwnId) mended.push(l10n.t('id'));
  const { startedAt, endedAt, outcome, model, usage, tokens, isPinned } = raw;
  const isDated = isTime(startedAt) && isTime(endedAt);
  if (!isDated) mended.push(l10n.t('times'));
  const start = isTime(startedAt) ? startedAt : (before?.endedAt ?? now);
  const isKnownOutcome = outcome === 'finished' || outcome === 'interrupted';
  if (!isKnownOutcome) mended.push(l10n.t('outcome'));
  return {
    id: isOwnId ? id : ids(),
    // The order of the file counts, also when a clock was set back in between.
    order: before ? Math.max(start, before.order + 1) : start,
    startedAt: start,
    endedAt: isTime(endedAt) ? endedAt : start,
    outcome: isKnownOutcome ? outcome : 'finished',
    model: typeof model === 'string' ? wellFormed(model) : undefined,
    usage,
    tokens,
    isPinned,
  };
}

function importedParams(raw: unknown, notes: string[], { now }: ImportOptions): readonly ParamWrite[] {
  if (raw === undefined) return [];
  if (!isObject(raw)) {
    notes.push(l10n.t('The remembered values were left out: they are not an object.'));
    return [];
  }
  let room = maxParamBytes;
  return Object.entries(raw).flatMap(([name, stored]) => {
    const { value, at, turnId } = isObject(stored) ? stored : {};
    const write = decodeParamWrite({
      name: wellFormed(name),
      value: typeof value === 'string' ? wellFormed(value) : undefined,
      at: isTime(at) ? at : now,
      turnId: typeof turnId === 'string' ? wellFormed(turnId) : undefined,
    });
    room -= jsonBytes({ [name]: value });
    if (write && room >= 0) return [write];
    notes.push(l10n.t('A remembered value was left out: it is damaged, or there are too many.'));
    return [];
  });
}

function importedSummary(raw: unknown, notes: string[], { now }: ImportOptions): Summary | undefined {
  if (raw === undefined) return undefined;
  const at = isObject(raw) && isTime(raw['at']) ? raw['at'] : now;
  const summary = isObject(raw) ? decodeSummary({ turns: 0, ...raw, at }) : undefined;
  if (summary) return { ...summary, text: summaryText(summary.text) };
  notes.push(l10n.t('The summary of earlier turns was left out: it is damaged.'));
  return undefined;
}

/** As deep as the first one goes: the second may be nested without end. */
function isSameJson(one: unknown, other: unknown): boolean {
  if (Array.isArray(one)) {
    return (
      Array.isArray(other) &&
      one.length === other.length &&
      one.every((item, index) => isSameJson(item, other[index]))
    );
  }
  if (!isObject(one)) return Object.is(one, other);
  if (!isObject(other)) return false;
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && isSameJson(one[key], other[key]))
  );
}
