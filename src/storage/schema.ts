import { StoreError } from '../core/conversation/store';
import type { Connection } from './sqlite';
import { indexAll } from './turnIndex';

/** Rises when an older version of the extension could no longer read the tables right. */
export const schemaVersion = 3;

/**
 * What Claude did to files and nobody has judged yet. `judged` has a letter for each hunk: open, kept, undone; `size` is
 * that of `before`.
 */
const changes = `
  CREATE TABLE changes (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    turn TEXT NOT NULL,
    at REAL NOT NULL,
    kind TEXT NOT NULL,
    place TEXT NOT NULL,
    origin TEXT,
    added INTEGER NOT NULL,
    removed INTEGER NOT NULL,
    can_be_undone INTEGER NOT NULL,
    size INTEGER NOT NULL,
    before TEXT,
    after TEXT,
    encoding TEXT,
    judged TEXT NOT NULL
  );
  CREATE INDEX changes_by_turn ON changes (turn);
`;

/** The documents that Claude and the user both write. `revision` rises with each change of the text; see `planTable.ts`. */
const plans = `
  CREATE TABLE plans (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    text TEXT NOT NULL,
    revision INTEGER NOT NULL,
    is_edited INTEGER NOT NULL,
    changed_at REAL NOT NULL,
    started_at REAL,
    is_closed INTEGER NOT NULL
  );
`;

/** What is worth knowing for months. `origin` is how it came about, as JSON. */
const notes = `
  CREATE TABLE notes (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    text TEXT NOT NULL,
    at REAL NOT NULL,
    edited_at REAL,
    turn TEXT,
    origin TEXT NOT NULL
  );
`;

/**
 * What was spent on each day, and what is held for requests under way: `least` counts even if their window is gone. Sums
 * only: there is nothing in them to erase.
 */
const spending = `
  CREATE TABLE spending (day TEXT PRIMARY KEY, cost REAL NOT NULL, unpriced_tokens INTEGER NOT NULL);
  CREATE TABLE held (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    day TEXT NOT NULL,
    at REAL NOT NULL,
    least REAL NOT NULL,
    most REAL NOT NULL
  );
`;

/**
 * `state` is `remembered`, `summarized`, or why the turn was evicted; `position` is its place in the conversation;
 * `changed` is the number of the change that wrote the row. The index knows a row by `number`, which VACUUM keeps.
 */
const turns = `
  CREATE TABLE turns (
    number INTEGER PRIMARY KEY,
    conversation TEXT NOT NULL,
    id TEXT NOT NULL,
    state TEXT NOT NULL,
    position REAL NOT NULL,
    words TEXT NOT NULL,
    turn TEXT NOT NULL,
    changed INTEGER NOT NULL,
    UNIQUE (conversation, id)
  );
  CREATE INDEX turns_by_id ON turns (id);
  CREATE INDEX turns_by_position ON turns (conversation, position);
`;

/** What was said, by its words alone: the texts themselves stand in the turns. Whatever deletes a turn deletes its words. */
const said = `
  CREATE VIRTUAL TABLE said USING fts5 (
    asked, answered, names, content = '', contentless_delete = 1, tokenize = 'porter unicode61'
  );
  CREATE TRIGGER said_no_more AFTER DELETE ON turns BEGIN
    DELETE FROM said WHERE rowid = old.number;
  END;
`;

/**
 * `sequence` has one row: the number of the last change, and whether bytes of what was erased may still be in a file.
 * `conversations`: remembered ones have the key `live/` and their id, archived ones their own id.
 */
const schema = `
  CREATE TABLE sequence (number INTEGER NOT NULL, is_scrub_due INTEGER NOT NULL DEFAULT 0);
  INSERT INTO sequence (number) VALUES (0);
  CREATE TABLE conversations (
    key TEXT PRIMARY KEY,
    id TEXT NOT NULL,
    lineage TEXT NOT NULL,
    last_active REAL NOT NULL,
    head TEXT NOT NULL,
    ending TEXT,
    first_cut TEXT,
    title TEXT
  );
  ${turns}
  ${said}
  CREATE TABLE running (turn TEXT PRIMARY KEY, head TEXT NOT NULL);
  CREATE TABLE rounds (
    turn TEXT NOT NULL,
    position INTEGER NOT NULL,
    message TEXT NOT NULL,
    PRIMARY KEY (turn, position)
  );
  CREATE TABLE answers (turn TEXT NOT NULL, at REAL NOT NULL, record TEXT NOT NULL, PRIMARY KEY (turn, at));
  CREATE TABLE departures (
    number INTEGER PRIMARY KEY,
    conversation TEXT NOT NULL,
    turn TEXT NOT NULL,
    reason TEXT NOT NULL,
    tokens REAL NOT NULL,
    at REAL NOT NULL
  );
  ${changes}
  ${notes}
  ${plans}
  ${spending}
`;

/** From version 1, which kept the texts before changes in a form of its own. */
const fromVersion1 = `
  DROP TABLE texts;
  ${changes}
`;

/** From version 2, which had no index, no notes, no plans and no sums of days. */
const fromVersion2 = `
  ALTER TABLE sequence ADD COLUMN is_scrub_due INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE turns RENAME TO older_turns;
  DROP INDEX turns_by_id;
  ${turns}
  ${said}
  INSERT INTO turns (conversation, id, state, position, words, turn, changed)
    SELECT conversation, id, state, coalesce(iif(json_valid(turn), json_extract(turn, '$.order'), 0), 0), words, turn, changed
    FROM older_turns ORDER BY rowid;
  DROP TABLE older_turns;
  ${notes}
  ${plans}
  ${spending}
`;

/** The index can be made anew from the turns. */
export function renewIndex(database: Pick<Connection, 'exec' | 'prepare'>): void {
  database.exec(`DROP TABLE said; DROP TRIGGER said_no_more; ${said}`);
  indexAll(database);
}

/** Makes the tables, or brings those of an older version to this one. */
export function migrate(database: Pick<Connection, 'exec' | 'prepare'>): void {
  const [version] = Object.values(database.prepare('PRAGMA user_version').get() ?? {});
  if (version === schemaVersion) return;
  // By a newer version, at this very moment.
  if (typeof version === 'number' && version > schemaVersion) throw new StoreError('newer');
  if (version === 0) database.exec(schema);
  if (version === 1) database.exec(fromVersion1);
  if (version === 1 || version === 2) {
    database.exec(fromVersion2);
    indexAll(database);
  }
  database.exec(`PRAGMA user_version = ${schemaVersion}`);
}
