import { createNotes, type Notes } from '../../src/core/tools/notes/notes';
import { createNoteStore } from '../../src/storage/noteTable';
import { inMemory, Sqlite } from '../../src/storage/sqlite';

/** Where it does not matter what becomes of notes. */
export const unkept: Pick<Notes, 'list' | 'add'> = {
  list: async () => [],
  add: async () => ({ type: 'added', id: 1 }),
};

/** The real ones, in a database that is gone with the test. */
const log = { info: () => undefined, warn: () => undefined, error: () => undefined };

export function createTestNotes(clock = () => 1_000_000): Notes {
  const sqlite = Sqlite.open(inMemory);
  return createNotes({ store: createNoteStore(() => sqlite), clock, log });
}
