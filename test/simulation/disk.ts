import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Connection, Statement } from '../../src/storage/sqlite';
import { testFolder } from '../support/testFolder';
import { Dead, type Crosser, type Outside } from './outside';

const root = testFolder('assistant-simulation');
let folders = 0;

const full = 13;
const busy = 5;
const ioError = 10;

/** The folder of one workspace with the real SQLite in it, and all that can go wrong with a disk. */
export class Disk {
  readonly folder = join(root, String(++folders));
  readonly file = join(this.folder, 'memory.db');
  readonly #outside: Outside;
  readonly #onCommit: (crosser: Crosser) => void;
  /** As it was before the first change that SQLite was not told to sync. */
  #synced: ReadonlyMap<string, Buffer> | undefined;
  /** Keeps the last window from tidying up as it closes, which a killed one does not. */
  #witness: { readonly inode: number; readonly database: DatabaseSync } | undefined;
  /** All of them, those of windows that nobody looks after any more too. */
  readonly #connections: DatabaseSync[] = [];
  /** Nothing can be written. */
  isFull = false;
  /** So many tries find it locked by somebody else. */
  lockedFor = 0;

  constructor(outside: Outside, onCommit: (crosser: Crosser) => void) {
    this.#outside = outside;
    this.#onCommit = onCommit;
    mkdirSync(this.folder, { recursive: true });
  }

  /** A connection of one window. All of its statements cross the boundary. */
  connect(crosser: Crosser, onOpen: (close: () => void) => void): Connection {
    const database = new DatabaseSync(this.file);
    this.#connections.push(database);
    onOpen(() => {
      if (database.isOpen) database.close();
    });
    let isChange = false;
    let isDirty = false;
    const cross = <T>(sql: string, effect: () => T): T => {
      const verb = /^\s*\w+/.exec(sql)?.[0].trim() ?? '';
      if (['INSERT', 'UPDATE', 'DELETE', 'CREATE'].includes(verb)) isDirty = true;
      const writes = sql === 'BEGIN IMMEDIATE' || (isChange && isDirty) || verb === 'VACUUM';
      const failure = () => {
        if (database.isTransaction) database.exec('ROLLBACK');
        return sqliteError(ioError, 'disk I/O error');
      };
      if (verb === 'SELECT') return this.#outside.look(crosser, 'a look at the disk', effect, failure);
      if (!writes || verb === 'PRAGMA') return this.#alive(crosser, effect);
      if (this.lockedFor > 0 && verb === 'BEGIN') {
        this.lockedFor--;
        throw sqliteError(busy, 'database is locked');
      }
      if (this.isFull && verb !== 'BEGIN') {
        crosser.faults++;
        this.#fail(database, full);
      }
      return this.#outside.act(crosser, verb, effect, failure);
    };
    return {
      exec: (sql) => {
        if (sql === 'BEGIN IMMEDIATE') this.#beforeChange(database);
        cross(sql, () => {
          database.exec(sql);
          if (/wal_checkpoint/.test(sql)) this.#synced = undefined;
          if (sql === 'COMMIT' && isChange && isDirty) this.#onCommit(crosser);
          if (!/^(BEGIN|COMMIT|ROLLBACK)/.test(sql)) return;
          isChange = sql === 'BEGIN IMMEDIATE';
          isDirty = false;
        });
      },
      prepare: (sql) => {
        const statement: Statement = this.#alive(crosser, () => database.prepare(sql));
        return {
          all: (...values: never[]) => cross(sql, () => statement.all(...values)),
          get: (...values: never[]) => cross(sql, () => statement.get(...values)),
          run: (...values: never[]) => cross(sql, () => statement.run(...values)),
        };
      },
      close: () => this.#alive(crosser, () => database.close()),
      get isOpen() {
        // Of the dead nothing is known; whatever is done next finds it out.
        return crosser.isDead || database.isOpen;
      },
      get isTransaction() {
        return !crosser.isDead && database.isTransaction;
      },
    };
  }

  /** Reads as an onlooker, past the boundary. */
  look<T>(read: (database: DatabaseSync) => T): T | undefined {
    const inode = statSync(this.file, { throwIfNoEntry: false })?.ino;
    if (this.#witness && this.#witness.inode !== inode) this.close();
    if (inode === undefined) return undefined;
    this.#witness ??= { inode, database: new DatabaseSync(this.file) };
    const { database } = this.#witness;
    return database.prepare('PRAGMA user_version').get()?.['user_version'] === 0 ? undefined : read(database);
  }

  /** The power fails: what SQLite was not told to sync is gone. All windows must be dead. */
  cutPower(): void {
    this.close();
    if (!this.#synced) return;
    for (const name of readdirSync(this.folder)) rmSync(join(this.folder, name));
    for (const [name, bytes] of this.#synced) writeFileSync(join(this.folder, name), bytes);
    this.#synced = undefined;
  }

  /** Somebody deletes it. All windows must be closed. */
  remove(): void {
    this.close();
    rmSync(this.folder, { recursive: true, force: true });
    mkdirSync(this.folder, { recursive: true });
  }

  /** Files that hold one of these texts. */
  filesWith(texts: readonly string[]): readonly string[] {
    const names = readdirSync(this.folder).filter((name) => !name.endsWith('-shm'));
    return names.flatMap((name) => {
      const bytes = readFileSync(join(this.folder, name));
      return texts.filter((text) => bytes.includes(text)).map((text) => `${text} in ${name}`);
    });
  }

  close(): void {
    this.#witness?.database.close();
    this.#witness = undefined;
  }

  dispose(): void {
    this.close();
    for (const database of this.#connections) if (database.isOpen) database.close();
    rmSync(this.folder, { recursive: true, force: true });
  }

  #alive<T>(crosser: Crosser, effect: () => T): T {
    if (crosser.isDead) throw new Dead();
    return effect();
  }

  #fail(database: DatabaseSync, code: number): never {
    if (database.isOpen && database.isTransaction) database.exec('ROLLBACK');
    throw sqliteError(code, 'database or disk is full');
  }

  #beforeChange(database: DatabaseSync): void {
    if (this.#synced || !database.isOpen) return;
    const { synchronous } = database.prepare('PRAGMA synchronous').get() ?? {};
    if (Number(synchronous) >= 2) return;
    const names = readdirSync(this.folder);
    this.#synced = new Map(names.map((name) => [name, readFileSync(join(this.folder, name))]));
  }
}

function sqliteError(errcode: number, message: string): Error {
  return Object.assign(new Error(message), { code: 'ERR_SQLITE_ERROR', errcode });
}
