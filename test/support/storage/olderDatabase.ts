import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { aTurn } from '../conversation/stored';

/** A database as an older version left it, with a remembered, an evicted and an archived turn. */
export function writeOlderDatabase(file: string, version: 1 | 2): void {
  mkdirSync(dirname(file), { recursive: true });
  const database = new DatabaseSync(file);
  database.exec(`
    CREATE TABLE sequence (number INTEGER NOT NULL);
    INSERT INTO sequence VALUES (3);
    CREATE TABLE conversations (key TEXT PRIMARY KEY, id TEXT NOT NULL, lineage TEXT NOT NULL,
      last_active REAL NOT NULL, head TEXT NOT NULL, ending TEXT, first_cut TEXT, title TEXT);
    CREATE TABLE turns (conversation TEXT NOT NULL, id TEXT NOT NULL, state TEXT NOT NULL, words TEXT NOT NULL,
      turn TEXT NOT NULL, changed INTEGER NOT NULL, PRIMARY KEY (conversation, id));
    CREATE INDEX turns_by_id ON turns (id);
    CREATE TABLE running (turn TEXT PRIMARY KEY, head TEXT NOT NULL);
    CREATE TABLE rounds (turn TEXT NOT NULL, position INTEGER NOT NULL, message TEXT NOT NULL,
      PRIMARY KEY (turn, position));
    CREATE TABLE answers (turn TEXT NOT NULL, at REAL NOT NULL, record TEXT NOT NULL, PRIMARY KEY (turn, at));
    CREATE TABLE departures (number INTEGER PRIMARY KEY, conversation TEXT NOT NULL, turn TEXT NOT NULL,
      reason TEXT NOT NULL, tokens REAL NOT NULL, at REAL NOT NULL);
    ${version === 1 ? 'CREATE TABLE texts (name TEXT)' : changesOfVersion2};
    INSERT INTO answers VALUES ('turn', 1, '{}');
    INSERT INTO conversations VALUES ('live/workspace', 'workspace', 'one', 999999999, '{}', NULL, NULL, NULL);
    INSERT INTO conversations VALUES ('old', 'workspace', 'two', 1, '{}', 'left', NULL, 'question b');
    PRAGMA user_version = ${version};
  `);
  const insert = database.prepare('INSERT INTO turns VALUES (?, ?, ?, ?, ?, 1)');
  for (const [conversation, id, state] of [
    ['live/workspace', 'a', 'remembered'],
    ['live/workspace', 'evicted', 'cap'],
    ['old', 'b', 'remembered'],
  ] as const)
    insert.run(conversation, id, state, `question ${id}`, JSON.stringify(aTurn(id)));
  insert.run('old', 'unreadable', 'cap', '', '{');
  database.close();
}

const changesOfVersion2 = `CREATE TABLE changes (id INTEGER PRIMARY KEY AUTOINCREMENT, turn TEXT NOT NULL,
  at REAL NOT NULL, kind TEXT NOT NULL, place TEXT NOT NULL, origin TEXT, added INTEGER NOT NULL,
  removed INTEGER NOT NULL, can_be_undone INTEGER NOT NULL, size INTEGER NOT NULL, before TEXT, after TEXT,
  encoding TEXT, judged TEXT NOT NULL); CREATE INDEX changes_by_turn ON changes (turn)`;
