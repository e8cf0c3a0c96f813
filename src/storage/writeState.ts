import { archivedId } from '../core/conversation/archive/archivedId';
import { emptyConversation } from '../core/conversation/changes';
import { firstWords } from '../core/conversation/firstWords';
import type { ArchiveLimit, Archiving, Commit, MemoryState } from '../core/conversation/store';
import {
  isEviction,
  isOneOf,
  type Conversation,
  type ConversationId,
  type Ending,
  type EvictReason,
  type StoredTurn,
} from '../core/conversation/turn';
import { turnDifference } from '../core/conversation/turnDifference';
import { tokensOfTurn } from '../core/conversation/view';
import { createEraser, liveKey } from './eraser';
import { addDeparture, importTables } from './ledgerTable';
import { readEvicted, type TurnCache } from './readState';
import type { Sqlite } from './sqlite';
import { indexTurn } from './turnIndex';

/** Of one conversation that goes on. */
const maxEvicted = 10_000;
/** Rows that only say why a turn is no longer remembered. */
const maxDepartures = 2_000;

/** Writes a change as the difference between two states, with its number. */
export function writeState(
  { sqlite, cache }: { readonly sqlite: Sqlite; readonly cache: TurnCache },
  before: MemoryState,
  commit: Commit,
  keep: ArchiveLimit,
): void {
  const last = Number(sqlite.get('SELECT number FROM sequence')?.['number']);
  const number = Math.max(last, commit.after) + 1;
  const ended = new Set(commit.ended.filter((id) => before.conversations.has(id)));
  const { removeConversation, eraseConversation, eraseTurns, eraseValues } = createEraser(sqlite);

  function writeConversation(now: Conversation): void {
    const was = ended.has(now.id) ? undefined : before.conversations.get(now.id);
    if (was === now) return;
    const key = liveKey(now.id);
    putHead(key, now);
    const turns = turnDifference(was?.turns ?? [], now.turns);
    const summarized = turnDifference(was?.summarized ?? [], now.summarized);
    const reasons = new Map(commit.departures.map(({ turn, reason }) => [turn.id, reason]));
    for (const { id } of [...turns.gone, ...summarized.gone]) {
      const reason = reasons.get(id);
      if (reason && isEviction(reason) && keep.archiveSize > 0) evict(key, id, reason);
      else sqlite.run('DELETE FROM turns WHERE conversation = ? AND id = ?', key, id);
    }
    for (const turn of turns.put) putTurn(key, turn, 'remembered');
    for (const turn of summarized.put) putTurn(key, turn, 'summarized');
    evictAtOnce(key, now.id, isOneOf([...(was?.turns ?? []), ...(was?.summarized ?? [])]));
    if (keep.isErasing && was) eraseValues(was, now);
  }

  function endConversation(id: ConversationId): void {
    const archived = commit.archived.findLast(({ conversation }) => conversation.id === id);
    // In the same change, before it ended.
    for (const { conversation, turn, reason } of commit.departures)
      if (conversation === id && isEviction(reason)) evict(liveKey(id), turn.id, reason);
    if (archived) moveEvicted(liveKey(id), archived.id);
    else archiveEvicted(id);
    removeConversation(liveKey(id));
  }

  /** All that was still remembered was forgotten or taken back: what had left before is archived by itself. */
  function archiveEvicted(id: ConversationId): void {
    const was = before.conversations.get(id);
    const turns = keep.archiveSize > 0 ? readEvicted(sqlite, liveKey(id)) : [];
    if (!was || turns.length === 0) return;
    const conversation = { ...emptyConversation(id, was.lineage ?? id, was.lastActive), turns };
    const ending = { kind: 'left' } as const;
    putArchived({ id: archivedId(conversation, ending), conversation, ending });
  }

  /** What was evicted from a conversation still belongs to it. */
  function moveEvicted(from: string, to: string): void {
    sqlite.run(
      "UPDATE OR IGNORE turns SET conversation = ? WHERE conversation = ? AND state NOT IN ('remembered', 'summarized')",
      to,
      from,
    );
  }

  function putArchived({ id, conversation, ending, evicted = [] }: Archiving): void {
    putHead(id, conversation, ending);
    for (const turn of evicted) putTurn(id, turn, 'cap');
    for (const turn of conversation.turns) putTurn(id, turn, 'remembered');
    for (const turn of conversation.summarized) putTurn(id, turn, 'summarized');
  }

  function putHead(key: string, conversation: Conversation, ending?: Ending): void {
    const { id, lineage = key, lastActive, params, summary, waiting } = conversation;
    const firstCut = ending?.kind === 'branch' ? ending.firstCut : null;
    sqlite.run(
      'INSERT OR REPLACE INTO conversations VALUES (?, ?, ?, ?, ?, ?, ?, ?)',
      key,
      id,
      lineage,
      lastActive,
      JSON.stringify({ params, summary, waiting }),
      ending?.kind ?? null,
      firstCut,
      ending ? titleOf(conversation, firstCut) : null,
    );
  }

  function putTurn(key: string, turn: StoredTurn, state: 'remembered' | 'summarized' | EvictReason): void {
    const text = JSON.stringify(turn);
    // Not by REPLACE, which would delete the row that is there without a word to the index.
    const row = sqlite.get(
      `INSERT INTO turns (conversation, id, state, position, words, turn, changed) VALUES (?, ?, ?, ?, ?, ?, ?)
       ON CONFLICT (conversation, id) DO UPDATE SET (state, position, words, turn, changed) =
         (excluded.state, excluded.position, excluded.words, excluded.turn, excluded.changed)
       RETURNING number`,
      key,
      turn.id,
      state,
      turn.order,
      firstWords(turn),
      text,
      number,
    );
    indexTurn(sqlite, Number(row?.['number']), turn);
    cache.set(key, turn, number);
  }

  /** A turn that ends long after it began may be over the limits as it comes. */
  function evictAtOnce(key: string, id: ConversationId, wasThere: ReturnType<typeof isOneOf>): void {
    if (keep.archiveSize === 0) return;
    for (const { conversation, turn, reason, isOver } of commit.departures) {
      if (conversation === id && isEviction(reason) && !isOver && !wasThere(turn)) putTurn(key, turn, reason);
    }
  }

  function evict(key: string, id: string, reason: string): void {
    sqlite.run('UPDATE turns SET state = ? WHERE conversation = ? AND id = ?', reason, key, id);
    // To count them takes longer than all the rest: now and then is enough.
    if (number % 50 !== 0) return;
    sqlite.run(
      `DELETE FROM turns WHERE number IN (
        SELECT number FROM turns WHERE conversation = ? AND state NOT IN ('remembered', 'summarized')
        ORDER BY position DESC LIMIT -1 OFFSET ?)`,
      key,
      maxEvicted,
    );
  }

  /** Copies of what was just archived go, then the oldest over the limit: branches first, since nobody ended them. */
  function tidyArchive(): void {
    const all = sqlite.all('SELECT key, ending FROM conversations WHERE ending IS NOT NULL ORDER BY key');
    const isThere = new Set(all.map(({ key }) => String(key)));
    // One may have come and gone in the same change.
    const added = commit.archived.map(({ id }) => id).filter((id) => isThere.has(id));
    // Those that have just come stay, unless there are more of them than there is room for.
    const isFlood = added.length > keep.archiveSize;
    const spared = new Set<unknown>([...(isFlood ? [] : added), keep.sparing]);
    const others = all.filter(({ key }) => !spared.has(key));
    const rest = others.filter(({ key }) => {
      const copy = String(key);
      // One that is newer than what has come is not made of it: that was deleted, and is brought back.
      const whole = added.includes(copy) ? undefined : added.find((id) => id > copy && holdsAll(id, copy));
      if (whole === undefined) return true;
      moveEvicted(copy, whole);
      removeConversation(copy);
      return false;
    });
    const branchesFirst = rest.toSorted(
      (a, b) => Number(b['ending'] === 'branch') - Number(a['ending'] === 'branch'),
    );
    const over = Math.max(0, rest.length + (isFlood ? 0 : added.length) - keep.archiveSize);
    for (const { key } of branchesFirst.slice(0, over)) removeConversation(String(key));
  }

  /** Not when it has a turn only in a shortened form, or only in the words of a summary. */
  function holdsAll(whole: string, copy: string): boolean {
    const missing = sqlite.get(
      `SELECT 1 FROM turns AS one WHERE conversation = ? AND state IN ('remembered', 'summarized') AND NOT EXISTS (
        SELECT 1 FROM turns AS other WHERE conversation = ? AND id = one.id
        AND state IN ('remembered', 'summarized') AND ${sizeOf('other.turn')} >= ${sizeOf('one.turn')})`,
      copy,
      whole,
    );
    return missing === undefined;
  }

  function writeRunning(): void {
    for (const id of before.running.keys()) {
      if (commit.state.running.has(id)) continue;
      sqlite.run('DELETE FROM running WHERE turn = ?', id);
      sqlite.run('DELETE FROM rounds WHERE turn = ?', id);
    }
    for (const [id, turn] of commit.state.running) {
      const was = before.running.get(id);
      if (was === turn) continue;
      const { messages, id: _id, ...head } = turn;
      sqlite.run('INSERT OR REPLACE INTO running VALUES (?, ?)', id, JSON.stringify(head));
      const written = was?.messages.map((message) => JSON.stringify(message)) ?? [];
      for (const [position, message] of messages.entries()) {
        const text = JSON.stringify(message);
        if (text === written[position]) continue;
        sqlite.run('INSERT OR REPLACE INTO rounds VALUES (?, ?, ?)', id, position, text);
      }
      sqlite.run('DELETE FROM rounds WHERE turn = ? AND position >= ?', id, messages.length);
    }
  }

  sqlite.run('UPDATE sequence SET number = ?', number);
  for (const { conversation, turn, reason } of commit.departures) {
    addDeparture(sqlite, { conversation, turn: turn.id, reason, tokens: tokensOfTurn(turn), at: commit.at });
  }
  for (const archiving of commit.archived) putArchived(archiving);
  for (const erased of commit.erased) {
    // Another one may have been there before, and was left in the same change.
    const isThere = before.conversations.get(erased.id)?.lineage === erased.lineage;
    eraseConversation(erased, isThere);
  }
  for (const id of ended) endConversation(id);
  for (const { id, into } of commit.unarchived) {
    if (into) moveEvicted(id, 'archived' in into ? into.archived : liveKey(into.conversation));
    removeConversation(id);
  }
  for (const { lineage, into } of commit.joined) {
    sqlite.run(
      'UPDATE conversations SET lineage = ? WHERE lineage = ? AND ending IS NOT NULL',
      into,
      lineage,
    );
  }
  for (const conversation of commit.state.conversations.values()) writeConversation(conversation);
  const told = commit.departures.flatMap(({ turn, reason }) => (reason === 'forgotten' ? [turn.id] : []));
  eraseTurns([...commit.forgotten, ...told]);
  writeRunning();
  if (commit.imported) importTables(sqlite, commit.imported);
  // Where less is to be kept now, that goes for what was kept before.
  if (commit.archived.length > 0 || countArchived(sqlite) > keep.archiveSize) tidyArchive();
  if (keep.archiveSize === 0) sqlite.run("DELETE FROM turns WHERE state NOT IN ('remembered', 'summarized')");
  if (commit.departures.length > 0) {
    sqlite.run(
      'DELETE FROM departures WHERE number <= (SELECT max(number) FROM departures) - ?',
      maxDepartures,
    );
  }
}

function countArchived(sqlite: Sqlite): number {
  const row = sqlite.get('SELECT count(*) AS count FROM conversations WHERE ending IS NOT NULL');
  return Number(row?.['count']);
}

/** In SQL. One that cannot be read is nothing. */
function sizeOf(turn: string): string {
  return `CASE WHEN json_valid(${turn}) THEN length(json_extract(${turn}, '$.messages')) ELSE 0 END`;
}

function titleOf({ turns, summarized }: Conversation, firstCut: string | null): string {
  const opening = [...summarized, ...turns].find(({ id }) => id === firstCut) ?? turns[0];
  return opening ? firstWords(opening) : '';
}
