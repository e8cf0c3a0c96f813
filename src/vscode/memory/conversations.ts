import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { createArchive, type ConversationArchive } from '../../core/conversation/archive/archive';
import { createSwitching, type Switching } from '../../core/conversation/archive/switching';
import type { Estate } from '../../core/conversation/archive/takeOver';
import type { ConversationHandle } from '../../core/conversation/memory/conversationHandle';
import { createMemory, type ConversationMemory } from '../../core/conversation/memory/memory';
import type { MemoryLimits } from '../../core/conversation/retention';
import { createThreads, type Threads } from '../../core/conversation/threads/threads';
import { createLedger, type Ledger } from '../../core/ledger/ledger';
import type { Log, TextFiles } from '../../core/ports';
import type { Settings } from '../../core/settings';
import { createTextsInMemory } from '../../core/textsInMemory';
import { warn } from '../notify';
import { createMementoStore } from './mementoStore';
import { reportMemoryProblem } from './memoryProblems';
import { sharedStorage } from './sharedStorage';
import { createTextFiles } from './textFiles';
import { createWriteAheadFiles } from './writeAheadFile';

/** All that is kept of conversations, and what moves them. */
export interface Conversations extends vscode.Disposable {
  readonly memory: ConversationMemory;
  readonly archive: ConversationArchive;
  readonly ledger: Ledger;
  readonly threads: Threads;
  readonly switching: Switching;
  /** What files held before Claude changed them; absent without a folder to keep it in. */
  readonly changes: TextFiles | undefined;
  readonly limits: () => MemoryLimits;
  /** Something else is remembered now, or another conversation is the current one. */
  readonly onDidChange: vscode.Event<void>;
  /** The conversation that a command means. */
  readonly current: () => ConversationHandle;
  /** Where this workspace keeps its files; absent without a folder. */
  readonly storage: string | undefined;
  /** What another workspace kept in its storage. */
  readonly estateIn: (storage: string) => Estate;
}

/** Joins memory with the places that it is kept in. Reads nothing but what memory needs to be whole again. */
export function createConversations(options: {
  readonly context: Pick<vscode.ExtensionContext, 'storageUri' | 'workspaceState'>;
  readonly readSettings: () => Settings;
  /** Keys and other credentials. */
  readonly secrets: () => Promise<readonly string[]>;
  readonly log: Log;
}): Conversations {
  const { context, readSettings, log } = options;
  const activation = { id: randomUUID().replaceAll('-', ''), startedAt: Date.now() };
  const storage = context.storageUri && sharedStorage(context.storageUri.fsPath);
  const limits = () => toLimits(readSettings());
  const changed = new vscode.EventEmitter<void>();

  const archiveIn = (folder: string | undefined) =>
    createArchive({
      files: filesIn(folder, 'archive'),
      size: () => readSettings().archiveSize,
      log,
    });
  const journalIn = (folder: string) =>
    createWriteAheadFiles({ folder: join(folder, 'memory'), activationId: activation.id });
  // Many records at once lose the words of a turn that is forgotten, and to lose one is a pity, no more.
  const records = filesIn(storage, 'ledger', { isSynced: false }) ?? createTextsInMemory();
  const changes = filesIn(storage, 'changes');

  const archive = archiveIn(storage);
  const ledger = createLedger({ files: records, clock: Date.now, log, onEraseFailed: tellEraseFailed });
  const memory = createMemory({
    store: createMementoStore(context.workspaceState),
    journal: storage === undefined ? undefined : journalIn(storage),
    clock: Date.now,
    ids: randomUUID,
    settings: limits,
    log,
    activationId: activation.id,
    archive: async (conversation) => {
      const archiveId = await archive.put(conversation, { kind: 'ended' });
      if (archiveId === undefined) return;
      const { id, turns, summary, lastActive } = conversation;
      const endedAt = lastActive + limits().timeoutSeconds * 1000;
      const count = turns.length || (summary?.turns ?? 0);
      threads.noteEnded(id, { turns: count, endedAt, archiveId });
    },
    onProblem: (problem) => reportMemoryProblem(problem, { memory: () => memory, secrets: options.secrets }),
  });
  const threads = createThreads({
    memory,
    scope: () => readSettings().conversationScope,
    activation,
    ids: randomUUID,
    park: async (conversation, [first]) => {
      if (first) await archive.put(conversation, { kind: 'branch', firstCut: first.id });
    },
    onMove: () => changed.fire(),
  });
  const traces = changes ? [ledger, changes] : [ledger];
  const watching = memory.onDidChange((change) => {
    if (change.kind === 'left') ledger.left(change);
    changed.fire();
  });
  // Recovers what a crash left, and shows this window to others on the same folder; nobody has to wait for it.
  void memory.load().catch((error: unknown) => log.error('memory could not be loaded', error));

  return {
    memory,
    archive,
    ledger,
    threads,
    switching: createSwitching({ memory, archive, traces }),
    changes,
    limits,
    onDidChange: changed.event,
    current: () => memory.forConversation(threads.current()),
    storage,
    estateIn: (folder) => ({ archive: archiveIn(folder), journal: journalIn(folder) }),
    dispose() {
      watching.dispose();
      changed.dispose();
    },
  };
}

function tellEraseFailed(): void {
  void warn(
    l10n.t(
      'First words of what you erased are still in the records of what was sent, because a file there cannot be changed now. They are erased as soon as it can.',
    ),
  );
}

/** Without a folder there is nowhere to keep files. */
function filesIn(
  folder: string | undefined,
  name: string,
  options?: { readonly isSynced: boolean },
): TextFiles | undefined {
  return folder === undefined ? undefined : createTextFiles(join(folder, name), options);
}

function toLimits(settings: Settings): MemoryLimits {
  return {
    maxTurns: settings.maxTurns,
    timeoutSeconds: settings.conversationTimeout,
    eviction: settings.eviction,
    tokenBudget: settings.historyTokenBudget,
    whenFull: settings.whenFull,
  };
}
