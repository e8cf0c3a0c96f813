import { isCount, isName, isTime } from '../conversation/decode';
import { isObject, type JsonObject } from '../text/json';
import type { AnswerRecord, SentItem } from './record';

/** A record as it was written; nothing when a part of it is damaged, since its figures would not add up. */
export function decodeRecord(raw: unknown): AnswerRecord | undefined {
  return isRecord(raw) ? raw : undefined;
}

function isRecord(raw: unknown): raw is AnswerRecord {
  if (!isObject(raw) || raw['version'] !== 1 || raw['kind'] !== 'answer') return false;
  const { turn, conversation, startedAt, endedAt, model, end, command, requests } = raw;
  return (
    // What a later version calls an end is shown as it is.
    [turn, model, end].every(isName) &&
    (conversation === undefined || isName(conversation)) &&
    [startedAt, endedAt].every(isTime) &&
    (command === undefined || command === 'compact') &&
    isCount(requests) &&
    isUsage(raw['usage']) &&
    isListOf(isItem, raw['sent']) &&
    isListOf(isExcluded, raw['excluded']) &&
    (raw['unsentNotes'] === undefined || isListOf(isCount, raw['unsentNotes'])) &&
    (raw['guidance'] === undefined || isListOf(isCountedFile, raw['guidance'])) &&
    // A reason that a later version wrote stands for itself.
    (raw['cacheMiss'] === undefined || isName(raw['cacheMiss'])) &&
    (raw['unasked'] === undefined || isListOf(isUnasked, raw['unasked']))
  );
}

function isUsage(raw: unknown): boolean {
  if (!isObject(raw)) return false;
  const { input, cacheRead, cacheWrite, output, cost, saved } = raw;
  return (
    [input, cacheRead, cacheWrite, output].every(isCount) &&
    (cost === undefined || isTime(cost)) &&
    (saved === undefined || Number.isFinite(saved))
  );
}

const otherKinds: readonly unknown[] = [
  'system',
  'tools',
  'summary',
  'rounds',
  'message',
  'context',
  'plan',
] satisfies readonly SentItem['kind'][];

function isItem(raw: unknown): boolean {
  if (!isObject(raw) || !isCount(raw['tokens'])) return false;
  const { kind, turn, param, note, placeholders, cost } = raw;
  if (kind === 'summarize') return cost === undefined || isTime(cost);
  if (kind === 'turn') return isName(turn) && (placeholders === undefined || isCount(placeholders));
  if (kind === 'note') return isCount(note);
  if (kind === 'scouts' || kind === 'web') return isSideWork(raw);
  return kind === 'param' ? isCount(param) : otherKinds.includes(kind);
}

function isSideWork({ output, requests, cost }: JsonObject): boolean {
  return isCount(output) && isCount(requests) && (cost === undefined || isTime(cost));
}

function isExcluded(raw: unknown): boolean {
  if (!isObject(raw)) return false;
  const { turn, tokens, reason } = raw;
  return isName(turn) && isCount(tokens) && (reason === 'size' || reason === 'full');
}

function isCountedFile(raw: unknown): boolean {
  if (!isObject(raw) || !isName(raw['kind']) || typeof raw['path'] !== 'string') return false;
  return isCount(raw['chars']) && (raw['isEarlier'] === undefined || raw['isEarlier'] === true);
}

function isUnasked(raw: unknown): boolean {
  if (!isObject(raw) || !isName(raw['tool']) || !isCount(raw['count']) || !isObject(raw['because']))
    return false;
  const { by, rule, tool, path } = raw['because'];
  if (by === 'edits') return true;
  return by === 'rule' && isCount(rule) && isName(tool) && (path === undefined || isName(path));
}

function isListOf(isOne: (item: unknown) => boolean, raw: unknown): boolean {
  return Array.isArray(raw) && raw.every(isOne);
}
