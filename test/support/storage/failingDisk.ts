import type { MemoryDatabase } from '../../../src/core/conversation/store';
import { createMemoryDatabase } from '../../../src/storage/memoryDatabase';
import { Sqlite } from '../../../src/storage/sqlite';

/** A database on a disk that can be full or read-only, as SQLite sees it. */
export class FailingDisk {
  readonly #sqlite: Sqlite;

  private constructor(sqlite: Sqlite) {
    this.#sqlite = sqlite;
  }

  static async of(file: string): Promise<FailingDisk> {
    return new FailingDisk(await Sqlite.open(file));
  }

  readonly open = async (): Promise<MemoryDatabase> => createMemoryDatabase(this.#sqlite);

  set isReadOnly(isReadOnly: boolean) {
    this.#sqlite.run(`PRAGMA query_only = ${isReadOnly ? 'ON' : 'OFF'}`);
  }

  /** There is room for what is there and not a page more. */
  set isFull(isFull: boolean) {
    const pages = Object.values(this.#sqlite.get('PRAGMA page_count') ?? {})[0];
    // Room that was freed would be used again.
    if (isFull) this.#sqlite.scrub();
    this.#sqlite.get(`PRAGMA max_page_count = ${isFull ? Number(pages) : 1_000_000}`);
  }
}
