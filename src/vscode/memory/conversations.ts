import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import * as vscode from 'vscode';
import { createArchive, type ConversationArchive } from '../../core/conversation/archive/archive';
import type { ConversationHandle } from '../../core/conversation/memory/handle';
import {
  createMemory,
  type ConversationMemory,
  type MemoryOptions,
} from '../../core/conversation/memory/memory';
import type { MemoryDatabase, OlderData, Owner } from '../../core/conversation/store';
import { createThreads, type Threads } from '../../core/conversation/threads/threads';
import type { MemoryLimits } from '../../core/conversation/view';
import { createLedger, type Ledger, type LedgerTable } from '../../core/ledger/ledger';
import type { Log } from '../../core/ports';
import type { Settings } from '../../core/settings';
import { createMementoStore } from './mementoStore';
import { reportMemoryProblem } from './memoryProblems';

/** All that is kept of conversations, and what moves them. */
export interface Conversations extends vscode.Disposable {
  readonly memory: ConversationMemory;
  readonly archive: ConversationArchive;
  readonly ledger: Ledger;
  readonly threads: Threads;
  readonly limits: () => MemoryLimits;
  /** Something else is remembered now, or another conversation is the current one. */
  readonly onDidChange: vscode.Event<void>;
  /** The conversation that a command means. */
  readonly current: () => ConversationHandle;
  /** The database was opened, or could not be; never rejects. */
  readonly loaded: Promise<unknown>;
}

/** Where it is kept. */
export interface ConversationStorage {
  readonly open: () => Promise<MemoryDatabase>;
  readonly ledger: () => Promise<LedgerTable | undefined>;
  readonly readOlder: NonNullable<MemoryOptions['readOlder']>;
  readonly removeOlder: (older: OlderData) => Promise<void>;
  readonly owner: Owner;
  readonly isAlive: (owner: Owner) => Promise<boolean>;
}

/** Joins memory with the places that it is kept in. */
export function createConversations(options: {
  readonly context: Pick<vscode.ExtensionContext, 'storageUri' | 'workspaceState'>;
  readonly storage: ConversationStorage;
  readonly readSettings: () => Settings;
  /** Keys and other credentials. */
  readonly secrets: () => Promise<readonly string[]>;
  readonly log: Log;
}): Conversations {
  const { context, storage, readSettings, log } = options;
  const activation = { id: randomUUID().replaceAll('-', ''), startedAt: Date.now() };
  // Without a folder an archive would be gone with the window.
  const limits = () => toLimits(readSettings(), context.storageUri !== undefined);
  const changed = new vscode.EventEmitter<void>();

  const memory = createMemory({
    ...storage,
    // Not within `activate()`: loading SQLite and opening the file takes milliseconds that start-up need not wait for.
    open: async () => {
      await setImmediate();
      return storage.open();
    },
    store: createMementoStore(context.workspaceState),
    clock: Date.now,
    ids: randomUUID,
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    settings: limits,
    log,
    activationId: activation.id,
    onProblem: (problem) =>
      reportMemoryProblem(problem, { memory: () => memory, secrets: options.secrets, log }),
  });
  const threads = createThreads({
    memory,
    scope: () => readSettings().conversationScope,
    activation,
    ids: randomUUID,
    onMove: () => changed.fire(),
  });
  const watching = memory.onDidChange(() => changed.fire());
  // Recovers what a crash left; nobody has to wait for it.
  const loaded = memory.load().catch((error: unknown) => log.error('memory could not be loaded', error));

  return {
    memory,
    archive: createArchive(memory),
    ledger: createLedger({ table: storage.ledger, log }),
    threads,
    limits,
    onDidChange: changed.event,
    current: () => memory.forConversation(threads.current()),
    loaded,
    dispose() {
      watching.dispose();
      changed.dispose();
    },
  };
}

function toLimits(settings: Settings, canArchive: boolean): MemoryLimits {
  return {
    maxTurns: settings.maxTurns,
    timeoutSeconds: settings.conversationTimeout,
    eviction: settings.eviction,
    tokenBudget: settings.historyTokenBudget,
    whenFull: settings.whenFull,
    archiveSize: canArchive ? settings.archiveSize : 0,
  };
}
