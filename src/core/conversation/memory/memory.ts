import type { Clock, IdSource, Journal, Log, StateStore } from '../../ports';
import { DurableFacts } from '../facts/durableFacts';
import { factsOfEnd } from '../facts/fact';
import { MemoryStore, type MemoryProblem, type SetAside } from '../facts/memoryStore';
import type { MemoryLimits } from '../retention';
import type { Conversation, ConversationId, LeaveReason, StoredTurn } from '../turn';
import type { ConversationHandle } from './conversationHandle';
import { createHandle } from './createHandle';

export interface MemoryOptions {
  readonly store: StateStore;
  /** Absent when there is no folder to write to: then a crash within 100 ms of an answer can lose it. */
  readonly journal?: Journal | undefined;
  readonly clock: Clock;
  readonly ids: IdSource;
  /** Asked at every use, so that a changed setting holds at once. */
  readonly settings: () => MemoryLimits;
  readonly log: Log;
  readonly activationId: string;
  /** Keeps a conversation that expired: it is no longer remembered once this is done. */
  readonly archive?: (conversation: Conversation) => Promise<void>;
  /** Called once for each problem. */
  readonly onProblem?: (problem: MemoryProblem) => void;
}

export interface ConversationMemory {
  forConversation(id: ConversationId): ConversationHandle;
  /** Reads what is stored and recovers what a crash left. Everything else waits for it. */
  load(): Promise<void>;
  /** To be awaited at the start of every request: brings in the turns of other windows and ends what has expired. */
  refresh(): Promise<void>;
  /** All conversations that have not ended. */
  conversations(): readonly Conversation[];
  /** Erases every conversation, and what was set aside. */
  deleteAll(): Promise<void>;
  /** Damaged data that was kept, for an export. */
  setAside(): readonly SetAside[];
  onDidChange(listener: (change: MemoryChange) => void): { dispose(): void };
}

export type MemoryChange =
  | { readonly kind: 'changed' }
  /** These turns are no longer remembered. */
  | {
      readonly kind: 'left';
      readonly conversation: ConversationId;
      readonly turns: readonly StoredTurn[];
      readonly reason: LeaveReason;
    };

/** What is remembered of each conversation, through crashes, reloads and second windows. */
export function createMemory(options: MemoryOptions): ConversationMemory {
  const listeners = new Set<(change: MemoryChange) => void>();
  /** What others do with the news cannot stop a save. */
  const tell = <T>(listener: (news: T) => void, news: T) => {
    try {
      listener(news);
    } catch (cause) {
      options.log.error('memory: a listener failed', cause);
    }
  };
  const emit = (change: MemoryChange) => {
    for (const listener of listeners) tell(listener, change);
  };
  const store = new MemoryStore(options);
  const durable = new DurableFacts({
    store,
    journal: options.journal,
    clock: options.clock,
    settings: options.settings,
    log: options.log,
    onProblem: (problem) => {
      options.log.warn(`memory: ${problem.message}`);
      if (options.onProblem) tell(options.onProblem, problem);
    },
    onChange: () => emit({ kind: 'changed' }),
    onLeft: (conversation, turns, reason) => emit({ kind: 'left', conversation, turns, reason }),
    archive: async (conversation) => options.archive?.(conversation),
  });
  const forConversation = (id: ConversationId) => createHandle({ ...options, id, durable });

  return {
    forConversation,
    load: () => durable.load(),
    refresh: () => durable.refresh(),
    conversations: () =>
      [...durable.facts.conversations.keys()].flatMap((id) => forConversation(id).snapshot() ?? []),
    async deleteAll() {
      await durable.erase(
        (facts) => [...facts.conversations.values()].flatMap((conversation) => factsOfEnd(conversation, 1)),
        'cleared',
      );
      await store.dropAside();
    },
    setAside: () => store.aside(),
    onDidChange(listener) {
      listeners.add(listener);
      return { dispose: () => listeners.delete(listener) };
    },
  };
}
