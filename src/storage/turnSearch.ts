import { decodeStub } from '../core/conversation/decode';
import type { Match, TurnPlace, TurnSearch } from '../core/conversation/store';
import { repairedMessages } from '../core/conversation/transcript';
import { liveKey, livePrefix } from './eraser';
import { readEvicted, readHead } from './readState';
import { parsedJson, type Row, type Sqlite } from './sqlite';

/** What was asked says more about an exchange than what was answered at length. */
const ranking = 'bm25(2.0, 1.0, 1.0)';

/** Turns by what was said in them. */
export function createTurnSearch(sqlite: Sqlite): TurnSearch {
  const rowOf = ({ key, turn }: Pick<TurnPlace, 'key' | 'turn'>) =>
    sqlite.get('SELECT turn, position FROM turns WHERE conversation = ? AND id = ?', key, turn);

  return {
    match(query, { limit, withCut }) {
      // In the order of the index, which ends with the last one that is wanted: to look up all of them takes longest.
      // What was cut is left out on the way, since each branch has a copy of its whole conversation.
      const rows = sqlite.all(
        `SELECT turns.id, conversation, position, changed, rank AS score
         FROM said CROSS JOIN turns ON number = said.rowid CROSS JOIN conversations ON key = conversation
         WHERE said MATCH ? AND rank MATCH '${ranking}' AND ${withCut ? isNoCopy : isNotCut}
         ORDER BY rank LIMIT ?`,
        query,
        limit,
      );
      return rows.map(toMatch);
    },

    neighbours({ key, position }) {
      const near = (order: '<' | '>') =>
        sqlite.all(
          `SELECT turns.id, conversation, position FROM turns JOIN conversations ON key = conversation
           WHERE conversation = ? AND position ${order} ? AND ${isNotCut}
           ORDER BY position ${order === '<' ? 'DESC' : ''} LIMIT 1`,
          key,
          position,
        );
      return [...near('<'), ...near('>')].map(toPlace);
    },

    kept(place) {
      const row = rowOf(place);
      const stored = row && decodeStub(parsedJson(row['turn']));
      const messages = repairedMessages(stored?.messages ?? []);
      if (!row || !stored || messages.length === 0) return undefined;
      const named = sqlite.get(
        `SELECT coalesce(title, (SELECT words FROM turns WHERE conversation = key ORDER BY position LIMIT 1)) AS title
         FROM conversations WHERE key = ?`,
        place.key,
      );
      const title = named?.['title'];
      return {
        ...place,
        position: Number(row['position']),
        kept: { ...stored, messages },
        title: typeof title === 'string' ? title : '',
        archived: place.key.startsWith(livePrefix) ? undefined : place.key,
      };
    },

    place(turn) {
      const row = sqlite.get(
        `SELECT turns.id, conversation, position FROM turns JOIN conversations ON key = conversation
         WHERE turns.id = ? AND ${isNotCut} ORDER BY changed DESC LIMIT 1`,
        turn,
      );
      return row && toPlace(row);
    },

    evicted: (of) => readEvicted(sqlite, 'archived' in of ? of.archived : liveKey(of.conversation)),

    upTo(place, maxTurns) {
      const rows = sqlite.all(
        'SELECT turn FROM turns WHERE conversation = ? AND position <= ? ORDER BY position DESC LIMIT ?',
        place.key,
        place.position,
        maxTurns,
      );
      const turns = rows.flatMap(({ turn }) => decodeStub(parsedJson(turn)) ?? []).toReversed();
      const head = readHead(sqlite, place.key);
      return head && { ...head, turns, summarized: [] };
    },
  };
}

/**
 * What a rewind took out of the chat no longer reaches Claude (M13), nor does a copy from before: a conversation that was
 * resumed may still be in the archive. What goes on somewhere was not cut there.
 */
const isNotCut = `ending IS NOT 'branch' AND (ending IS NULL OR NOT EXISTS (
    SELECT 1 FROM turns AS cut JOIN conversations AS branch ON branch.key = cut.conversation
    JOIN turns AS first ON first.conversation = branch.key AND first.id = branch.first_cut
    WHERE cut.id = turns.id AND branch.ending = 'branch'
    AND cut.position >= first.position AND cut.changed >= turns.changed
  ) OR EXISTS (
    SELECT 1 FROM turns AS live JOIN conversations AS going ON going.key = live.conversation
    WHERE live.id = turns.id AND going.ending IS NULL
  ))`;

/** A branch has what was cut, and all before it, which is mostly kept elsewhere, too. */
const isNoCopy = `(ending IS NOT 'branch' OR NOT EXISTS (
    SELECT 1 FROM turns AS other JOIN conversations AS home ON home.key = other.conversation
    WHERE other.id = turns.id AND home.ending IS NOT 'branch'
  ))`;

function toPlace({ id, conversation, position }: Row): TurnPlace {
  return { turn: String(id), key: String(conversation), position: Number(position) };
}

function toMatch(row: Row): Match {
  // SQLite's are the better the less they are.
  return { ...toPlace(row), score: -Number(row['score']), changed: Number(row['changed']) };
}
