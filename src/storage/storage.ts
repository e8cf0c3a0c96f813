import { existsSync, mkdirSync, watch, type FSWatcher } from 'node:fs';
import { join } from 'node:path';
import type { SpendingStore } from '../core/agent/spending';
import { archivedId } from '../core/conversation/archive/archivedId';
import type { OlderHome } from '../core/conversation/memory/home';
import { type Archiving, type MemoryDatabase, type OlderData, type Owner } from '../core/conversation/store';
import type { Conversation } from '../core/conversation/turn';
import type { LedgerTable } from '../core/ledger/ledger';
import type { ChangeStore } from '../core/tools/changes/changeRows';
import type { Note } from '../core/tools/notes/note';
import type { NoteStore } from '../core/tools/notes/notes';
import type { PlanStore } from '../core/tools/plans/plans';
import { createChangeStore } from './changeTable';
import { createLedgerTable } from './ledgerTable';
import { createMemoryDatabase } from './memoryDatabase';
import { createNoteStore } from './noteTable';
import { readOlder, removeOlder } from './older/readOlder';
import { createPlanStore } from './planTable';
import { isAlive, thisProcess } from './processes';
import { createSpendingStore } from './spendingTable';
import { inMemory, Sqlite } from './sqlite';

/** All that is kept of one workspace: one database, opened at the first need. */
export interface Storage {
  /** Opens it, also once more where it was damaged. */
  readonly open: () => Promise<MemoryDatabase>;
  /** Nothing while it cannot be opened. */
  readonly ledger: () => Promise<LedgerTable | undefined>;
  /** What Claude did to files and nobody has judged yet. */
  readonly changes: ChangeStore;
  /** What is worth knowing for months. */
  readonly notes: NoteStore;
  readonly plans: PlanStore;
  /** What was spent, day by day. */
  readonly spending: SpendingStore;
  /** What versions before the database have stored; it is removed once it is in the database. */
  readonly readOlder: (home: OlderHome | undefined) => Promise<OlderData | undefined>;
  readonly removeOlder: (older: OlderData) => Promise<void>;
  readonly owner: Owner;
  readonly isAlive: (owner: Owner) => Promise<boolean>;
  /** Calls when something was written, by this window or another one, a little later. */
  watch(listener: () => void): { dispose(): void };
  close(): void;
}

/** All conversations in the storage of another workspace, as they go into an archive. */
export async function conversationsIn(folder: string): Promise<readonly Archiving[]> {
  const older = await readOlder({ folder, state: undefined, besides: undefined, now: Date.now() });
  const found = [...(older?.archived ?? []), ...(older?.conversations ?? []).map(asLeft)];
  if (!existsSync(join(folder, fileName))) return found;
  const database = await createStorage(folder).open();
  try {
    const { conversations } = database.read().state;
    const archived = database.archived().flatMap(({ id, ending }): Archiving[] => {
      const conversation = database.archivedConversation(id);
      return conversation ? [{ id, conversation, ending }] : [];
    });
    return [...found, ...archived, ...Array.from(conversations.values(), asLeft)];
  } finally {
    database.close();
  }
}

/** The notes of another workspace. */
export async function notesIn(folder: string): Promise<readonly Note[]> {
  if (!existsSync(join(folder, fileName))) return [];
  const storage = createStorage(folder);
  try {
    return await storage.notes.read((table) => table.list());
  } finally {
    storage.close();
  }
}

function asLeft(conversation: Conversation): Archiving {
  const ending = { kind: 'left' } as const;
  return { id: archivedId(conversation, ending), conversation, ending };
}

const fileName = 'memory.db';

/** Without a folder, what is kept is gone with its window. */
export function createStorage(folder: string | undefined): Storage {
  const file = folder === undefined ? inMemory : join(folder, fileName);
  let opened: Promise<Sqlite> | undefined;

  const connect = () => {
    opened ??= Sqlite.open(file).catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
  const connected = async () => {
    const sqlite = await connect().catch(() => undefined);
    return sqlite?.isOpen ? sqlite : undefined;
  };

  return {
    async open() {
      if (opened && !(await connected())) opened = undefined;
      return createMemoryDatabase(await connect());
    },
    async ledger() {
      const sqlite = await connected();
      return sqlite && createLedgerTable(sqlite);
    },
    changes: createChangeStore(connected),
    notes: createNoteStore(connected),
    plans: createPlanStore(connected),
    spending: createSpendingStore(connected),
    readOlder: (home) => readOlder({ folder, state: home?.main, besides: home?.besides, now: Date.now() }),
    removeOlder,
    watch: (listener) => (folder === undefined ? { dispose: () => undefined } : watchFile(folder, listener)),
    owner: thisProcess,
    isAlive,
    close: () =>
      void opened?.then(
        (sqlite) => sqlite.close(),
        () => undefined,
      ),
  };
}

const settleMs = 200;

/** SQLite tells nobody of what other processes write. Where files cannot be watched, windows find out when they look. */
function watchFile(folder: string, listener: () => void): { dispose(): void } {
  let timer: NodeJS.Timeout | undefined;
  let watcher: FSWatcher | undefined;
  try {
    mkdirSync(folder, { recursive: true });
    watcher = watch(folder, (_event, name) => {
      if (name !== fileName && name !== `${fileName}-wal`) return;
      timer ??= setTimeout(() => {
        timer = undefined;
        listener();
      }, settleMs);
    });
    watcher.on('error', () => watcher?.close());
  } catch {
    // The file system has no way to be watched.
  }
  return {
    dispose() {
      clearTimeout(timer);
      watcher?.close();
    },
  };
}
