import { isObject } from '../core/text/json';
import type { ListedNote, Note, NoteOrigin } from '../core/tools/notes/note';
import type { NoteStore, NoteTable } from '../core/tools/notes/notes';
import { parsedJson, type Row, type Sqlite } from './sqlite';
import { createTableStore } from './tableStore';

/** The notes of the workspace, in a table. */
export function createNoteStore(database: () => Promise<Sqlite | undefined>): NoteStore {
  return createTableStore(database, createTable);
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
    list: () => sqlite.all(`SELECT ${listed} FROM notes ORDER BY id`).flatMap(toListed),
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
