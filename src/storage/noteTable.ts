import { setTimeout as sleep } from 'node:timers/promises';
import { StoreError } from '../core/conversation/store';
import { isObject } from '../core/text/json';
import type { ListedNote, Note, NoteOrigin } from '../core/tools/notes/note';
import type { NoteStore, NoteTable } from '../core/tools/notes/notes';
import { parsedJson, type Row, type Sqlite } from './sqlite';

const triesWhileBusy = 20;
const pauseMs = 50;

/** The notes of the workspace, in a table. */
export function createNoteStore(database: () => Promise<Sqlite | undefined>): NoteStore {
  /** Something was erased, and may still stand in a file. */
  let isScrubDue = false;

  /** Another window writes or reads at this very moment. */
  async function untilFree<T>(job: (sqlite: Sqlite) => T): Promise<T> {
    for (let tries = 1; ; tries++) {
      const sqlite = await database();
      if (!sqlite) throw new StoreError('failed');
      try {
        return job(sqlite);
      } catch (error) {
        const isBusy = error instanceof StoreError && error.kind === 'busy';
        if (!isBusy || tries === triesWhileBusy) throw error;
        await sleep(pauseMs);
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

  const change = <T>(job: (table: NoteTable) => T) =>
    untilFree((sqlite) => sqlite.transaction(() => job(createTable(sqlite))));

  return {
    async list() {
      await scrub();
      return untilFree((sqlite) => sqlite.all(`SELECT ${listed} FROM notes ORDER BY id`).flatMap(toListed));
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

/** Also words of the turn, as long as it is remembered or archived. */
const listed = `id, text, at, edited_at, turn, origin,
  (SELECT words FROM turns WHERE turns.id = notes.turn AND words <> '' LIMIT 1) AS words`;

function createTable(sqlite: Sqlite): NoteTable {
  const put = (id: number | null, { text, at, editedAt, origin: { turnId, ...origin } }: Omit<Note, 'id'>) =>
    sqlite.run(
      'INSERT INTO notes (id, text, at, edited_at, turn, origin) VALUES (?, ?, ?, ?, ?, ?)',
      ...[id, text, at, editedAt ?? null, turnId ?? null, JSON.stringify(origin)],
    );
  return {
    list: () =>
      sqlite.all('SELECT id, text, at, edited_at, turn, origin FROM notes ORDER BY id').flatMap(toListed),
    add(note) {
      put(null, note);
      return Number(sqlite.get('SELECT last_insert_rowid() AS id')?.['id']);
    },
    putBack: ({ id, ...note }) => put(id, note),
    replace: ({ id, text, editedAt }) =>
      sqlite.run('UPDATE notes SET text = ?, edited_at = ? WHERE id = ?', text, editedAt ?? null, id),
    remove: (id) => sqlite.run('DELETE FROM notes WHERE id = ?', id),
  };
}

function toListed({ id, text, at, edited_at: editedAt, turn, origin, words }: Row): ListedNote[] {
  // A row that cannot be read counts as none.
  if (typeof text !== 'string' || text === '') return [];
  return [
    {
      id: Number(id),
      text,
      at: typeof at === 'number' ? at : 0,
      ...(typeof editedAt === 'number' && { editedAt }),
      origin: { ...(typeof turn === 'string' && { turnId: turn }), ...toOrigin(parsedJson(origin)) },
      ...(typeof words === 'string' && { words }),
    },
  ];
}

function toOrigin(raw: unknown): Omit<NoteOrigin, 'turnId'> {
  const { isAskedFor, after }: Readonly<Record<string, unknown>> = isObject(raw) ? raw : {};
  return {
    isAskedFor: isAskedFor === true,
    after: Array.isArray(after) ? after.filter((one): one is string => typeof one === 'string') : [],
  };
}
