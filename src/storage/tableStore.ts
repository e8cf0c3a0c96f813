import { setTimeout } from 'node:timers/promises';
import { StoreError } from '../core/conversation/store';
import type { Sqlite } from './sqlite';

/** Something that is kept in a table of its own. One job is one transaction. */
export interface TableStore<Table> {
  /** All that it reads is of one moment. */
  read<T>(job: (table: Table) => T): Promise<T>;
  change<T>(job: (table: Table) => T): Promise<T>;
  /** The same for a job that erases: no byte of what is gone then stays in any file. */
  erase<T>(job: (table: Table) => T): Promise<T>;
}

/** Another window holds the database for moments only. */
const busyTries = 20;
const busyWaitMs = 50;

export function createTableStore<Table>(
  database: () => Promise<Sqlite | undefined>,
  createTable: (sqlite: Sqlite) => Table,
  wait: (ms: number) => Promise<unknown> = setTimeout,
): TableStore<Table> {
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

  return {
    async read(job) {
      await scrub();
      return untilFree((sqlite) => sqlite.snapshot(() => job(createTable(sqlite))));
    },
    change: (job) => untilFree((sqlite) => sqlite.transaction(() => job(createTable(sqlite)))),
    async erase(job) {
      // Before it happens: a failure may come after the commit.
      isScrubDue = true;
      const result = await untilFree((sqlite) =>
        sqlite.transaction(() => {
          sqlite.scrubLater();
          return job(createTable(sqlite));
        }),
      );
      await scrub();
      return result;
    },
  };
}
