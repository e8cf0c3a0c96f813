import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { StoreError } from '../core/conversation/store';
import { parseJson } from '../core/text/json';
import { migrate, renewIndex, schemaVersion } from './schema';

export type Row = Readonly<Record<string, unknown>>;

/** What we need of SQLite. */
export type Connection = Pick<DatabaseSync, 'exec' | 'close' | 'isOpen' | 'isTransaction'> & {
  prepare(sql: string): Statement;
};
export type Statement = Pick<StatementSync, 'all' | 'get' | 'run'>;

/** Waited for inside of SQLite, which blocks the extension host: whoever wants to wait longer tries again. */
const busyTimeoutMs = 100;

/**
 * One SQLite file. What fails is a `StoreError`: a file that SQLite calls damaged is moved aside, and one that somebody
 * deleted while it was open is written again.
 */
export class Sqlite {
  readonly #open: () => Connection;
  readonly #file: string;
  readonly #statements = new Map<string, Statement>();
  #database: Connection;
  #inode = 0;
  #generation = 0;
  /** Why it was moved aside. */
  #damage: StoreError | undefined;

  private constructor(file: string, open: () => Connection) {
    this.#file = file;
    this.#open = open;
    this.#database = open();
  }

  /** `:memory:` is a database that is gone with its window. */
  static async open(file: string, connector = loadSqlite): Promise<Sqlite> {
    try {
      const connect = await connector();
      if (file !== inMemory) mkdirSync(dirname(file), { recursive: true });
      const sqlite = new Sqlite(file, () => connect(file));
      try {
        sqlite.#prepare();
      } catch (error) {
        // Nobody else will close it, and it may hold the lock that whoever tries again waits for.
        sqlite.close();
        throw error;
      }
      return sqlite;
    } catch (error) {
      throw error instanceof StoreError ? error : toStoreError(error);
    }
  }

  /** From others on the machine. The files beside it are made like it. */
  #hide(): void {
    try {
      if (this.#file !== inMemory) chmodSync(this.#file, 0o600);
    } catch {
      // Not there yet, or a file system without owners.
    }
  }

