import { isObject, type JsonObject } from '../json';
import {
  decodeParam,
  decodeSummary,
  decodeTurn,
  decodeWaiting,
  isMessages,
  isName,
  isRevision,
  isTime,
} from './decode';
import { repairedMessages } from './transcript';
import type { Conversation, ConversationId, StoredParam, StoredTurn } from './turn';
import { inOrder } from './turnLists';

/**
 * What stands in the store. Version 2 is this one. Version 1 was
 * `{version: 1, conversations: {[id]: {lastActive, turns: [{id, at, messages}]}}}`.
 */
export interface SavedMemory {
  readonly version: 2;
  readonly conversations: Readonly<Record<ConversationId, Omit<Conversation, 'id'>>>;
}

export type LoadedMemory =
  | {
      readonly kind: 'loaded';
      readonly conversations: readonly Conversation[];
      readonly damaged: readonly Damage[];
    }
  /** Written by a later version of the extension: not ours to touch. */
  | { readonly kind: 'newer'; readonly version: number };

/** Stored data that could not be read, as it was found. */
export interface Damage {
  readonly what: string;
  readonly data: unknown;
}

export function encodeMemory(conversations: Iterable<Conversation>): SavedMemory {
  const entries = Array.from(conversations, ({ id, ...rest }) => [id, rest] as const);
  return { version: 2, conversations: Object.fromEntries(entries) };
}

/** Reads any version up to ours, keeps all that is sound and names the rest (M10). */
export function decodeMemory(raw: unknown): LoadedMemory {
  if (raw === undefined) return { kind: 'loaded', conversations: [], damaged: [] };
  const version = isObject(raw) ? raw['version'] : undefined;
  if (!isObject(raw) || !isRevision(version) || version === 0 || !isObject(raw['conversations'])) {
    if (isRevision(version) && version > 2) return { kind: 'newer', version };
    return { kind: 'loaded', conversations: [], damaged: [{ what: 'the whole memory', data: raw }] };
  }
  if (version > 2) return { kind: 'newer', version };
  const damaged: Damage[] = [];
  const conversations = Object.entries(raw['conversations']).flatMap(([id, stored]) => {
    const conversation = decodeConversation(id, version === 1 ? migrated(stored) : stored, damaged);
    return conversation ?? [];
  });
  return { kind: 'loaded', conversations, damaged };
}

function decodeConversation(id: ConversationId, raw: unknown, damaged: Damage[]): Conversation | undefined {
  if (!isObject(raw) || !isTime(raw['lastActive']) || !Array.isArray(raw['turns'])) {
    damaged.push({ what: `conversation ${id}`, data: raw });
    return undefined;
  }
  const { lastActive, waitingRevision } = raw;
  const waiting = decodeWaiting(raw['waiting']);
  if (!waiting && raw['waiting'] !== undefined) {
    damaged.push({ what: `the pending question of conversation ${id}`, data: raw['waiting'] });
  }
  const summary = decodeSummary(raw['summary']);
  if (!summary && raw['summary'] !== undefined) {
    damaged.push({ what: `the summary of conversation ${id}`, data: raw['summary'] });
  }
  return {
    id,
    lastActive,
    ...(summary ? { summary } : {}),
    turns: decodeTurns(id, raw['turns'], damaged),
    params: decodeParams(id, raw['params'], damaged),
    waitingRevision: isRevision(waitingRevision) ? waitingRevision : 0,
    ...(waiting ? { waiting } : {}),
  };
}

function decodeTurns(id: ConversationId, raw: readonly unknown[], damaged: Damage[]): readonly StoredTurn[] {
  const turns = new Map<string, StoredTurn>();
  for (const stored of raw) {
    const turn = decodeTurn(stored);
    if (turn && !turns.has(turn.id)) turns.set(turn.id, turn);
    else damaged.push({ what: `a turn of conversation ${id}`, data: stored });
  }
  return inOrder([...turns.values()]);
}

function decodeParams(
  id: ConversationId,
  raw: unknown,
  damaged: Damage[],
): Readonly<Record<string, StoredParam>> {
  if (!isObject(raw)) {
    if (raw !== undefined) damaged.push({ what: `the params of conversation ${id}`, data: raw });
    return {};
  }
  const params = Object.entries(raw).flatMap(([name, stored]) => {
    const param = decodeParam(stored);
    if (!param) damaged.push({ what: `a param of conversation ${id}`, data: { [name]: stored } });
    return param ? [[name, param] as const] : [];
  });
  return Object.fromEntries(params);
}

/** From version 1; what cannot be migrated stays as it is and is found damaged. */
function migrated(raw: unknown): unknown {
  if (!isObject(raw) || !Array.isArray(raw['turns'])) return raw;
  return { ...raw, turns: raw['turns'].map((turn) => (isObject(turn) ? migratedTurn(turn) : turn)) };
}

function migratedTurn(raw: JsonObject): unknown {
  const { id, at, messages } = raw;
  if (!isName(id) || !isTime(at) || !isMessages(messages)) return raw;
  // Early turns were saved as they were sent, thinking and images included.
  const kept = repairedMessages(messages);
  return { id, order: at, revision: 1, startedAt: at, endedAt: at, outcome: 'finished', messages: kept };
}
