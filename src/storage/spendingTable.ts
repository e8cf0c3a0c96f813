import type { SpendingStore, SpendingTable } from '../core/agent/spending';
import type { Sqlite } from './sqlite';
import { createTableStore } from './tableStore';

/** What is spent in the workspace, day by day (L14). */
export function createSpendingStore(database: () => Promise<Sqlite | undefined>): SpendingStore {
  return createTableStore(database, createTable);
}

const keptDays = 100;

function createTable(sqlite: Sqlite): SpendingTable {
  return {
    sum(day) {
      // Gateways report any number, and Node reads no whole one above 2^53.
      const row = sqlite.get(
        'SELECT cost, CAST(unpriced_tokens AS REAL) AS unpriced FROM spending WHERE day = ?',
        day,
      );
      return { cost: Number(row?.['cost'] ?? 0), unpricedTokens: Number(row?.['unpriced'] ?? 0) };
    },
    held(day, since) {
      const row = sqlite.get(
        'SELECT total(iif(at > ?, most, least)) AS held FROM held WHERE day = ?',
        since,
        day,
      );
      return Number(row?.['held'] ?? 0);
    },
    hold({ day, at, least, most }) {
      sqlite.run('DELETE FROM held WHERE day < ?', day);
      sqlite.run('INSERT INTO held (day, at, least, most) VALUES (?, ?, ?, ?)', day, at, least, most);
      return Number(sqlite.get('SELECT last_insert_rowid() AS id')?.['id']);
    },
    add(day, { cost, unpricedTokens }) {
      sqlite.run(
        `INSERT INTO spending VALUES (?, ?, ?) ON CONFLICT (day) DO UPDATE SET
          cost = cost + excluded.cost, unpriced_tokens = unpriced_tokens + excluded.unpriced_tokens`,
        day,
        cost,
        unpricedTokens,
      );
      sqlite.run(
        'DELETE FROM spending WHERE day < (SELECT day FROM spending ORDER BY day DESC LIMIT 1 OFFSET ?)',
        keptDays - 1,
      );
    },
    release: (id) => sqlite.run('DELETE FROM held WHERE id = ?', id),
  };
}
