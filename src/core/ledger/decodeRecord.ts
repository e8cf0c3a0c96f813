import type { DepartureRow } from '../conversation/store';
import type { EvictReason } from '../conversation/turn';
import type { Usage } from '../messages';
import { isObject, type JsonObject } from '../text/json';
import { paramId, type AnswerRecord, type ExcludedTurn, type SentItem, type TurnSize } from './record';

/**
 * A record as it was written; undefined when it is damaged or of another version. Those from before the database have
 * words, which are dropped, and other names: `leftOut`, `fold`, `facts`.
 */
export function decodeRecord(raw: unknown): AnswerRecord | undefined {
  if (!isObject(raw) || raw['version'] !== 1 || raw['kind'] !== 'answer') return undefined;
  const { turn, conversation, startedAt, endedAt, model, end, requests, usage } = raw;
  const sent = listOf(decodeItem, raw['sent']);
  const excluded = listOf(decodeExcluded, raw['excluded'] ?? raw['leftOut']);
  if (!isText(turn) || !isText(model) || !isEnd(end)) return undefined;
  if (!isNumber(startedAt) || !isNumber(endedAt) || !isCount(requests)) return undefined;
  if (!isUsage(usage) || !sent || !excluded) return undefined;
  const isCompact = raw['command'] === 'compact' || raw['words'] === '/compact';
  return {
    version: 1,
    kind: 'answer',
    turn,
    ...(isText(conversation) && { conversation }),
    startedAt,
    endedAt,
    model,
    end: end === 'left' ? 'aborted' : end,
    ...(isCompact && { command: 'compact' }),
    requests,
    usage,
    sent,
    excluded,
  };
}

/** The turns of a `left` record from before the database. */
export function decodeDepartures(raw: unknown): readonly DepartureRow[] {
  if (!isObject(raw) || raw['version'] !== 1 || raw['kind'] !== 'left') return [];
  const { conversation, at, reason } = raw;
  const turns = listOf(decodeTurn, raw['turns']) ?? [];
  if (!isText(conversation) || !isNumber(at) || !isReason(reason)) return [];
  return turns.map(({ turn, tokens }) => ({ conversation, turn, reason, tokens, at }));
}

function decodeItem(raw: unknown): SentItem | undefined {
  if (!isObject(raw) || !isCount(raw['tokens'])) return undefined;
  const { kind, turn, param, name, placeholders, tokens } = raw;
  if (kind === 'turn') {
    const count = Array.isArray(placeholders) ? placeholders.length : placeholders;
    return isText(turn) ? { kind, turn, tokens, ...(isCount(count) && { placeholders: count }) } : undefined;
  }
  // Before the database, the name itself stood here unless it was erased.
  if (kind === 'param')
    return { kind, param: isCount(param) ? param : paramId(isText(name) ? name : ''), tokens };
  const known = otherKinds.get(kind);
  return known && { kind: known, tokens };
}

const otherKinds = new Map<unknown, Exclude<SentItem['kind'], 'turn' | 'param'>>([
  ['fold', 'summarize'],
  ['facts', 'context'],
  ...(['summarize', 'system', 'tools', 'summary', 'rounds', 'message', 'context'] as const).map(
    (kind) => [kind, kind] as const,
  ),
]);

function decodeTurn(raw: unknown): TurnSize | undefined {
  if (!isObject(raw) || !isText(raw['turn']) || !isCount(raw['tokens'])) return undefined;
  return { turn: raw['turn'], tokens: raw['tokens'] };
}

function decodeExcluded(raw: unknown): ExcludedTurn | undefined {
  const turn = decodeTurn(raw);
  const { reason }: JsonObject = isObject(raw) ? raw : {};
  return turn && (reason === 'size' || reason === 'full') ? { ...turn, reason } : undefined;
}

/** All of them, or nothing when one is damaged: then the figures would not add up. */
function listOf<Item>(decode: (raw: unknown) => Item | undefined, raw: unknown): readonly Item[] | undefined {
  if (!Array.isArray(raw)) return undefined;
  const items = raw.flatMap((item) => decode(item) ?? []);
  return items.length === raw.length ? items : undefined;
}

function isUsage(raw: unknown): raw is Usage {
  if (!isObject(raw)) return false;
  const { input, cacheRead, cacheWrite, output, cost } = raw;
  return [input, cacheRead, cacheWrite, output].every(isCount) && (cost === undefined || isNumber(cost));
}

/** What a later version wrote is shown as it is. */
function isEnd(value: unknown): value is AnswerRecord['end'] | 'left' {
  return isText(value);
}

function isReason(value: unknown): value is EvictReason {
  return isText(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value < Infinity;
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && isNumber(value);
}
