import { createAssistant } from '../../src/core/assistant';
import { createArchive } from '../../src/core/conversation/archive/archive';
import { createMemory } from '../../src/core/conversation/memory/memory';
import type { Owner } from '../../src/core/conversation/store';
import { createThreads, type ThreadRequest } from '../../src/core/conversation/threads/threads';
import type { MemoryLimits } from '../../src/core/conversation/view';
import type { Log } from '../../src/core/ports';
import { createMemoryDatabase } from '../../src/storage/memoryDatabase';
import { Sqlite } from '../../src/storage/sqlite';
import { noLimits } from '../support/conversation/limits';
import { WorkspaceState } from '../support/conversation/workspaceState';
import type { Choices } from './choices';
import { pixels } from './claude';
import { Disk } from './disk';
import { Model } from './model';
import { Outside, type Crosser, type Dangers } from './outside';
import { nowhere, placeOf, readTexts, readWhereabouts, turnsIn, type Whereabouts } from './whereabouts';

/** What lies around the extension: clock, disk, VS Code's state, the network and the windows on one folder. */
export class World {
  readonly choices: Choices;
  readonly trace: string[] = [];
  readonly outside: Outside;
  readonly disk: Disk;
  readonly state = new WorkspaceState();
  readonly model: Model;
  readonly windows: (SimulatedWindow | undefined)[] = [undefined, undefined];
  /** The person asks much, in long messages, and keeps all: that comes to the bounds of VS Code's state. */
  readonly isWordy: boolean;
  limits: MemoryLimits;
  now = 1_000_000_000;
  #activations = 0;
  #turns = 0;
  readonly #alive = new Set<string>();

  constructor(choices: Choices, dangers: Dangers) {
    this.choices = choices;
    this.isWordy = choices.pick([false, false, false, true]);
    const maxTurns = this.isWordy ? 0 : 3;
    this.limits = { ...noLimits, maxTurns, timeoutSeconds: 1800 };
    this.outside = new Outside(choices, dangers, (line) => this.note(`  ${line}`));
    this.model = new Model((owner) => this.isAlive(owner));
    this.disk = new Disk(this.outside, (crosser) => {
      const after = this.disk.look(readWhereabouts) ?? nowhere;
      // Its tables were made.
      if (after.number === 0) return;
      this.note(
        `  ${crosser.name} writes ${after.number}: ${[...turnsIn(after)].map((id) => describe(id, after)).join(' ')}`,
      );
      this.model.changed(crosser, after, this.limits, this.now);
      // All words once more after each change take long where there are many.
      const texts = this.isWordy && this.model.gone.size === 0 ? undefined : this.disk.look(readTexts);
      if (texts?.all.includes(pixels)) this.model.fail('an image is in the database');
      const values = [...after.values].join('\n');
      for (const id of this.model.gone) {
        const words = `ask ${id}.`;
        if (texts?.kept.includes(words) && !values.includes(words))
          this.model.fail(`the words of ${id} were erased and are back`);
      }
    });
  }

  note(line: string): void {
    this.trace.push(line);
  }

  nextTurn(): string {
    return `t${++this.#turns}`;
  }

  isAlive({ pid, startedAt }: Owner): boolean {
    return this.#alive.has(`${pid} ${startedAt}`);
  }

  /** The ids of processes are few, and soon used again. */
  open(place: number): SimulatedWindow {
    const startedAt = ++this.#activations;
    const taken = new Set(this.windows.map((window) => window?.owner.pid));
    const pid = [1, 2, 3].find((id) => !taken.has(id)) ?? 4;
    const owner = { pid, startedAt };
    this.#alive.add(`${pid} ${startedAt}`);
    const opened = new SimulatedWindow(this, owner, () => {
      this.#alive.delete(`${pid} ${startedAt}`);
      this.windows[place] = undefined;
    });
    this.windows[place] = opened;
    return opened;
  }

  get openWindows(): readonly SimulatedWindow[] {
    return this.windows.flatMap((window) => window ?? []);
  }

