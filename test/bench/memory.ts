import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Memento } from 'vscode';
import { createMemory } from '../../src/core/conversation/memory/memory';
import type { Message } from '../../src/core/messages';
import { createMemoryDatabase } from '../../src/storage/memoryDatabase';
import { Sqlite } from '../../src/storage/sqlite';
import { createMementoStore } from '../../src/vscode/memory/mementoStore';
import { WorkspaceState } from '../support/conversation/workspaceState';

/** How much longer one save, one read and one load take with so many turns of this size than with ten (cap off). */
export interface MemoryRatios {
  readonly turns: number;
  readonly bytes: number;
  readonly kept: number;
  readonly save: number;
  readonly read: number;
  readonly load: number;
}

const sizes = [10, 100, 1000] as const;
const rounds = 31;

/**
 * Turns of 50 B, of which 256 KiB hold about 1,000, and of 1.5 KB, of which they hold 160; a real database, the store as VS
 * Code behaves behind the real adapter, a token budget, and no reported tokens: then every turn has to be measured.
 * The sizes take turns, so that what else the machine does hits all of them alike; the best of all rounds counts.
 */
export async function memoryRatios(): Promise<readonly MemoryRatios[]> {
  const ratios: MemoryRatios[] = [];
  for (const bytes of [50, 1_500]) {
    const memories: FilledMemory[] = [];
    try {
      for (const turns of sizes) memories.push(await fill(turns, bytes));
      const figures = memories.map(() => ({ save: Infinity, read: Infinity, load: Infinity }));
      for (let round = 0; round < rounds; round++) {
        for (const [index, memory] of memories.entries()) {
          const best = figures[index];
          if (!best) continue;
          best.save = Math.min(best.save, await timed(memory.save));
          best.read = Math.min(best.read, await timed(memory.read));
          if (round % 5 === 0) best.load = Math.min(best.load, await timed(memory.load));
        }
      }
      const [base] = figures;
      for (const [index, memory] of memories.entries()) {
        const [turns, best] = [sizes[index], figures[index]];
        if (!base || !best || turns === undefined) continue;
        const over = (what: 'save' | 'read' | 'load') => best[what] / base[what];
        ratios.push({
          turns,
          bytes,
          kept: memory.kept(),
          save: over('save'),
          read: over('read'),
          load: over('load'),
        });
      }
    } finally {
      for (const { dispose } of memories) dispose();
    }
  }
  return ratios;
}

type FilledMemory = Awaited<ReturnType<typeof fill>>;

async function fill(turns: number, bytes: number) {
  const folder = mkdtempSync(join(tmpdir(), 'bench-memory-'));
  const state = new WorkspaceState();
  let now = 1_000_000;
  let windows = 0;
  const open = () => {
    const pid = ++windows;
    const store = state.openWindow();
    const activationId = `bench${pid}`;
    const memory = createMemory({
      store: createMementoStore(store as Memento),
      open: async () => createMemoryDatabase(await Sqlite.open(join(folder, 'memory.db'))),
      clock: () => now++,
      ids: () => `id${now}`,
      wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
      settings: () => ({
        maxTurns: 0,
        timeoutSeconds: 0,
        eviction: 'oldest',
        tokenBudget: 100_000,
        whenFull: 'drop',
        archiveSize: 100,
      }),
      log: { info: () => undefined, warn: () => undefined, error: () => undefined },
      activationId,
      owner: { pid, startedAt: 1 },
      isAlive: async () => false,
    });
    return { memory, store, chat: memory.forConversation('bench') };
  };
  const first = open();
  let saved = 0;
  const save = () => {
    const id = `turn-${saved++}`;
    const messages = exchange(id, bytes);
    return first.chat.saveTurn({ id, startedAt: now, endedAt: now, outcome: 'finished', messages });
  };
  for (let turn = 0; turn < turns; turn++) await save();
  return {
    save,
    read: async () => void first.chat.history(),
    /** As another window that opens now. */
    load: () => {
      first.store.flush();
      return open().memory.load();
    },
    kept: () => first.chat.snapshot()?.turns.length ?? 0,
    dispose: () => rmSync(folder, { recursive: true }),
  };
}

function exchange(id: string, bytes: number): Message[] {
  return [
    { role: 'user', content: `Question ${id}?` },
    { role: 'assistant', content: `Answer ${id}. `.padEnd(bytes, 'and so on ') },
  ];
}

async function timed(work: () => Promise<void>): Promise<number> {
  // As between two answers: what follows behind the one before is done.
  await new Promise((resolve) => setTimeout(resolve, 20));
  const start = performance.now();
  await work();
  return performance.now() - start;
}
