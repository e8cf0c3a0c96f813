import { decodeStub } from '../core/conversation/decode';
import type { Match, TurnPlace, TurnSearch } from '../core/conversation/store';
import { repairedMessages } from '../core/conversation/transcript';
import { livePrefix } from './eraser';
import { readHead } from './readState';
import { parsedJson, type Row, type Sqlite } from './sqlite';

/** What was asked says more about an exchange than what was answered at length. */
const ranking = 'bm25(2.0, 1.0, 1.0)';

/** Turns by what was said in them. */
export function createTurnSearch(sqlite: Sqlite): TurnSearch {
  const rowOf = ({ key, turn }: Pick<TurnPlace, 'key' | 'turn'>) =>
    sqlite.get('SELECT turn, position FROM turns WHERE conversation = ? AND id = ?', key, turn);

  return {
    match(query, { limit, withCut }) {
      // The best are chosen before anything else is looked up: that is most of the time that it takes.
      const rows = sqlite.all(
        `SELECT turns.id, conversation, position, changed, score
         FROM (SELECT rowid, rank AS score FROM said WHERE said MATCH ? AND rank MATCH '${ranking}'
               ORDER BY rank LIMIT ?)
         JOIN turns ON number = rowid JOIN conversations ON key = conversation
         ${withCut ? '' : `WHERE ${isNotCut}`} ORDER BY score LIMIT ?`,
        query,
        2 * limit,
        limit,
      );
      return rows.map(toMatch);
    },

    neighbours({ key, position }) {
      const near = (order: '<' | '>') =>
        sqlite.all(
          `SELECT id, conversation, position FROM turns WHERE conversation = ? AND position ${order} ?
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

/** What a rewind took out of the chat no longer reaches Claude (M13). */
const isNotCut = "ending IS NOT 'branch'";

function toPlace({ id, conversation, position }: Row): TurnPlace {
  return { turn: String(id), key: String(conversation), position: Number(position) };
}

function toMatch(row: Row): Match {
  // SQLite's are the better the less they are.
  return { ...toPlace(row), score: -Number(row['score']), changed: Number(row['changed']) };
}
