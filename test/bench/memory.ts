import { createBenchWorkspace } from './benchWorkspace';

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
  const workspace = createBenchWorkspace();
  try {
    const first = workspace.open();
    for (let index = 0; index < turns; index++) await first.save(`turn-${index}`);
    const save = await bestTime(31, (round) => first.save(`more-${round}`));
    const read = await bestTime(31, async () => void first.chat.history());
    const kept = first.chat.snapshot()?.turns.length ?? 0;
    first.flush();
    const load = await bestTime(5, () => workspace.open().memory.load());
    return { kept, save, read, load };
  } finally {
    workspace.remove();
  }
}

async function bestTime(rounds: number, work: (round: number) => Promise<unknown>): Promise<number> {
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
