import * as l10n from '@vscode/l10n';
import { isObject } from '../text/json';
import {
  decodeParamWrite,
  decodeStub,
  decodeSummary,
  decodeTurn,
  decodeWaiting,
  isCount,
  isName,
  isTime,
} from './decode';
import { maxStubs, toStub } from './fitSize';
import { inOrder, type Conversation, type ConversationId, type StoredTurn, type TurnId } from './turn';

/** Versions 1 and 2 are of before the database (`storage/older`). */
const version = 3;

export type LoadedMemory =
  | {
      readonly kind: 'loaded';
      readonly sequence: number;
      readonly unwritten?: Unwritten | undefined;
      readonly conversations: readonly Conversation[];
      readonly damaged: readonly Damage[];
    }
  | { readonly kind: 'older' }
  /** Written by a later version of the extension: not ours to touch. */
  | { readonly kind: 'newer'; readonly version: number };

/** The database could not be written, so that this may be newer. */
export interface Unwritten {
  /** The change that all of it came after; absent when something was erased since, and it is not known what. */
  readonly since?: number | undefined;
  /** Turns that were erased since. */
  readonly erased?: readonly TurnId[] | undefined;
}

/** Stored data that could not be read, as it was found. */
export interface Damage {
  readonly what: string;
  readonly data: unknown;
}

/** Of turns that a summary stands for, only so much goes along as it takes to find out that one was removed. */
export function encodeMemory(
  conversations: Iterable<Conversation>,
  sequence: number,
  unwritten?: Unwritten,
): unknown {
  const entries = Array.from(conversations, ({ id, summarized, ...rest }) => [
    id,
    { ...rest, summarized: summarized.slice(-maxStubs).map(toStub) },
  ]);
  return {
    version,
    sequence,
    ...(unwritten && { unwritten }),
    conversations: Object.fromEntries(entries),
  };
}

/** Keeps all that is sound and names the rest (M10). */
export function decodeMemory(raw: unknown): LoadedMemory {
  if (raw === undefined) return { kind: 'loaded', sequence: 0, conversations: [], damaged: [] };
  const found = isObject(raw) ? raw['version'] : undefined;
  if (isCount(found) && found > version) return { kind: 'newer', version: found };
  if (isCount(found) && found > 0 && found < version) return { kind: 'older' };
  if (!isObject(raw) || found !== version || !isObject(raw['conversations'])) {
    const damaged = [{ what: l10n.t('the whole memory'), data: raw }];
    return { kind: 'loaded', sequence: 0, conversations: [], damaged };
  }
  const damaged: Damage[] = [];
  const conversations = Object.entries(raw['conversations']).flatMap(
    ([id, stored]) => decodeConversation(id, stored, damaged) ?? [],
  );
  // More than that of a new database, which has nothing.
  const sequence = isCount(raw['sequence']) ? raw['sequence'] : 1;
  const unwritten = decodeUnwritten(raw['unwritten']);
  return { kind: 'loaded', sequence, ...(unwritten && { unwritten }), conversations, damaged };
}

function decodeUnwritten(raw: unknown): Unwritten | undefined {
  if (!isObject(raw)) return undefined;
  const { since, erased } = raw;
  if (!isCount(since)) return {};
  if (erased === undefined) return { since };
  return Array.isArray(erased) && erased.every(isName) ? { since, erased } : {};
}

export function decodeConversation(
  id: ConversationId,
  raw: unknown,
  damaged: Damage[],
): Conversation | undefined {
  if (!isObject(raw) || !isTime(raw['lastActive']) || !Array.isArray(raw['turns'])) {
    damaged.push({ what: l10n.t('conversation {0}', id), data: raw });
    return undefined;
  }
  const all = <T>(list: unknown, what: string, decode: (item: unknown) => T | undefined): T[] => {
    if (list !== undefined && !Array.isArray(list))
      damaged.push({ what: l10n.t('{0} of conversation {1}', what, id), data: list });
    return (Array.isArray(list) ? list : []).flatMap((item) => {
      const decoded = decode(item);
      if (decoded === undefined)
        damaged.push({ what: l10n.t('{0} of conversation {1}', what, id), data: item });
      return decoded ?? [];
    });
  };
  const one = <T>(item: unknown, what: string, decode: (found: unknown) => T | undefined): T | undefined =>
    all(item === undefined ? [] : [item], what, decode)[0];
  const summary = one(raw['summary'], l10n.t('the summary'), decodeSummary);
  const waiting = one(raw['waiting'], l10n.t('the pending question'), decodeWaiting);
  const seen = new Set<string>();
  const isNew = (turn: StoredTurn) => !seen.has(turn.id) && seen.add(turn.id);
  const { lineage } = raw;
  return {
    id,
    lastActive: raw['lastActive'],
    ...(isName(lineage) && { lineage }),
    turns: inOrder(all(raw['turns'], l10n.t('a turn'), decodeTurn).filter(isNew)),
    summarized: inOrder(all(raw['summarized'], l10n.t('a summarized turn'), decodeStub).filter(isNew)),
    params: all(raw['params'], l10n.t('a remembered value'), decodeParamWrite),
    ...(summary && { summary }),
    ...(waiting && { waiting }),
  };
}
