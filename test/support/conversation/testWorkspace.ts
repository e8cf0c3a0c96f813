import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  createMemory,
  type ConversationMemory,
  type MemoryOptions,
} from '../../../src/core/conversation/memory/memory';
import type { MemoryProblem } from '../../../src/core/conversation/memory/problems';
import type { MemoryDatabase } from '../../../src/core/conversation/store';
import type { FinishedTurn } from '../../../src/core/conversation/turn';
import type { MemoryLimits } from '../../../src/core/conversation/view';
import type { Message } from '../../../src/core/messages';
import { createMemoryDatabase } from '../../../src/storage/memoryDatabase';
import { Sqlite, type Row } from '../../../src/storage/sqlite';
import { testFolder } from '../testFolder';
import { noLimits } from './limits';
import { WorkspaceState } from './workspaceState';

const root = testFolder('assistant-memory');
let folders = 0;

/** One folder on one machine: what outlives windows, and the windows on it. */
export class TestWorkspace {
  readonly state = new WorkspaceState();
  readonly folder = join(root, String(++folders));
  readonly file = join(this.folder, 'memory.db');
  limits: MemoryLimits = { ...noLimits, maxTurns: 10, timeoutSeconds: 1800 };
  now = 1_000_000_000;
  /** Everything that any window wrote to its log. */
  readonly logged: string[] = [];
  readonly #alive = new Set<number>();
  #activations = 0;

  open(
    options: {
      readonly store?: ReturnType<WorkspaceState['openWindow']>;
      readonly database?: false;
    } & Partial<Pick<MemoryOptions, 'readOlder' | 'removeOlder' | 'open' | 'wait'>> = {},
  ) {
    const pid = ++this.#activations;
    const activationId = `w${pid}`;
    this.#alive.add(pid);
    const store = options.store ?? this.state.openWindow();
    const problems: MemoryProblem[] = [];
    const opened: MemoryDatabase[] = [];
    const memory = createMemory({
      ...options,
      store,
      open: async () => {
        if (options.database === false) return undefined;
        const database = options.open
          ? await options.open()
          : createMemoryDatabase(await Sqlite.open(this.file));
        if (database) opened.push(database);
        return database;
      },
      clock: () => this.now,
      ids: counter(activationId),
      wait: options.wait ?? ((ms) => new Promise((resolve) => setTimeout(resolve, ms))),
      settings: () => this.limits,
      log: {
        info: (line) => this.logged.push(line),
        warn: (line) => this.logged.push(line),
        error: (line) => this.logged.push(line),
      },
      activationId,
      owner: { pid, startedAt: 1 },
      isAlive: async (owner) => this.#alive.has(owner.pid),
      onProblem: (problem) => problems.push(problem),
    });
    /** Killed before VS Code flushed its state. */
    const kill = () => {
      this.#alive.delete(pid);
      for (const database of opened) database.close();
    };
    return {
      memory,
      activationId,
      store,
      problems,
      chat: memory.forConversation('workspace'),
      kill,
      /** Closed in peace. */
      close: () => {
        store.flush();
        kill();
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

  /** What stands in the database. */
  async rows(sql: string): Promise<readonly Row[]> {
    const sqlite = await Sqlite.open(this.file);
    try {
      return sqlite.all(sql);
    } finally {
      sqlite.close();
    }
  }

  /** The files below the folder that hold this text. */
  filesWith(text: string): readonly string[] {
    const names = readdirSync(this.folder).filter((name) => !name.endsWith('-shm'));
    return names.filter((name) => readFileSync(join(this.folder, name)).includes(text));
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
