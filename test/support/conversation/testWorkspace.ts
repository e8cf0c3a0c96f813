import type { MemoryProblem } from '../../../src/core/conversation/facts/memoryStore';
import { createMemory, type ConversationMemory } from '../../../src/core/conversation/memory/memory';
import type { MemoryLimits } from '../../../src/core/conversation/retention';
import type { Conversation, FinishedTurn } from '../../../src/core/conversation/turn';
import type { Message } from '../../../src/core/messages';
import { JournalFolder } from './journalFolder';
import { WorkspaceState } from './workspaceState';

/** One folder on one machine: what outlives windows, and the windows on it. */
export class TestWorkspace {
  readonly state = new WorkspaceState();
  readonly journals = new JournalFolder();
  limits: MemoryLimits = {
    maxTurns: 10,
    timeoutSeconds: 1800,
    eviction: 'oldest',
    tokenBudget: 0,
    whenFull: 'drop',
  };
  now = 1_000_000_000;
  /** Everything that any window wrote to its log. */
  readonly logged: string[] = [];
  #activations = 0;

  open(
    options: {
      readonly store?: ReturnType<WorkspaceState['openWindow']>;
      readonly journal?: false;
      readonly archive?: (conversation: Conversation) => Promise<void>;
    } = {},
  ) {
    const activationId = `w${++this.#activations}`;
    const store = options.store ?? this.state.openWindow();
    const problems: MemoryProblem[] = [];
    const archived: Conversation[] = [];
    const memory = createMemory({
      store,
      journal: options.journal === false ? undefined : this.journals.open(activationId),
      clock: () => this.now,
      ids: counter(activationId),
      settings: () => this.limits,
      log: {
        info: (line) => this.logged.push(line),
        warn: (line) => this.logged.push(line),
        error: (line) => this.logged.push(line),
      },
      activationId,
      archive: options.archive ?? (async (conversation) => void archived.push(conversation)),
      onProblem: (problem) => problems.push(problem),
    });
    return {
      memory,
      activationId,
      store,
      problems,
      /** Conversations that expired here. */
      archived,
      chat: memory.forConversation('workspace'),
      /** Killed before VS Code flushed its state. */
      kill: () => this.journals.end(activationId),
      /** Closed in peace. */
      close: () => {
        store.flush();
        this.journals.end(activationId);
      },
    };
  }

  /** A new window that has read all there is. */
  async reopen(options: Parameters<TestWorkspace['open']>[0] = {}) {
    const window = this.open(options);
    await window.memory.load();
    return window;
  }

  /** A turn as the agent loop hands it over, at the time it is now. */
  turn(id: string, messages: readonly Message[] = exchange(id)): FinishedTurn {
    return { id, startedAt: this.now, endedAt: this.now, outcome: 'finished', messages };
  }
}

export type TestWindow = ReturnType<TestWorkspace['open']>;

export function exchange(name: string): readonly Message[] {
  return [
    { role: 'user', content: `question ${name}` },
    { role: 'assistant', content: `answer ${name}` },
  ];
}

/** The names of the turns that were made with `exchange`, as the model would see them. */
export function remembered(memory: ConversationMemory, conversation = 'workspace'): readonly string[] {
  return memory
    .forConversation(conversation)
    .history()
    .flatMap(({ role, content }) =>
      role === 'user' && typeof content === 'string' ? [content.replace('question ', '')] : [],
    );
}

function counter(prefix: string): () => string {
  let count = 0;
  return () => `${prefix}-${++count}`;
}
