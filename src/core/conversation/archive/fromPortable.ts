import { UserError } from '../../errors';
import { isObject, jsonBytes, wellFormed, type JsonObject } from '../../json';
import { jsonBreak } from '../../jsonBreak';
import type { IdSource } from '../../ports';
import type { Translate } from '../../translate';
import { decodeParam, decodeSummary, decodeTurn, isName, isRevision, isTime } from '../decode';
import { maxParamBytes } from '../memory/paramKeeping';
import { repairedMessages } from '../transcript';
import type { Conversation, StoredParam, StoredTurn, Summary } from '../turn';
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
  options: { readonly now: number; readonly ids: IdSource; readonly translate: Translate },
): Imported {
  const { now, translate } = options;
  const form = checkedForm(text, translate);
  const notes: string[] = [];
  const turns = importedTurns(form['turns'], notes, options);
  const params = importedParams(form['params'], notes, options);
  const summary = importedSummary(form['summary'], notes, options);
  if (turns.length === 0) {
    throw new UserError(
      [translate('There is no turn in this file that can be used.'), ...notes.slice(0, 3)].join(' '),
    );
  }
  const conversation = { id: 'imported', lastActive: now, turns, params, waitingRevision: 0 };
  return { conversation: { ...conversation, ...(summary && { summary }) }, notes };
}

/** Before the file is read: a sentence against one that is too large. */
export function checkImportSize(bytes: number, translate: Translate): void {
  if (bytes <= maxBytes) return;
  throw new UserError(
    translate(
      'This file is too large: it has {0} MB, and a conversation to import has at most {1} MB.',
      String(Math.ceil(bytes / 1024 / 1024)),
      String(maxBytes / 1024 / 1024),
    ),
  );
}

function checkedForm(text: string, translate: Translate): JsonObject {
  checkImportSize(text.length, translate);
  const form = parsedJson(text.replace(/^\uFEFF/, ''), translate);
  const found = isObject(form) ? form['format'] : undefined;
  if (!isObject(form) || found !== portableFormat) {
    const shown = typeof found === 'string' ? JSON.stringify(found.slice(0, 60)) : translate('missing');
    throw new UserError(
      translate(
        'This is JSON, but not a conversation that Claude Assistant exported: its "format" is {0} instead of "{1}".',
        shown,
        portableFormat,
      ),
    );
  }
  const written = form['version'];
  if (!isRevision(written) || written === 0) {
    throw new UserError(
      translate('The "version" of this conversation is not a number that Claude Assistant writes.'),
    );
  }
  if (written > portableVersion) {
    throw new UserError(
      translate(
        'This conversation was exported by a newer version of Claude Assistant (format version {0}; this one reads {1}). Update the extension to import it.',
        String(written),
        String(portableVersion),
      ),
    );
  }
  if (!Array.isArray(form['turns'])) {
    throw new UserError(translate('This conversation has no list of "turns".'));
  }
  return form;
}

function parsedJson(text: string, translate: Translate): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const where = jsonBreak(text);
    const [line, column] = [String(where?.line ?? 1), String(where?.column ?? 1)];
    throw new UserError(
      where?.isEnd
        ? translate('This file is not complete: it ends in the middle of its JSON, in line {0}.', line)
        : translate('This file is not JSON: it breaks in line {0}, column {1}.', line, column),
      { cause },
    );
  }
}

interface ImportOptions {
  readonly now: number;
  readonly ids: IdSource;
  readonly translate: Translate;
}

