import { isObject, type JsonObject } from '../json';
import type { ContentBlock, Message, Usage } from '../messages';
import { acceptableMessage } from './acceptable';
import type { FoundValues, RememberedValue, StoredParam, StoredTurn, Summary, Waiting } from './turn';

/** A turn as it was stored, or nothing when it cannot be one. What its messages hold is repaired when they are sent. */
export function decodeTurn(raw: unknown): StoredTurn | undefined {
  if (!isObject(raw)) return undefined;
  const { id, order, revision, startedAt, endedAt, outcome, messages } = raw;
  const { model, tokens: size, thread, position, isPinned, activation } = raw;
  if (!isName(id) || !isTime(order) || !isTime(startedAt) || !isTime(endedAt)) return undefined;
  if (!isRevision(revision) || (outcome !== 'finished' && outcome !== 'interrupted')) return undefined;
  if (!isMessages(messages)) return undefined;
  const usage = decodeUsage(raw['usage']);
  const found = decodeFound(raw['found']);
  return {
    id,
    order,
    revision,
    startedAt,
    endedAt,
    outcome,
    messages,
    ...(typeof model === 'string' ? { model } : {}),
    ...(usage ? { usage } : {}),
    ...(isTime(size) ? { tokens: size } : {}),
    ...(isName(thread) ? { thread } : {}),
    ...(isRevision(position) ? { position } : {}),
    ...(isPinned === true ? { isPinned } : {}),
    ...(typeof activation === 'string' ? { activation } : {}),
    ...(found ? { found } : {}),
  };
}

export function decodeFound(raw: unknown): FoundValues | undefined {
  if (!isObject(raw)) return undefined;
  const values = Object.entries(raw).flatMap(([name, value]) => {
    const found = value === null ? null : decodeValue(value);
    return found === undefined ? [] : [[name, found] as const];
  });
  return Object.fromEntries(values);
}

export function decodeParam(raw: unknown): StoredParam | undefined {
  if (!isObject(raw)) return undefined;
  const { revision } = raw;
  const remembered = decodeValue(raw);
  if (!remembered || !isRevision(revision)) return undefined;
  return { ...remembered, revision };
}

function decodeValue(raw: unknown): RememberedValue | undefined {
  if (!isObject(raw)) return undefined;
  const { value, at, turnId } = raw;
  if (typeof value !== 'string' || !isTime(at)) return undefined;
  return { value, at, ...(isName(turnId) ? { turnId } : {}) };
}

export function decodeSummary(raw: unknown): Summary | undefined {
  if (!isObject(raw)) return undefined;
  const { text, at, turns, revision, folded } = raw;
  if (typeof text !== 'string' || text.trim() === '' || !isTime(at)) return undefined;
  if (!isRevision(turns) || !isRevision(revision)) return undefined;
  const known = Array.isArray(folded) ? folded.flatMap((turn) => decodeFolded(turn) ?? []) : undefined;
  return { text, at, turns, revision, ...(known && { folded: known }) };
}

/** A turn, or its name alone. */
function decodeFolded(raw: unknown): StoredTurn | undefined {
  const whole = decodeTurn(raw);
  if (whole || !isObject(raw)) return whole;
  const named = decodeTurn({ ...raw, messages: [{ role: 'user', content: '' }] });
  return named && { ...named, messages: [] };
}

export function decodeWaiting(raw: unknown): Waiting | undefined {
  if (!isObject(raw)) return undefined;
  const { param, question, options, turnId, askedAt, tries, tools } = raw;
  if (!isName(param) || !isName(question) || !isName(turnId) || !isTime(askedAt)) return undefined;
  const toolUse = blocks('assistant', [raw['toolUse']]).find((block) => block.type === 'tool_use');
  if (!toolUse) return undefined;
  const sent = decodeSent(raw['sent']);
  return {
    param,
    question,
    turnId,
    askedAt,
    tries: isRevision(tries) ? tries : 1,
    toolUse,
    results: blocks('user', raw['results']).filter((block) => block.type === 'tool_result'),
    ...(Array.isArray(options) ? { options: options.filter(isName) } : {}),
    ...(sent ? { sent } : {}),
    ...(Array.isArray(tools) ? { tools: tools.filter(isName) } : {}),
  };
}

/** All of it or nothing: thinking is bound to every byte before it. */
function decodeSent(raw: unknown): readonly Message[] | undefined {
  if (!isMessages(raw)) return undefined;
  const sent = raw.map(({ role, content }): Message | undefined => {
    if (role === 'system' || typeof content === 'string') return undefined;
    const kept = content.flatMap((block) => decodeThinking(block) ?? blocks(role, [block]));
    return kept.length === content.length ? { role, content: kept } : undefined;
  });
  return sent.every((message) => message !== undefined) ? sent : undefined;
}

function decodeThinking(raw: unknown): ContentBlock | undefined {
  if (!isObject(raw)) return undefined;
  const { type, thinking, signature, data } = raw;
  if (type === 'redacted_thinking' && typeof data === 'string') return { type, data };
  if (type !== 'thinking' || typeof thinking !== 'string' || !isName(signature)) return undefined;
  return { type, thinking, signature };
}

export function isMessages(raw: unknown): raw is Message[] {
  return Array.isArray(raw) && raw.length > 0 && raw.every(isMessage);
}

export function isName(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

/** The last moment a date can name. Beyond it, one more than a number is no longer another number. */
const endOfTime = 8.64e15;

export function isTime(value: unknown): value is number {
  return typeof value === 'number' && value >= 0 && value <= endOfTime;
}

export function isRevision(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function isMessage(raw: unknown): boolean {
  if (!isObject(raw)) return false;
  const { role, content } = raw;
  if (role !== 'user' && role !== 'assistant') return false;
  return typeof content === 'string' || (Array.isArray(content) && content.every(isBlock));
}

/** Only so much as everybody takes for granted; the rest is checked when it is sent. */
function isBlock(raw: unknown): boolean {
  return isObject(raw) && typeof raw['type'] === 'string';
}

function blocks(role: 'user' | 'assistant', content: unknown): readonly ContentBlock[] {
  const message = acceptableMessage({ role, content });
  return message && typeof message.content !== 'string' ? message.content : [];
}

function decodeUsage(raw: unknown): Usage | undefined {
  if (!isObject(raw)) return undefined;
  const count = (key: string) => tokens(raw, key);
  const { cost } = raw;
  return {
    input: count('input'),
    cacheRead: count('cacheRead'),
    cacheWrite: count('cacheWrite'),
    output: count('output'),
    ...(isTime(cost) ? { cost } : {}),
  };
}

function tokens(raw: JsonObject, key: string): number {
  const value = raw[key];
  return isTime(value) ? value : 0;
}