  /** What was committed is there, whatever has happened. */
  checkDisk(since: string): void {
    const found = this.disk.look(readWhereabouts) ?? nowhere;
    const [is, was] = [found, this.model.now].map((state) => [...turnsIn(state)].toSorted().join(' '));
    if (is !== was || found.number !== this.model.now.number)
      this.model.fail(`${since}: the database has [${is}] and not [${was}]`);
  }

  dispose(): void {
    for (const window of this.openWindows) window.die();
    this.disk.dispose();
  }
}

/** A chat thread as the panel shows it. */
export interface Thread {
  readonly session: string;
  shown: ThreadRequest['shown'][number][];
  /** Turns that the person took back there. */
  readonly removed: Set<string>;
  /** An answer is under way. */
  isBusy: boolean;
}

/** The extension in one window, put together as it is in `extension.ts`, with nothing but the outside replaced. */
export class SimulatedWindow implements Crosser {
  readonly name: string;
  readonly owner: Owner;
  readonly store: ReturnType<WorkspaceState['openWindow']>;
  readonly memory: ReturnType<typeof createMemory>;
  readonly archive: ReturnType<typeof createArchive>;
  readonly assistant: ReturnType<typeof createAssistant>;
  readonly threads: ReturnType<typeof createThreads>;
  readonly shown: Thread[] = [];
  /** What the person does here at this moment. */
  doing = 0;
  faults = 0;
  isDead = false;
  readonly #onDeath: () => void;
  readonly #connections: (() => void)[] = [];
  #updates = 0;
  #updated = 0;

  constructor(world: World, owner: Owner, onDeath: () => void) {
    const { outside, disk } = world;
    this.owner = owner;
    this.name = `w${owner.startedAt}`;
    this.#onDeath = onDeath;
    this.store = world.state.openWindow();
    let made = 0;
    const ids = () => `${this.name}-${++made}`;
    const clock = () => world.now;
    this.memory = createMemory({
      store: {
        get: (key) => this.store.get(key),
        keys: () => this.store.keys(),
        update: async (key, value) => {
          const update = ++this.#updates;
          await outside.wait(
            this,
            'an update of the state',
            () => this.store.update(key, value),
            () => new Error('the state cannot be updated'),
          );
          if (this.store.bytes > maxStateBytes) world.model.fail(`the state takes ${this.store.bytes} bytes`);
          this.#updated = update;
        },
      },
      open: async () => {
        const connect = () => disk.connect(this, (close) => this.#connections.push(close));
        return createMemoryDatabase(await Sqlite.open(disk.file, async () => connect));
      },
      clock,
      ids,
      wait: () => outside.wait(this, 'a pause', () => undefined),
      settings: () => world.limits,
      log: silent,
      activationId: this.name,
      owner,
      isAlive: (other) => outside.wait(this, 'a look at a process', () => world.isAlive(other)),
    });
    this.archive = createArchive(this.memory);
    this.assistant = createAssistant({
      memory: this.memory,
      clock,
      ids,
      log: silent,
      summaries: { limits: () => world.limits, modelId: 'claude-haiku-4-5' },
    });
    this.threads = createThreads({
      memory: this.memory,
      scope: () => 'workspace',
      activation: { id: this.name, startedAt: world.now },
      ids,
      onMove: () => undefined,
    });
  }

  get chat() {
    return this.memory.forConversation('workspace');
  }

  /** Nothing that was to go into VS Code's state is still under way, nor has it failed. */
  get isStateSaved(): boolean {
    return this.#updated === this.#updates;
  }

  die(): void {
    if (this.isDead) return;
    this.isDead = true;
    this.#onDeath();
    for (const close of this.#connections) close();
  }

  /** Closed in peace: VS Code writes its state down before. */
  close(): void {
    this.store.flush();
    this.die();
  }
}

/** What VS Code takes without complaint is twice as much. */
const maxStateBytes = 256 * 1024;

const silent: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };

function describe(id: string, state: Whereabouts): string {
  const { live, archived, isRunning } = placeOf(id, state);
  return `${id}${live ? `:${live}` : ''}${'+'.repeat(archived.length)}${isRunning ? '…' : ''}`;
}
