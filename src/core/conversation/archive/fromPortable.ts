import * as l10n from '@vscode/l10n';
import { UserError } from '../../errors';
import type { IdSource } from '../../ports';
import { isObject, jsonBytes, parseJson, pick, plainJson, type JsonObject } from '../../text/json';
import { maxPlanChars } from '../../tools/plans/plan';
import { maxParamBytes } from '../changes';
import { decodeParamWrite, decodeSummary, decodeTurn, isCount, isName, isTime } from '../decode';
import { summaryText } from '../summary';
import { repairedMessages } from '../transcript';
import type { Conversation, ParamWrite, StoredTurn, Summary } from '../turn';
import { maxDepth, portableFormat, portableVersion } from './portable';

/** More than the memory of any workspace takes. */
const maxBytes = 20 * 1024 * 1024;
/** As many as the setting for the turn limit takes. */
const maxTurns = 1000;

export interface Imported {
  readonly conversation: Conversation;
  readonly plan?: string;
  /** What had to be repaired or left out, a sentence for each kind. */
  readonly notes: readonly string[];
}

interface ImportOptions {
  readonly now: number;
  readonly ids: IdSource;
}

/** Takes an export back. What can be repaired is; a file of which nothing can be used is refused with the reason. */
export function fromPortable(text: string, options: ImportOptions): Imported {
  const form = checkedForm(text);
  const notes: string[] = [];
  const turns = importedTurns(form.turns, notes, options);
  if (turns.length === 0) throw new UserError(l10n.t('There is no turn in this file that can be used.'));
  const params = importedParams(form.params, notes);
  const summary = importedSummary(form.summary, notes, options);
  const conversation = {
    id: 'imported',
    lastActive: options.now,
    turns,
    summarized: [],
    params,
  };
  const plan = importedPlan(form.plan, notes);
  return { conversation: { ...conversation, ...(summary && { summary }) }, ...(plan && { plan }), notes };
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

interface PortableForm {
  readonly turns: readonly unknown[];
  readonly params: unknown;
  readonly summary: unknown;
  readonly plan: unknown;
}

function checkedForm(text: string): PortableForm {
  checkImportSize(text.length);
  const parsed = parseJson(text.replace(/^\uFEFF/, ''));
  if (parsed === undefined) throw new UserError(l10n.t('This file is not JSON, or it is not complete.'));
  const json = plainJson(parsed, maxDepth);
  const { format, version, turns, params, summary, plan }: JsonObject = isObject(json) ? json : {};
  if (format !== portableFormat) {
    throw new UserError(
      typeof format === 'string'
        ? l10n.t(
            'This is JSON, but not a conversation that Claude Assistant exported: its "format" is {0} instead of "{1}".',
            JSON.stringify(format.slice(0, 60)),
            portableFormat,
          )
        : l10n.t('This is JSON, but not a conversation that Claude Assistant exported: it has no "format".'),
    );
  }
  if (isCount(version) && version > portableVersion) {
    throw new UserError(
      l10n.t(
        'This conversation was exported by a newer version of Claude Assistant (format version {0}; this one reads {1}). Update the extension to import it.',
        version,
        portableVersion,
      ),
    );
  }
  if (version !== portableVersion || !Array.isArray(turns)) {
    const wrong = Array.isArray(turns) ? 'version' : 'turns';
    throw new UserError(l10n.t('This conversation is damaged: its "{0}" is missing or wrong.', wrong));
  }
  return { turns, params, summary, plan };
}

function importedTurns(
  all: readonly unknown[],
  notes: string[],
  options: ImportOptions,
): readonly StoredTurn[] {
  if (all.length > maxTurns) {
    notes.push(l10n.t('Of {0} turns only the last {1} were taken.', all.length, maxTurns));
  }
  const turns: StoredTurn[] = [];
  let [unreadable, repaired] = [0, 0];
  for (const raw of all.slice(-maxTurns)) {
    const turn = importedTurn(raw, turns, options);
    if (!turn) unreadable++;
    else if (!isSame(turn, raw)) repaired++;
    if (turn) turns.push(turn);
  }
  if (repaired > 0) notes.push(l10n.t('Turns that had to be repaired: {0}.', repaired));
  if (unreadable > 0) {
    notes.push(l10n.t('Turns that were left out, since they cannot be read: {0}.', unreadable));
  }
  return turns;
}

/** With what is missing or wrong made up; nothing when it has no message that can be sent. */
function importedTurn(
  raw: unknown,
  earlier: readonly StoredTurn[],
  { now, ids }: ImportOptions,
): StoredTurn | undefined {
  if (!isObject(raw) || !Array.isArray(raw['messages'])) return undefined;
  const { id, startedAt, endedAt, outcome } = raw;
  const before = earlier.at(-1);
  const start = isTime(startedAt) ? startedAt : (before?.endedAt ?? now);
  const isOwnId = isName(id) && id.length <= 200 && earlier.every((turn) => turn.id !== id);
  return decodeTurn({
    ...pick(raw, ['model', 'usage', 'tokens', 'isPinned']),
    id: isOwnId ? id : ids(),
    // The order of the file counts, also when a clock was set back in between.
    order: before ? Math.max(start, before.order + 1) : start,
    startedAt: start,
    endedAt: isTime(endedAt) ? endedAt : start,
    outcome: outcome === 'interrupted' ? outcome : 'finished',
    messages: repairedMessages(raw['messages']),
  });
}

function isSame(turn: StoredTurn, raw: unknown): boolean {
  const { id, startedAt, endedAt, outcome, messages } = turn;
  return Object.entries({ id, startedAt, endedAt, outcome, messages }).every(
    ([key, value]) => isObject(raw) && JSON.stringify(value) === JSON.stringify(raw[key]),
  );
}

function importedParams(raw: unknown, notes: string[]): readonly ParamWrite[] {
  const stored = Object.entries(isObject(raw) ? raw : {});
  let room = maxParamBytes;
  const params = stored.flatMap(([name, value]) => {
    const write = isObject(value) ? decodeParamWrite({ ...value, name }) : undefined;
    if (!write || write.value === null) return [];
    room -= jsonBytes({ [name]: write.value });
    return room >= 0 ? [write] : [];
  });
  if (params.length < stored.length || (raw !== undefined && !isObject(raw)))
    notes.push(l10n.t('Some remembered values were left out: they are damaged, or there are too many.'));
  return params;
}

function importedSummary(raw: unknown, notes: string[], { now }: ImportOptions): Summary | undefined {
  if (raw === undefined) return undefined;
  const summary = isObject(raw) ? decodeSummary({ turns: 0, at: now, ...raw }) : undefined;
  if (summary) return { ...summary, text: summaryText(summary.text) };
  notes.push(l10n.t('The summary of earlier turns was left out: it is damaged.'));
  return undefined;
}

function importedPlan(raw: unknown, notes: string[]): string | undefined {
  if (raw === undefined) return undefined;
  if (typeof raw === 'string' && raw.trim() !== '' && raw.length <= maxPlanChars) return raw;
  notes.push(l10n.t('The plan was left out: it is damaged, empty or too long.'));
  return undefined;
}
