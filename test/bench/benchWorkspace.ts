import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemory, type ConversationMemory } from '../../src/core/conversation/memory/memory';
import type { Message } from '../../src/core/messages';
import { createMemoryDatabase } from '../../src/storage/memoryDatabase';
import { Sqlite } from '../../src/storage/sqlite';
import { noLimits } from '../support/conversation/limits';
import { WorkspaceState } from '../support/conversation/workspaceState';

/** A workspace with the cap off: a real database, and the store as VS Code behaves. */
export interface BenchWorkspace {
  /** Memory as one more window has it. */
  open(): {
    readonly memory: ConversationMemory;
    /** A turn of about 1.5 KB, with a tool round. */
    save(id: string): Promise<void>;
  };
  readonly clock: () => number;
  remove(): void;
}

export const benchConversation = 'bench';

export function createBenchWorkspace(): BenchWorkspace {
  const folder = mkdtempSync(join(tmpdir(), 'bench-memory-'));
  const state = new WorkspaceState();
  let now = 1_000_000;
  let pid = 0;
  const clock = (): number => now++;
  return {
    clock,
    open() {
      const activationId = `bench${++pid}`;
      const memory = createMemory({
        store: state.openWindow(),
        open: async () => createMemoryDatabase(await Sqlite.open(join(folder, 'memory.db'))),
        clock,
        ids: () => `id${now}`,
        wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
        settings: () => noLimits,
        log: silent,
        activationId,
        owner: { pid, startedAt: 1 },
        isAlive: async () => false,
      });
      const chat = memory.forConversation(benchConversation);
      return {
        memory,
        save: (id) =>
          chat.saveTurn({ id, startedAt: now, endedAt: now, outcome: 'finished', messages: exchange(id) }),
      };
    },
    remove: () => rmSync(folder, { recursive: true }),
  };
}

export const silent = { info: () => undefined, warn: () => undefined, error: () => undefined };

function exchange(id: string): Message[] {
  return [
    { role: 'user', content: `question ${id}` },
    {
      role: 'assistant',
      content: [{ type: 'tool_use', id, name: 'read_file', input: { path: 'src/a.ts' } }],
    },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'line\n'.repeat(150) }] },
    { role: 'assistant', content: `answer ${id} ${'word '.repeat(60)}` },
  ];
}
