import {
  inOrder,
  type Conversation,
  type ConversationId,
  type ParamWrite,
  type StoredTurn,
} from '../../core/conversation/turn';
import { turnEntry, type OlderEntry, type OlderTurn } from './olderEntry';

/**
 * The conversations that these entries make, in whatever order they were written. Of each thing the highest revision
 * holds; at the same revision a removal beats the thing, and a finished turn an interrupted one.
 */
export function mergeOlder(entries: readonly OlderEntry[], now = Infinity): readonly Conversation[] {
  const holding = new Map<string, OlderEntry>();
  const add = (entry: OlderEntry) => {
    const key = JSON.stringify([entry.conversation, entry.kind, entry.name]);
    const known = holding.get(key);
    const isBeaten = known !== undefined && !beats(entry, known);
    if (!isBeaten) holding.set(key, entry);
    if (known) for (const back of isBeaten ? returning(entry, known) : returning(known, entry)) add(back);
  };
  // Removals first: of summaries that were removed, no turn comes back.
  for (const entry of entries) if (!entry.thing) add(entry);
  for (const entry of entries) if (entry.thing) add(entry);

  const conversations = new Map<ConversationId, OlderEntry[]>();
  for (const entry of holding.values()) {
    const known = conversations.get(entry.conversation);
    if (entry.thing && known) known.push(entry);
    else if (entry.thing) conversations.set(entry.conversation, [entry]);
  }
  return Array.from(conversations, ([id, held]) => conversationOf(id, held, now));
}

/** Of two that are the same in all that counts, the first one stays. */
function beats(one: OlderEntry, other: OlderEntry): boolean {
  if (one.revision !== other.revision) return one.revision > other.revision;
  const index = one.rank.findIndex((value, at) => value !== other.rank[at]);
  const [mine, theirs] = [one.rank[index], other.rank[index]];
  return mine !== undefined && theirs !== undefined && mine > theirs;
}

/** Two windows have summarized at the same time: what only the beaten summary told of comes back. */
function returning(beaten: OlderEntry, holding: OlderEntry): readonly OlderEntry[] {
  if (beaten.kind !== 'summary' || holding.kind !== 'summary' || !beaten.thing) return [];
  if (!holding.thing || beaten.revision !== holding.revision) return [];
  const kept = new Set(holding.thing.folded.map(({ turn }) => turn.id));
  const back = beaten.thing.folded.filter(({ turn }) => turn.messages.length > 0 && !kept.has(turn.id));
  // With a revision above that of its removal.
  return back.map((one) => turnEntry(beaten.conversation, { ...one, revision: one.revision + 1 }, beaten.at));
}

function conversationOf(id: ConversationId, entries: readonly OlderEntry[], now: number): Conversation {
  const turns = entries.flatMap(({ kind, thing }) => (kind === 'turn' && thing ? [thing] : []));
  const params = entries.flatMap(({ kind, thing }) => (kind === 'param' && thing ? [thing] : []));
  const [summarized] = entries.flatMap(({ kind, thing }) => (kind === 'summary' && thing ? [thing] : []));
  const [waiting] = entries.flatMap(({ kind, thing }) => (kind === 'waiting' && thing ? [thing] : []));
  const folded = summarized?.folded ?? [];
  return {
    id,
    // A clock that was ahead: the timeout begins now.
    lastActive: Math.min(now, Math.max(...entries.map(({ at }) => at))),
    turns: inOrder(turns.map(({ turn }) => turn)),
    summarized: inOrder(folded.map(({ turn }) => turn)),
    params: writesOf(params, [...folded, ...turns]),
    ...(summarized && { summary: summarized.summary }),
    ...(waiting && { waiting }),
  };
}

/** The values that hold, after those that turns found: so these are back when the turn that changed them is rewound. */
function writesOf(values: readonly ParamWrite[], turns: readonly OlderTurn[]): readonly ParamWrite[] {
  const writes: ParamWrite[] = [];
  const written = new Set<string>();
  const changedBy = new Map<string, StoredTurn>();
  const add = (name: string, value: ParamWrite | null) => {
    const by = changedBy.get(name);
    // The turn that changed it last did not write what there is now: it forgot what was there.
    const isForgotten = by && written.has(name) && value?.turnId !== by.id;
    if (isForgotten) writes.push({ name, value: null, at: by.endedAt, turnId: by.id });
    if (value) writes.push(value);
    if (value) written.add(name);
  };
  const found = new Map(turns.map((one) => [one.turn.id, one.found]));
  for (const turn of inOrder(turns.map((one) => one.turn))) {
    for (const [name, value] of found.get(turn.id) ?? []) {
      add(name, value);
      changedBy.set(name, turn);
    }
  }
  const now = new Map(values.map((value) => [value.name, value]));
  for (const name of new Set([...changedBy.keys(), ...now.keys()])) add(name, now.get(name) ?? null);
  return writes;
}
