import { isObject } from '../core/text/json';
import type { ChangeStore, ChangeTable } from '../core/tools/changes/changeRows';
import type { FileChange, Judged, ListedChange } from '../core/tools/changes/fileChange';
import type { Place } from '../core/tools/workspace';
import { parsedJson, type Row, type Sqlite } from './sqlite';
import { createTableStore } from './tableStore';

/** What Claude did to files and nobody has judged yet. */
export function createChangeStore(
  database: () => Promise<Sqlite | undefined>,
  wait?: (ms: number) => Promise<unknown>,
): ChangeStore {
  return createTableStore(database, createTable, wait);
}

function createTable(sqlite: Sqlite): ChangeTable {
  return {
    list: () => sqlite.all(`SELECT ${listed} FROM changes ORDER BY id`).flatMap((row) => toListed(row) ?? []),
    get(id) {
      const row = sqlite.get(
        `SELECT ${listed}, before, after, encoding, judged FROM changes WHERE id = ?`,
        id,
      );
      const change = row && toListed(row);
      return change && { ...change, ...textsIn(row) };
    },
    add(change) {
      sqlite.run(
        `INSERT INTO changes (${columns}) VALUES (${columns.replaceAll(/\w+/g, '?')})`,
        ...valuesOf(change),
      );
      return Number(sqlite.get('SELECT last_insert_rowid() AS id')?.['id']);
    },
    replace(change) {
      sqlite.run(
        `UPDATE changes SET (${columns}) = (${columns.replaceAll(/\w+/g, '?')}) WHERE id = ?`,
        ...valuesOf(change),
        change.id,
      );
    },
    remove: (id) => sqlite.run('DELETE FROM changes WHERE id = ?', id),
    size: () => Number(sqlite.get('SELECT sum(size) AS size FROM changes')?.['size'] ?? 0),
    before(id, turnId, place) {
      const row = sqlite.get(
        "SELECT id FROM changes WHERE turn = ? AND place = ? AND id < ? AND kind <> 'rename' ORDER BY id DESC LIMIT 1",
        turnId,
        JSON.stringify(place),
        id,
      );
      return row && this.get(Number(row['id']));
    },
  };
}

const columns =
  'turn, at, kind, place, origin, added, removed, can_be_undone, before, after, encoding, judged, size';
const listed = `id, turn, at, kind, place, origin, added, removed, can_be_undone,
  (SELECT words FROM turns WHERE turns.id = changes.turn AND words <> '' LIMIT 1) AS words`;

function valuesOf(change: Omit<FileChange, 'id'>) {
  const { turnId, at, kind, place, from, added, removed, canBeUndone, before, after, encoding } = change;
  return [
    ...[turnId, at, kind, JSON.stringify(place), from ? JSON.stringify(from) : null, added, removed],
    ...[canBeUndone ? 1 : 0, before ?? null, after ?? null, encoding ?? null],
    change.judged.map((verdict) => verdict[0]).join(''),
    before?.length ?? 0,
  ];
}

/** A row that cannot be read counts as none. */
function toListed(row: Row): ListedChange | undefined {
  const [place, from] = [toPlace(row['place']), toPlace(row['origin'])];
  const kind = kinds.find((known) => known === row['kind']);
  if (!place || !kind) return undefined;
  return {
    ...{
      id: Number(row['id']),
      turnId: String(row['turn']),
      words: typeof row['words'] === 'string' ? row['words'] : '',
      at: Number(row['at']),
      kind,
      place,
      from,
    },
    ...{ added: Number(row['added']), removed: Number(row['removed']) },
    canBeUndone: row['can_be_undone'] === 1,
  };
}

const kinds = ['edit', 'create', 'delete', 'rename'] as const;

function textsIn({ before, after, encoding, judged }: Row) {
  return {
    before: typeof before === 'string' ? before : undefined,
    after: typeof after === 'string' ? after : undefined,
    encoding: typeof encoding === 'string' ? encoding : undefined,
    judged: Array.from(String(judged), (letter): Judged[number] =>
      letter === 'k' ? 'kept' : letter === 'u' ? 'undone' : 'open',
    ),
  };
}

/** It leads to a file: what does not look like a place of ours is none. */
function toPlace(text: unknown): Place | undefined {
  const raw = parsedJson(text);
  if (!isObject(raw) || !isObject(raw['folder']) || typeof raw['path'] !== 'string') return undefined;
  const { path } = raw;
  const { name, root } = raw['folder'];
  const isInside = !/^[/\\]|\\/.test(path) && !path.split('/').includes('..');
  return typeof name === 'string' && typeof root === 'string' && isInside
    ? { folder: { name, root }, path }
    : undefined;
}
