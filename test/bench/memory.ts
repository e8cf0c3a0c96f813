import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemory } from '../../src/core/conversation/memory';
import type { Message } from '../../src/core/messages';
import { createWriteAheadFiles } from '../../src/vscode/writeAheadFile';
import { WorkspaceState } from '../support/conversation/workspaceState';

/** How much longer one save, one read and one load take with this many turns than with ten (cap off). */
export interface MemoryRatios {
  readonly turns: number;
  readonly kept: number;
  readonly save: number;
  readonly read: number;
  readonly load: number;
}

interface Timings {
  readonly kept: number;
  readonly save: number;
  readonly read: number;
  readonly load: number;
}

/** Turns of about 1.5 KB, so that 1,000 of them reach the size bound; real files, the store as VS Code behaves. */
export async function memoryRatios(): Promise<readonly MemoryRatios[]> {
  await timings(10); // Warms the code up.
  const base = await timings(10);
  const ratios: MemoryRatios[] = [];
  for (const turns of [10, 100, 1000, 2000]) {
    const { kept, save, read, load } = turns === 10 ? base : await timings(turns);
    ratios.push({
      turns,
      kept,
      save: save / base.save,
      read: read / base.read,
      load: load / base.load,
    });
  }
  return ratios;
}

async function timings(turns: number): Promise<Timings> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-memory-'));
  try {
    const state = new WorkspaceState();
    let now = 1_000_000;
    const open = (pid: number) => {
      const store = state.openWindow();
      const journal = createWriteAheadFiles({
        folder,
        activationId: `bench${pid}`,
        pid,
        isProcessAlive: () => false,
      });
      const memory = createMemory({
        store,
        journal,
        clock: () => now++,
        ids: () => `id${now}`,
        settings: () => ({
          maxTurns: 0,
          timeoutSeconds: 0,
          eviction: 'oldest',
          tokenBudget: 0,
          whenFull: 'drop',
        }),
        log: { info: () => undefined, warn: () => undefined, error: () => undefined },
        activationId: `bench${pid}`,
      });
      return { memory, store, chat: memory.forConversation('bench') };
    };
    const first = open(1);
    const save = (id: string) =>
      first.chat.saveTurn({ id, startedAt: now, endedAt: now, outcome: 'finished', messages: exchange(id) });
    for (let index = 0; index < turns; index++) await save(`turn-${index}`);
    const saveTime = await bestTime(31, (round) => save(`more-${round}`));
    const readTime = await bestTime(31, async () => void first.chat.history());
    const kept = first.chat.snapshot()?.turns.length ?? 0;
    first.store.flush();
    const loadTime = await bestTime(5, (round) => open(2 + round).memory.load());
    return { kept, save: saveTime, read: readTime, load: loadTime };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

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

async function bestTime(rounds: number, work: (round: number) => Promise<void>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    // As between two answers: what follows behind the one before is done.
    await new Promise((resolve) => setTimeout(resolve, 20));
    const start = performance.now();
    await work(round);
    times.push(performance.now() - start);
  }
  return Math.min(...times);
}
