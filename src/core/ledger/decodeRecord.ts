import { isName, isRevision, isTime } from '../conversation/decode';
import { isObject, type JsonObject } from '../json';
import type { Usage } from '../messages';
import type { AnswerRecord, DepartureRecord, LedgerRecord, LeftTurn, SentItem } from './record';

/** A record as it was written; undefined when it is damaged or of another version. */
export function decodeRecord(text: string): LedgerRecord | undefined {
  const raw = parsed(text);
  if (!isObject(raw) || raw['version'] !== 1) return undefined;
  return isAnswer(raw) || isDeparture(raw) ? raw : undefined;
}

function isAnswer(raw: JsonObject): raw is JsonObject & AnswerRecord {
  const { kind, turn, conversation, startedAt, endedAt, model, end, words, requests, sent, leftOut } = raw;
  return (
    kind === 'answer' &&
    [turn, model, end].every(isName) &&
    [conversation, words].every(isOptional(isText)) &&
    [startedAt, endedAt].every(isTime) &&
    isRevision(requests) &&
    isUsage(raw['usage']) &&
    isListOf(isSentItem)(sent) &&
    isListOf(isLeftOutTurn)(leftOut)
  );
}

function isDeparture(raw: JsonObject): raw is JsonObject & DepartureRecord {
  const { kind, conversation, at, reason, turns } = raw;
  return kind === 'left' && [conversation, reason].every(isName) && isTime(at) && isListOf(isLeftTurn)(turns);
}

const sentKinds: ReadonlySet<unknown> = new Set<SentItem['kind']>([
  'fold',
  'system',
  'tools',
  'summary',
  'rounds',
  'message',
  'facts',
  'turn',
  'param',
]);

function isSentItem(raw: unknown): raw is SentItem {
  if (!isObject(raw) || !sentKinds.has(raw['kind']) || !isRevision(raw['tokens'])) return false;
  const { kind, turn, words, name, placeholders } = raw;
  return (
    (kind !== 'turn' || isName(turn)) &&
    [words, name].every(isOptional(isText)) &&
    isOptional(isListOf(isText))(placeholders)
  );
}

function isLeftTurn(raw: unknown): raw is LeftTurn {
  return (
    isObject(raw) && isName(raw['turn']) && isRevision(raw['tokens']) && isOptional(isText)(raw['words'])
  );
}

function isLeftOutTurn(raw: unknown): boolean {
  return isLeftTurn(raw) && 'reason' in raw && (raw.reason === 'size' || raw.reason === 'full');
}

function isUsage(raw: unknown): raw is Usage {
  if (!isObject(raw)) return false;
  const { input, cacheRead, cacheWrite, output, cost } = raw;
  return [input, cacheRead, cacheWrite, output].every(isRevision) && isOptional(isTime)(cost);
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isListOf(fits: (value: unknown) => boolean): (value: unknown) => boolean {
  return (value) => Array.isArray(value) && value.every(fits);
}

function isOptional(fits: (value: unknown) => boolean): (value: unknown) => boolean {
  return (value) => value === undefined || fits(value);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Torn or overwritten: it is skipped like any other damaged record.
    return undefined;
  }
}
