import { decodeStub } from '../core/conversation/decode';
import { searchText } from '../core/conversation/recall/searchText';
import type { StoredTurn } from '../core/conversation/turn';
import { parseJson } from '../core/text/json';
import type { Connection, Sqlite } from './sqlite';

const put = 'INSERT OR REPLACE INTO said (rowid, asked, answered, names) VALUES (?, ?, ?, ?)';

/** Makes a turn findable by what was said in it; `number` is its row. */
export function indexTurn(sqlite: Sqlite, number: number, turn: StoredTurn): void {
  const { asked, answered, names } = searchText(turn);
  sqlite.run(put, number, asked, answered, names);
}

/** For tables that came without an index. */
export function indexAll(database: Pick<Connection, 'prepare'>): void {
  const insert = database.prepare(put);
  for (const { number, turn: text } of database.prepare('SELECT number, turn FROM turns').all()) {
    const turn = decodeStub(parseJson(String(text)));
    if (!turn) continue;
    const { asked, answered, names } = searchText(turn);
    insert.run(Number(number), asked, answered, names);
  }
}
