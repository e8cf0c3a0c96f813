/** Rises when an older version of the extension could no longer read the tables right. */
export const schemaVersion = 3;

/** What Claude did to files and nobody has judged yet. `judged` has a letter for each hunk: open, kept, undone; `size` is that of `before`. */
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
 * `conversations`: remembered ones have the key `live/` and their id, archived ones their own id. `turns`: `state` is
 * `remembered`, `summarized`, or why the turn was evicted. `changed` is the number of the change that wrote a row.
 */
const schema = `
  CREATE TABLE sequence (number INTEGER NOT NULL);
  INSERT INTO sequence VALUES (0);
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
  CREATE TABLE turns (
    conversation TEXT NOT NULL,
    id TEXT NOT NULL,
    state TEXT NOT NULL,
    words TEXT NOT NULL,
    turn TEXT NOT NULL,
    changed INTEGER NOT NULL,
    PRIMARY KEY (conversation, id)
  );
  CREATE INDEX turns_by_id ON turns (id);
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
  PRAGMA user_version = ${schemaVersion};
`;

/** From version 2, which had none of these. */
const fromVersion2 = `
  ${notes}
  ${plans}
  PRAGMA user_version = ${schemaVersion};
`;

/** From version 1, which kept the texts before changes in a form of its own. */
const fromVersion1 = `
  DROP TABLE texts;
  ${changes}
  ${fromVersion2}
`;

/** What leads from an older version to this one; 0 is a database in which there is nothing yet. */
export const migrations: Readonly<Record<number, string>> = { 0: schema, 1: fromVersion1, 2: fromVersion2 };