  #prepare(): void {
    this.#guard(() => {
      const database = this.#database;
      this.#inode = this.#inodeNow();
      this.#hide();
      database.exec(`PRAGMA busy_timeout = ${busyTimeoutMs}; PRAGMA secure_delete = ON`);
      const version = this.#version();
      if (version > schemaVersion) {
        database.close();
        throw new StoreError('newer');
      }
      this.#useWriteAheadLog();
      database.exec('PRAGMA synchronous = FULL');
      if (version !== schemaVersion) this.#createSchema();
      this.#finishScrub();
      this.#inode = this.#inodeNow();
    });
  }

  /** Not every file system has the shared memory that it takes: then the rollback journal serves. */
  #useWriteAheadLog(): void {
    try {
      this.#database.exec('PRAGMA journal_mode = WAL');
      this.#database.prepare('SELECT count(*) FROM sqlite_schema').get();
    } catch (error) {
      if (kindOf(error) !== 'failed') throw error;
      this.#database.exec('PRAGMA journal_mode = DELETE');
    }
  }

  /** A window that was killed may have left in some file what it had just erased. */
  #finishScrub(): void {
    const [isDue] = Object.values(this.#database.prepare('SELECT is_scrub_due FROM sequence').get() ?? {});
    try {
      if (isDue === 1) this.scrub();
      else this.#database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    } catch (error) {
      // Another window is at it, or the disk is full: it stays due.
      if (!(error instanceof StoreError) || error.kind === 'damaged') throw error;
    }
  }

  #createSchema(): void {
    // Another window may have been faster: it looks for itself.
    this.#within('BEGIN IMMEDIATE', () => migrate(this.#database));
  }

  #version(): number {
    return Number(this.#database.prepare('PRAGMA user_version').get()?.['user_version']);
  }

  all(sql: string, ...values: readonly SQLInputValue[]): readonly Row[] {
    return this.#guard(() => this.#statement(sql).all(...values));
  }

  get(sql: string, ...values: readonly SQLInputValue[]): Row | undefined {
    return this.#guard(() => this.#statement(sql).get(...values));
  }

  run(sql: string, ...values: readonly SQLInputValue[]): void {
    this.#guard(() => this.#statement(sql).run(...values));
  }

  /** Committed and on the disk when it returns; as if nothing had been when `job` throws. */
  transaction<T>(job: () => T): T {
    return this.#guard(() => {
      this.#restoreIfDeleted();
      return this.#within('BEGIN IMMEDIATE', job);
    });
  }

  /** All that `job` reads is of one moment, whatever others write meanwhile. */
  snapshot<T>(job: () => T): T {
    return this.#guard(() => (this.#database.isTransaction ? job() : this.#within('BEGIN', job)));
  }

  #within<T>(begin: string, job: () => T): T {
    this.#database.exec(begin);
    try {
      const result = job();
      this.#database.exec('COMMIT');
      return result;
    } catch (error) {
      // A full disk has ended the transaction already.
      if (this.#database.isOpen && this.#database.isTransaction) this.#database.exec('ROLLBACK');
      throw error;
    }
  }

  /** To be called in the transaction that erases something: until it was scrubbed, whoever opens the file does it. */
  scrubLater(): void {
    this.run('UPDATE sequence SET is_scrub_due = 1');
  }

  /** No byte of what was deleted stays in any file. */
  scrub(): void {
    this.#guard(() => {
      // Deleted words stay in the index until its parts are merged.
      this.#database.exec("INSERT INTO said (said) VALUES ('optimize')");
      this.#database.exec('VACUUM; UPDATE sequence SET is_scrub_due = 0');
      const { busy } = this.#database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() ?? {};
      // Another window reads at this very moment.
      if (busy === 1) throw new StoreError('busy');
    });
  }

  /** Files that were moved aside. */
  get damaged(): readonly string[] {
    if (this.#file === inMemory) return [];
    const folder = dirname(this.#file);
    const names = this.#guard(() => readdirSync(folder));
    const isDamaged = (name: string) => name.startsWith(`${basename(this.#file)}${damagedMark}`);
    return names.filter(isDamaged).map((name) => join(folder, name));
  }

  /** Another file has taken the place of the one that was open when this rises. */
  get generation(): number {
    return this.#generation;
  }

  /** Looks whether the file is still the one that is open. */
  refresh(): void {
    this.#guard(() => this.#restoreIfDeleted());
  }

  get isOpen(): boolean {
    return this.#database.isOpen;
  }

  close(): void {
    this.#statements.clear();
    if (this.#database.isOpen) this.#database.close();
  }

  #statement(sql: string): Statement {
    const known = this.#statements.get(sql) ?? this.#database.prepare(sql);
    this.#statements.set(sql, known);
    return known;
  }

  /** The open file goes on without its name: all that it holds goes to a new one. */
  #restoreIfDeleted(): void {
    if (this.#file === inMemory || this.#inodeNow() === this.#inode) return;
    if (!existsSync(this.#file)) {
      mkdirSync(dirname(this.#file), { recursive: true });
      for (const end of ['-wal', '-shm']) rmSync(`${this.#file}${end}`, { force: true });
      this.#writeAgain();
    }
    this.close();
    this.#generation++;
    this.#database = this.#open();
    this.#prepare();
  }

  /** All of it or nothing: half of it would count as the whole. */
  #writeAgain(): void {
    const half = `${this.#file}${damagedMark}${process.pid}.tmp`;
    try {
      rmSync(half, { force: true });
      this.#database.prepare('VACUUM INTO ?').run(half);
      if (!existsSync(this.#file)) renameSync(half, this.#file);
    } catch (error) {
      // Another window has moved it aside for that: a new one takes its place.
      if (kindOf(error) !== 'damaged') throw error;
    } finally {
      rmSync(half, { force: true });
    }
  }

  #inodeNow(): number {
    return this.#file === inMemory ? 0 : (statSync(this.#file, { throwIfNoEntry: false })?.ino ?? -1);
  }

  #guard<T>(job: () => T): T {
    try {
      return job();
    } catch (error) {
      // The window is about to go, or the ledger has found out that it is damaged.
      if (!this.#database.isOpen && !(error instanceof StoreError))
        throw this.#damage ?? new StoreError('failed', { cause: error });
      if (isSystemError(error)) throw new StoreError('failed', { cause: error });
      if (error instanceof StoreError || !isSqliteError(error)) throw error;
      if (error.errcode === damagedIndex) {
        // Once the transaction is over.
        if (this.#database.isTransaction) throw error;
        // Nothing that was said is lost by it: whoever wanted something tries again.
        if (this.#canRenewIndex()) throw new StoreError('busy', { cause: error });
      }
      const kind = kindOf(error);
      if (kind !== 'damaged') throw new StoreError(kind, { cause: error });
      // Another window has put a new one in its place already.
      if (this.#inodeNow() !== this.#inode) throw new StoreError('busy', { cause: error });
      this.#damage = new StoreError(kind, { cause: error, file: this.#moveAside() });
      throw this.#damage;
    }
  }

  #canRenewIndex(): boolean {
    try {
      this.#within('BEGIN IMMEDIATE', () => renewIndex(this.#database));
      return true;
    } catch {
      // Then more is damaged than the index.
      return false;
    }
  }

  #moveAside(): string {
    this.close();
    const aside = `${this.#file}${damagedMark}${Date.now()}`;
    try {
      for (const end of ['', '-wal', '-shm']) {
        if (existsSync(`${this.#file}${end}`)) renameSync(`${this.#file}${end}`, `${aside}${end}`);
      }
      return aside;
    } catch (cause) {
      // On Windows nothing moves that another process has open: it is tried again at the next use.
      this.#database = this.#open();
      throw new StoreError('failed', { cause });
    }
  }
}

/** At the first need: it costs some milliseconds that start-up need not wait for. */
async function loadSqlite(): Promise<(file: string) => Connection> {
  const { DatabaseSync: Database } = await import('node:sqlite');
  return (file) => new Database(file);
}

/** A row that cannot be read counts as none. */
export function parsedJson(text: unknown): unknown {
  return typeof text === 'string' ? parseJson(text) : undefined;
}

export const inMemory = ':memory:';
/** SQLITE_CORRUPT_VTAB. */
const damagedIndex = 267;
const damagedMark = '.damaged-';

function isSqliteError(error: unknown): error is Error & { readonly errcode: number } {
  return error instanceof Error && 'errcode' in error && typeof error.errcode === 'number';
}

/** Of the file system. */
function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}

function toStoreError(cause: unknown): unknown {
  return cause instanceof Error && 'code' in cause ? new StoreError(kindOf(cause), { cause }) : cause;
}

/** By SQLite's primary result code. */
function kindOf(error: unknown): 'busy' | 'damaged' | 'failed' {
  const code = isSqliteError(error) ? error.errcode & 0xff : 0;
  if (code === 5 || code === 6) return 'busy';
  return code === 11 || code === 26 ? 'damaged' : 'failed';
}
