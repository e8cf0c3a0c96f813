import { statSync } from 'node:fs';
import { join } from 'node:path';
import { storageFolder } from '../support/window/storedState';

/** What stands in the database of the workspace, read past our own code. */
export interface Kept {
  /** Changes that nobody has judged, and the turn that made the last of them. */
  readonly changes: number;
  readonly turnOfChange: string | undefined;
  readonly openPlan: string | undefined;
  readonly openPlanId: number | undefined;
  /** Closed ones, too. */
  readonly plans: number;
  readonly notes: readonly string[];
  readonly noteIds: readonly number[];
  /** US dollars, of all days. */
  readonly spent: number;
  /** Of the database without what is free in it, by table, the largest first. */
  readonly tables: readonly { readonly name: string; readonly bytes: number }[];
  /** Of the log beside it, which SQLite writes over and does not cut. */
  readonly logBytes: number;
}

export function readKept(dataFolder: string): Kept {
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite');
  const folder = storageFolder(dataFolder);
  const database = new DatabaseSync(join(folder, 'memory.db'), { readOnly: true });
  try {
    database.exec('PRAGMA busy_timeout = 5000');
    const all = (sql: string) => database.prepare(sql).all();
    const changes = all('SELECT turn FROM changes ORDER BY id');
    const plans = all('SELECT id, text, is_closed FROM plans');
    const open = plans.find((plan) => plan['is_closed'] === 0);
    const notes = all('SELECT id, text FROM notes ORDER BY id');
    const turn = changes.at(-1)?.['turn'];
    return {
      changes: changes.length,
      turnOfChange: turn === undefined ? undefined : String(turn),
      openPlan: open && String(open['text']),
      openPlanId: open && Number(open['id']),
      plans: plans.length,
      notes: notes.map((note) => String(note['text'])),
      noteIds: notes.map((note) => Number(note['id'])),
      spent: Number(all('SELECT total(cost) AS cost FROM spending')[0]?.['cost']),
      tables: all('SELECT name, sum(pgsize) AS bytes FROM dbstat GROUP BY name ORDER BY bytes DESC').map(
        ({ name, bytes }) => ({ name: String(name), bytes: Number(bytes) }),
      ),
      logBytes: statSync(join(folder, 'memory.db-wal'), { throwIfNoEntry: false })?.size ?? 0,
    };
  } finally {
    database.close();
  }
}
