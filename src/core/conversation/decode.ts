import type { ContentBlock, Message, Usage } from '../messages';
import { isObject } from '../text/json';
import { sanitizeMessage } from './sanitizeMessage';
import type { ParamWrite, StoredTurn, Summary, Waiting } from './turn';

/** A turn as it was stored, or nothing when it cannot be one. What its messages hold is repaired when they are sent. */
export function decodeTurn(raw: unknown): StoredTurn | undefined {
  if (!isObject(raw)) return undefined;
  const { id, order, startedAt, endedAt, outcome, messages } = raw;
  const { model, tokens: size, thread, position, isPinned, activation, isPlanning } = raw;
  if (!isName(id) || !isTime(order) || !isTime(startedAt) || !isTime(endedAt)) return undefined;
  if ((outcome !== 'finished' && outcome !== 'interrupted') || !isMessages(messages)) return undefined;
  const usage = decodeUsage(raw['usage']);
  return {
    id,
    order,
    startedAt,
    endedAt,
    outcome,
    messages,
    ...(typeof model === 'string' ? { model } : {}),
    ...(usage ? { usage } : {}),
    ...(isTime(size) ? { tokens: size } : {}),
    ...(isName(thread) ? { thread } : {}),
    ...(isCount(position) ? { position } : {}),
    ...(isPinned === true ? { isPinned } : {}),
    ...(isPlanning === true ? { isPlanning } : {}),
    ...(typeof activation === 'string' ? { activation } : {}),
  };
}

/** A turn, or its id alone. */
export function decodeStub(raw: unknown): StoredTurn | undefined {
  const whole = decodeTurn(raw);
  if (whole || !isObject(raw)) return whole;
  const named = decodeTurn({ ...raw, messages: [{ role: 'user', content: '' }] });
  return named && { ...named, messages: [] };
}

export function decodeParamWrite(raw: unknown): ParamWrite | undefined {
  if (!isObject(raw)) return undefined;
  const { name, value, at, turnId } = raw;
  if (!isName(name) || (typeof value !== 'string' && value !== null) || !isTime(at)) return undefined;
  return { name, value, at, ...(isName(turnId) ? { turnId } : {}) };
}

export function decodeSummary(raw: unknown): Summary | undefined {
  if (!isObject(raw)) return undefined;
  const { text, at, turns } = raw;
  if (typeof text !== 'string' || text.trim() === '' || !isTime(at) || !isCount(turns)) return undefined;
  return { text, at, turns };
}

export function decodeWaiting(raw: unknown): Waiting | undefined {
  if (!isObject(raw)) return undefined;
  const { param, question, options, turnId, askedAt, tries, tools, sentWith, isPlanning, model } = raw;
  if (!isName(param) || !isName(question) || !isName(turnId) || !isTime(askedAt)) return undefined;
  const toolUse = blocks('assistant', [raw['toolUse']]).find((block) => block.type === 'tool_use');
  if (!toolUse) return undefined;
  const sent = decodeSent(raw['sent']);
  return {
    param,
    question,
    turnId,
    askedAt,
    tries: isCount(tries) ? tries : 1,
    toolUse,
    results: blocks('user', raw['results']).filter((block) => block.type === 'tool_result'),
    ...(Array.isArray(options) ? { options: options.filter(isName) } : {}),
    ...(sent ? { sent } : {}),
    ...(isName(model) ? { model } : {}),
    ...(Array.isArray(tools) ? { tools: tools.filter(isName) } : {}),
    ...(Array.isArray(sentWith) ? { sentWith: sentWith.filter(isName) } : {}),
    ...(isPlanning === true ? { isPlanning } : {}),
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

export function isCount(value: unknown): value is number {
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
  if (!isObject(raw) || typeof raw['type'] !== 'string') return false;
  return raw['type'] !== 'text' || typeof raw['text'] === 'string';
}

function blocks(role: 'user' | 'assistant', content: unknown): readonly ContentBlock[] {
  const message = sanitizeMessage({ role, content });
  return message && typeof message.content !== 'string' ? message.content : [];
}

function decodeUsage(raw: unknown): Usage | undefined {
  if (!isObject(raw)) return undefined;
  const count = (key: string) => (isTime(raw[key]) ? raw[key] : 0);
  const { cost, saved } = raw;
  return {
    input: count('input'),
    cacheRead: count('cacheRead'),
    cacheWrite: count('cacheWrite'),
    output: count('output'),
    ...(isTime(cost) ? { cost } : {}),
    ...(typeof saved === 'number' && Number.isFinite(saved) ? { saved } : {}),
  };
}
