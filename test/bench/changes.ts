import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createMemory } from '../../src/core/conversation/memory/memory';
import { createChanges, type Changes } from '../../src/core/tools/changes/changes';
import { createChangeStore } from '../../src/storage/changeTable';
import { createMemoryDatabase } from '../../src/storage/memoryDatabase';
import { Sqlite } from '../../src/storage/sqlite';
import { noLimits } from '../support/conversation/limits';
import { WorkspaceState } from '../support/conversation/workspaceState';
import { createInMemoryWorkspace } from '../support/inMemoryWorkspace';

/** How much longer it takes with 1,000 changes to judge than with none. */
export interface ChangeRatios {
  /** A turn is saved, by what is in the same database. */
  readonly save: number;
  /** What a request is made of is read, as if another window had written. */
  readonly request: number;
  /** A file is changed. */
  readonly change: number;
}

const rounds = 31;
const text = 'A line of code that stands for many.\n'.repeat(200);

export async function changeRatios(): Promise<ChangeRatios> {
  const sides = [await fill(0), await fill(1000)] as const;
  try {
    const best = sides.map(() => ({ save: Infinity, request: Infinity, change: Infinity }));
    for (let round = 0; round < rounds; round++) {
      for (const [index, side] of sides.entries()) {
        const figures = best[index];
        if (!figures) continue;
        for (const what of ['save', 'request', 'change'] as const)
          figures[what] = Math.min(figures[what], await timed(side[what]));
      }
    }
    const over = (what: keyof ChangeRatios) => (best[1]?.[what] ?? 0) / (best[0]?.[what] ?? 1);
    return { save: over('save'), request: over('request'), change: over('change') };
  } finally {
    for (const { dispose } of sides) dispose();
  }
}

async function fill(count: number) {
  const folder = mkdtempSync(join(tmpdir(), 'bench-changes-'));
  const sqlite = await Sqlite.open(join(folder, 'memory.db'));
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  let now = 1_000_000;
  const clock = () => now++;
  const changes = createChanges({
    store: createChangeStore(async () => sqlite),
    workspace: createInMemoryWorkspace(),
    clock,
    log,
  });
  const memory = createMemory({
    store: new WorkspaceState().openWindow(),
    open: async () => createMemoryDatabase(sqlite),
    clock,
    ids: () => `id${now}`,
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    settings: () => ({ ...noLimits, maxTurns: 10 }),
    log,
    activationId: 'bench',
    owner: { pid: 1, startedAt: 1 },
    isAlive: async () => false,
  });
  const chat = memory.forConversation('bench');
  let made = 0;
  for (; made < count; made++) await record(changes, `turn-${made % 50}`, `file-${made}.ts`);
  let saved = 0;
  const save = async () => {
    const messages = [
      { role: 'user', content: 'Question?' },
      { role: 'assistant', content: 'Answer.' },
    ] as const;
    const id = `saved-${saved++}`;
    await chat.saveTurn({ id, startedAt: now, endedAt: now, outcome: 'finished', messages: [...messages] });
  };
  for (let turn = 0; turn < 10; turn++) await save();
  return {
    save,
    request: async () => {
      await memory.refresh();
      chat.history();
    },
    change: () => record(changes, `another turn ${made++}`, 'another.ts'),
    dispose: () => {
      sqlite.close();
      rmSync(folder, { recursive: true });
    },
  };
}

async function record(changes: Changes, turnId: string, path: string): Promise<void> {
  const place = { folder: { name: 'app', root: '/work/app' }, path };
  const planned = { kind: 'edit', place, before: text, after: `${text}more\n`, isSecret: false } as const;
  await changes.record({ turnId, callId: 'call' }, planned, async () => ({ outcome: { kind: 'saved' } }));
}

async function timed(work: () => Promise<void>): Promise<number> {
  // As between two answers: what follows behind the one before is done.
  await new Promise((resolve) => setTimeout(resolve, 20));
  const start = performance.now();
  await work();
  return performance.now() - start;
}
