import { rmSync } from 'node:fs';
import type { MemoryDatabase } from '../core/conversation/store';
import { readArchive, readArchived, readState, TurnCache } from './readState';
import type { Sqlite } from './sqlite';
import { createTurnSearch } from './turnSearch';
import { writeState } from './writeState';

/** What is remembered and archived, in tables. */
export function createMemoryDatabase(sqlite: Sqlite, cache = new TurnCache()): MemoryDatabase {
  let seenVersion = '';

  const dataVersion = () =>
    `${sqlite.generation} ${String(Object.values(sqlite.get('PRAGMA data_version') ?? {})[0])}`;
  const sequence = () => Number(sqlite.get('SELECT number FROM sequence')?.['number']);

  // In one snapshot: the version must be that of all that was read, or news would be missed for good.
  const read = () =>
    sqlite.snapshot(() => {
      const [state, number] = [readState(sqlite, cache), sequence()];
      cache.trim(state);
      seenVersion = dataVersion();
      return { state, number };
    });

  return {
    hasNews() {
      sqlite.refresh();
      return dataVersion() !== seenVersion;
    },
    sequence,
    read,

    commit(state, change, keep) {
      try {
        return sqlite.transaction(() => {
          const present = dataVersion() === seenVersion ? state : read().state;
          const commit = change(present);
          const { archived, unarchived, erased, forgotten, imported } = commit;
          const isMore =
            [archived, unarchived, erased, forgotten].some(({ length }) => length > 0) || imported;
          if (commit.state !== present || isMore) {
            writeState({ sqlite, cache }, present, commit, keep);
            if (keep.isErasing || commit.replacesErased) sqlite.scrubLater();
          }
          cache.trim(commit.state);
          return { commit, number: sequence() };
        });
      } catch (error) {
        // What was written is not there: all is read again.
        cache.clear();
        seenVersion = '';
        throw error;
      }
    },

    scrub: () => sqlite.scrub(),
    archived: () => readArchive(sqlite),
    archivedConversation: (id) => readArchived(sqlite, id),
    search: createTurnSearch(sqlite),
    hasDamaged: () => sqlite.damaged.length > 0,

    eraseAll() {
      sqlite.transaction(() => {
        for (const table of [
          'conversations',
          'turns',
          'running',
          'rounds',
          'answers',
          'departures',
          'changes',
          'plans',
        ]) {
          sqlite.run(`DELETE FROM ${table}`);
        }
        sqlite.run('UPDATE sequence SET number = number + 1');
        sqlite.scrubLater();
      });
      cache.clear();
      // Turns that run are known here and no longer there: all is read again, so that they are written whole.
      seenVersion = '';
      for (const file of sqlite.damaged) rmSync(file, { force: true });
      sqlite.scrub();
    },

    close: () => sqlite.close(),
  };
}
