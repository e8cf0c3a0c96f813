import { isName } from '../core/conversation/decode';
import type { DepartureRow, OlderTables } from '../core/conversation/store';
import type { LedgerTable } from '../core/ledger/ledger';
import { maxRecords } from '../core/ledger/record';
import { isObject } from '../core/text/json';
import { parsedJson, type Sqlite } from './sqlite';

/** What was sent for each answer: ids and numbers. Words come from the turns that are still there. */
export function createLedgerTable(sqlite: Sqlite): LedgerTable {
  return {
    add(record) {
      sqlite.transaction(() => {
        addAnswer(sqlite, record.turn, record.startedAt, record);
        sqlite.run(
          'DELETE FROM answers WHERE at < (SELECT at FROM answers ORDER BY at DESC LIMIT 1 OFFSET ?)',
          maxRecords - 1,
        );
      });
    },
    answers: () =>
      sqlite.all('SELECT record FROM answers ORDER BY at').map(({ record }) => parsedJson(record)),
    departures: () =>
      sqlite
        .all(
          'SELECT conversation, turn, reason, tokens, at FROM departures ORDER BY number DESC LIMIT ?',
          maxRecords,
        )
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- written by us, with these columns
        .map((row) => row as unknown as DepartureRow)
        .toReversed(),
    wordsOf(turns) {
      const rows = sqlite.all(
        "SELECT id, words FROM turns WHERE words <> '' AND id IN (SELECT value FROM json_each(?))",
        JSON.stringify(turns),
      );
      return new Map(rows.map(({ id, words }) => [String(id), String(words)]));
    },
    paramNames() {
      const heads = sqlite.all('SELECT head FROM conversations').map(({ head }) => parsedJson(head));
      const writes = heads.flatMap((head): readonly unknown[] =>
        isObject(head) && Array.isArray(head['params']) ? head['params'] : [],
      );
      return [
        ...new Set(
          writes.flatMap((write) => (isObject(write) && isName(write['name']) ? [write['name']] : [])),
        ),
      ];
    },
    notes: () =>
      new Map(sqlite.all('SELECT id, text FROM notes').map(({ id, text }) => [Number(id), String(text)])),
    clear: () => {
      sqlite.run('DELETE FROM answers');
      sqlite.run('DELETE FROM departures');
    },
  };
}

export function importTables(sqlite: Sqlite, { answers, departures }: OlderTables): void {
  for (const record of answers) addAnswer(sqlite, record.turn, record.startedAt, record);
  for (const departure of departures) addDeparture(sqlite, departure);
}

export function addDeparture(sqlite: Sqlite, { conversation, turn, reason, tokens, at }: DepartureRow): void {
  sqlite.run(
    'INSERT INTO departures (conversation, turn, reason, tokens, at) VALUES (?, ?, ?, ?, ?)',
    conversation,
    turn,
    reason,
    tokens,
    at,
  );
}

function addAnswer(sqlite: Sqlite, turn: string, at: number, record: unknown): void {
  sqlite.run('INSERT OR REPLACE INTO answers VALUES (?, ?, ?)', turn, at, JSON.stringify(record));
}
