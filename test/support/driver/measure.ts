import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { AssistantApi } from '../../../src/core/api';
import type { Message } from '../../../src/core/messages';

/** Milliseconds that VS Code noted for an extension of this host. */
export interface ActivationTimes {
  readonly codeLoad: number;
  readonly activate: number;
}

/** Milliseconds of one call each. */
export interface MemoryTimes {
  readonly save: readonly number[];
  readonly read: readonly number[];
}

/** Waits for the extension to be active; undefined when VS Code has noted nothing, as for one that is not there. */
export async function activationOf(
  id: string,
  isActive: () => boolean,
): Promise<ActivationTimes | undefined> {
  while (!isActive()) await new Promise((resolve) => setTimeout(resolve, 50));
  const marks = new Map(performanceMarks().map(({ name, startTime }) => [name, startTime]));
  const between = (step: string): number | undefined => {
    const [start, end] = ['will', 'did'].map((when) => marks.get(`code/extHost/${when}${step}/${id}`));
    return start === undefined || end === undefined ? undefined : end - start;
  };
  const [codeLoad, activate] = [between('LoadExtensionCode'), between('ActivateExtension')];
  return codeLoad === undefined || activate === undefined ? undefined : { codeLoad, activate };
}

/** Saves turns into a conversation until it was given so many, then times some more saves and reads. */
export async function memoryTimes(
  api: AssistantApi,
  { turns, bytes, rounds }: { readonly turns: number; readonly bytes: number; readonly rounds: number },
): Promise<MemoryTimes> {
  const id = `bench-${turns}-${bytes}`;
  for (let turn = 0; turn < turns; turn++) await api.saveTurn(exchange(turn, bytes), id);
  const save: number[] = [];
  const read: number[] = [];
  for (let round = 0; round < rounds; round++) {
    // As between two answers: what VS Code still has to do for the one before is done.
    await new Promise((resolve) => setTimeout(resolve, 100));
    save.push(await timed(() => api.saveTurn(exchange(turns + round, bytes), id)));
    read.push(await timed(() => api.getHistory(id)));
  }
  await api.clearHistory(id);
  return { save, read };
}

/** What lives on the heap of this extension host once all garbage is collected. */
export async function liveHeapBytes(): Promise<number> {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  let least = Infinity;
  // What finalizers, and work that others had just begun, hold on to is garbage only a moment later.
  for (let round = 0; round < 5; round++) {
    collect();
    await pause(300);
    collect();
    least = Math.min(least, process.memoryUsage().heapUsed);
  }
  return least;
}

/** VS Code keeps its marks in a place of its own. */
function performanceMarks(): readonly { readonly name: string; readonly startTime: number }[] {
  const { MonacoPerformanceMarks } = globalThis as unknown as {
    readonly MonacoPerformanceMarks?: { getMarks(): { name: string; startTime: number }[] };
  };
  return MonacoPerformanceMarks?.getMarks() ?? [];
}

function exchange(turn: number, bytes: number): Message[] {
  const answer = `Answer ${turn}. `;
  return [
    { role: 'user', content: `Question ${turn}?` },
    { role: 'assistant', content: answer.padEnd(Math.max(answer.length, bytes), 'and so on ') },
  ];
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}