function importedTurns(raw: unknown, notes: string[], options: ImportOptions): readonly StoredTurn[] {
  const { translate } = options;
  const all: readonly unknown[] = Array.isArray(raw) ? raw : [];
  const first = Math.max(0, all.length - maxTurns);
  if (first > 0) {
    notes.push(translate('Of {0} turns only the last {1} were taken.', String(all.length), String(maxTurns)));
  }
  const turns: StoredTurn[] = [];
  const used = new Set<string>();
  for (const [index, one] of all.slice(first).entries()) {
    const number = String(first + index + 1);
    const messages = isObject(one) && Array.isArray(one['messages']) ? repairedMessages(one['messages']) : [];
    if (!isObject(one) || messages.length === 0) {
      notes.push(translate('Turn {0} was left out: {1}.', number, whyUnusable(one, translate)));
      continue;
    }
    const mended: string[] = [];
    if (!isSameJson(messages, one['messages'])) mended.push(translate('messages'));
    const turn = importedTurn(one, turns.at(-1), used, mended, options);
    const decoded = decodeTurn({ ...turn, messages });
    if (!decoded) continue;
    used.add(decoded.id);
    turns.push(decoded);
    if (mended.length > 0) notes.push(translate('Turn {0} was repaired: {1}.', number, mended.join(', ')));
  }
  return turns;
}

function whyUnusable(turn: unknown, translate: Translate): string {
  if (!isObject(turn)) return translate('it is not an object');
  if (!Array.isArray(turn['messages'])) return translate('it has no list of messages');
  return translate('it has no message of the person that can be sent');
}

/** All of a turn but its messages, with what is missing or wrong made up. */
function importedTurn(
  raw: JsonObject,
  before: StoredTurn | undefined,
  used: ReadonlySet<string>,
  mended: string[],
  { now, ids, translate }: ImportOptions,
): JsonObject {
  const id = isName(raw['id']) ? wellFormed(raw['id'].slice(0, 200)) : undefined;
  const isOwnId = id !== undefined && id === raw['id'] && !used.has(id);
  if (!isOwnId) mended.push(translate('id'));
  const { startedAt, endedAt, outcome, model, usage, tokens, isPinned } = raw;
  const isDated = isTime(startedAt) && isTime(endedAt);
  if (!isDated) mended.push(translate('times'));
  const start = isTime(startedAt) ? startedAt : (before?.endedAt ?? now);
  const isKnownOutcome = outcome === 'finished' || outcome === 'interrupted';
  if (!isKnownOutcome) mended.push(translate('outcome'));
  return {
    id: isOwnId ? id : ids(),
    // The order of the file counts, also when a clock was set back in between.
    order: before ? Math.max(start, before.order + 1) : start,
    revision: 1,
    startedAt: start,
    endedAt: isTime(endedAt) ? endedAt : start,
    outcome: isKnownOutcome ? outcome : 'finished',
    model: typeof model === 'string' ? wellFormed(model) : undefined,
    usage,
    tokens,
    isPinned,
  };
}

function importedParams(
  raw: unknown,
  notes: string[],
  { now, translate }: ImportOptions,
): Readonly<Record<string, StoredParam>> {
  if (raw === undefined) return {};
  if (!isObject(raw)) {
    notes.push(translate('The remembered values were left out: they are not an object.'));
    return {};
  }
  let room = maxParamBytes;
  const entries = Object.entries(raw).flatMap(([name, stored]): [string, StoredParam][] => {
    const at = isObject(stored) && isTime(stored['at']) ? stored['at'] : now;
    const param = isObject(stored) ? decodeParam({ ...stored, at, revision: 1 }) : undefined;
    const value = wellFormed(param?.value ?? '');
    room -= jsonBytes({ [name]: value });
    if (param && name !== '' && room >= 0) {
      const turnId = param.turnId === undefined ? {} : { turnId: wellFormed(param.turnId) };
      return [[wellFormed(name), { ...param, value, ...turnId }]];
    }
    notes.push(translate('A remembered value was left out: it is damaged, or there are too many.'));
    return [];
  });
  return Object.fromEntries(entries);
}

function importedSummary(
  raw: unknown,
  notes: string[],
  { now, translate }: ImportOptions,
): Summary | undefined {
  if (raw === undefined) return undefined;
  const at = isObject(raw) && isTime(raw['at']) ? raw['at'] : now;
  const summary = isObject(raw) ? decodeSummary({ turns: 0, ...raw, at, revision: 1 }) : undefined;
  if (summary) return { ...summary, text: wellFormed(summary.text) };
  notes.push(translate('The summary of earlier turns was left out: it is damaged.'));
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
