import type { Plan } from '../core/tools/plans/plan';
import type { PlanStore, PlanTable } from '../core/tools/plans/plans';
import type { Row, Sqlite } from './sqlite';
import { createTableStore } from './tableStore';

/** The plans of the workspace. */
export function createPlanStore(
  database: () => Promise<Sqlite | undefined>,
  wait?: (ms: number) => Promise<unknown>,
): PlanStore {
  return createTableStore(database, createTable, wait);
}

function createTable(sqlite: Sqlite): PlanTable {
  return {
    open() {
      const row = sqlite.get('SELECT * FROM plans WHERE is_closed = 0 LIMIT 1');
      return row && toPlan(row);
    },
    list: () => sqlite.all('SELECT * FROM plans').map(toPlan),
    get(id) {
      const row = sqlite.get('SELECT * FROM plans WHERE id = ?', id);
      return row && toPlan(row);
    },
    add(plan) {
      sqlite.run(`INSERT INTO plans (${columns}) VALUES (?, ?, ?, ?, ?, ?)`, ...valuesOf(plan));
      return Number(sqlite.get('SELECT last_insert_rowid() AS id')?.['id']);
    },
    put: (plan) =>
      sqlite.run(
        `INSERT OR REPLACE INTO plans (id, ${columns}) VALUES (?, ?, ?, ?, ?, ?, ?)`,
        plan.id,
        ...valuesOf(plan),
      ),
    remove: (id) => sqlite.run('DELETE FROM plans WHERE id = ?', id),
  };
}

const columns = 'text, revision, is_edited, changed_at, started_at, is_closed';

function valuesOf({ text, revision, isEdited, changedAt, startedAt, isClosed }: Omit<Plan, 'id'>) {
  return [text, revision, isEdited ? 1 : 0, changedAt, startedAt ?? null, isClosed ? 1 : 0];
}

function toPlan(row: Row): Plan {
  const startedAt = row['started_at'];
  return {
    id: Number(row['id']),
    text: String(row['text']),
    revision: Number(row['revision']),
    isEdited: row['is_edited'] === 1,
    changedAt: Number(row['changed_at']),
    startedAt: typeof startedAt === 'number' ? startedAt : undefined,
    isClosed: row['is_closed'] === 1,
  };
}
