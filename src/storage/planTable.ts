import { setTimeout } from 'node:timers/promises';
import { StoreError } from '../core/conversation/store';
import type { Plan } from '../core/tools/plans/plan';
import type { PlanStore, PlanTable } from '../core/tools/plans/plans';
import type { Row, Sqlite } from './sqlite';

/** Another window holds the database for moments only. */
const busyTries = 20;
const busyWaitMs = 50;

/** The plans of the workspace. */
export function createPlanStore(
  database: () => Promise<Sqlite | undefined>,
  wait: (ms: number) => Promise<unknown> = setTimeout,
): PlanStore {
  /** Something was erased, and may still stand in a file. */
  let isScrubDue = false;

  async function untilFree<T>(job: (sqlite: Sqlite) => T): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        const sqlite = await database();
        if (!sqlite) throw new StoreError('failed');
        return job(sqlite);
      } catch (error) {
        if (!(error instanceof StoreError) || error.kind !== 'busy' || tries === busyTries) throw error;
        await wait(busyWaitMs);
      }
    }
  }

  /** What cannot be overwritten now is so at the next use, and at the latest when the database is opened again. */
  async function scrub(): Promise<void> {
    if (!isScrubDue) return;
    try {
      await untilFree((sqlite) => sqlite.scrub());
      isScrubDue = false;
    } catch (error) {
      if (!(error instanceof StoreError)) throw error;
    }
  }

  const change = <T>(job: (table: PlanTable) => T) =>
    untilFree((sqlite) => sqlite.transaction(() => job(createTable(sqlite))));

  return {
    async read(job) {
      await scrub();
      return untilFree((sqlite) => sqlite.snapshot(() => job(createTable(sqlite))));
    },
    change,
    async erase(job) {
      // Before it happens: a failure may come after the commit.
      isScrubDue = true;
      const result = await change(job);
      await scrub();
      return result;
    },
  };
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
