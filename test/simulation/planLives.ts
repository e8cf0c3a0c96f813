import type { Plan } from '../../src/core/tools/plans/plan';
import { createPlans, type Plans } from '../../src/core/tools/plans/plans';
import { createPlanStore } from '../../src/storage/planTable';
import { Sqlite } from '../../src/storage/sqlite';
import type { Choices } from './choices';
import { Disk } from './disk';
import { live, quiet, releaseOr, type Life, type Simulated } from './life';
import { Outside, type Crosser } from './outside';

/**
 * One life of the plans of a workspace: Claude and the person write in two windows, each on what they have read, which
 * may be old by then; plans are started, closed and deleted, and windows killed. Every line has a name of its own.
 */
export function simulatePlans(seed: number, given?: readonly number[]): Promise<Simulated> {
  return live(seed, given, (choices) => new PlanLife(choices));
}

class PlanLife implements Life {
  readonly trace: string[] = [];
  readonly failures: string[] = [];
  readonly outside: Outside;
  readonly #choices: Choices;
  readonly #disk: Disk;
  readonly #windows: (PlanWindow | undefined)[] = [undefined, undefined];
  /** Lines of the person that were saved, and that nobody of theirs took out again. */
  readonly #mine = new Set<string>();
  /** Lines of which the person was told that they are deleted. */
  readonly #erased = new Set<string>();
  /** Plans that somebody wants deleted: what is saved into one at that moment goes with it. */
  readonly #doomed = new Set<number>();
  #opened = 0;
  #made = 0;
  #closed = 0;

  constructor(choices: Choices) {
    this.#choices = choices;
    const dangers = {
      crash: choices.pick([0, 0, 100, 30]),
      failure: choices.pick([0, 0, 100, 30]),
      delay: choices.pick([0, 3, 6]),
      unreadable: choices.pick([0, 0, 100]),
    };
    this.outside = new Outside(choices, dangers, (line) => this.trace.push(`  ${line}`));
    this.#disk = new Disk(this.outside, () => this.#holds());
  }

  act(): Promise<void> {
    return releaseOr({ choices: this.#choices, outside: this.outside }, () => this.#act());
  }

  #act(): void {
    const place = this.#choices.below(2);
    const window = this.#windows[place] ?? this.#open(place);
    const steps: readonly [() => Promise<void>, ...(() => Promise<void>)[]] = [
      () => this.#claudeWrites(window),
      () => this.#claudeWrites(window),
      () => this.#claudeReads(window),
      () => this.#reads(window),
      () => this.#saves(window),
      () => this.#saves(window),
      () => this.#starts(window),
      () => this.#closes(window),
      () => this.#erases(window),
      async () => {
        this.trace.push(`kill -9 of ${window.name}`);
        window.die();
      },
    ];
    void this.#choices
      .pick(steps)()
      .catch((error: unknown) => {
        if (window.faults === 0 && !window.isDead) this.failures.push(`unexpected: ${String(error)}`);
      });
  }

  /** When all has come to rest, both windows have the same plans, and a new one has them, too. */
  async rest(): Promise<void> {
    do await quiet();
    while (this.outside.release());
    const [first, second] = [this.#open(0), this.#open(1)];
    const [here, there] = [await first.plans.list(), await second.plans.list()];
    if (JSON.stringify(here) !== JSON.stringify(there)) this.failures.push('the windows disagree');
    this.#holds();
    const lines = [...this.#mine, ...this.#erased];
    this.#mine.clear();
    await first.plans.erase(here.map(({ id }) => id));
    for (const window of [first, second]) window.die();
    const left = this.#disk.filesWith(lines);
    if (left.length > 0) this.failures.push(`all plans are deleted, and there is ${left.join(', ')}`);
  }

  dispose(): void {
    for (const window of this.#windows) window?.die();
    this.#disk.dispose();
  }

  #open(place: number): PlanWindow {
    const window = new PlanWindow(`w${++this.#opened}`, this.outside, this.#disk, () => {
      if (this.#windows[place] === window) this.#windows[place] = undefined;
    });
    this.#windows[place] = window;
    return window;
  }

  async #claudeReads(window: PlanWindow): Promise<void> {
    window.seen = await window.plans.open();
  }

  /** With a line more, a line less, or all of it new. */
  async #claudeWrites(window: PlanWindow): Promise<void> {
    const { seen } = window;
    const lines = seen?.text.split('\n').filter((line) => line !== '') ?? [];
    const added = `- [ ] Claude ${++this.#made}.`;
    const kept = this.#choices.pick([lines, lines.map(ticked), lines.slice(1), []]);
    const text = [...kept, added].join('\n');
    this.trace.push(
      `${window.name}: Claude writes ${added} on ${seen ? `${seen.id}/${seen.revision}` : 'nothing'}`,
    );
    const isPlanning = this.#choices.oneIn(2);
    const written = await window.plans.write({ text, seen, isPlanning });
    window.seen = written.kind === 'closed' ? undefined : written.plan;
    if (written.kind === 'written' && this.#isQuiet && !this.#isThere(added))
      this.failures.push(`${added} was acknowledged and is nowhere`);
  }

  async #reads(window: PlanWindow): Promise<void> {
    const plans = await window.plans.list();
    window.editor = plans[this.#choices.below(Math.max(1, plans.length))];
  }

  /** What an editor does, which has read it some time ago. */
  async #saves(window: PlanWindow): Promise<void> {
    const { editor } = window;
    if (!editor) return;
    const lines = editor.text.split('\n').filter((line) => line !== '');
    const added = `- [ ] mine ${++this.#made}.`;
    const out = this.#choices.oneIn(4) ? lines.find((line) => line.includes('mine')) : undefined;
    const text = [...lines.filter((line) => line !== out), added].join('\n');
    this.trace.push(`${window.name}: the person saves ${added} on ${editor.id}/${editor.revision}`);
    // Whatever comes of it, nobody promises that one any more.
    if (out !== undefined) this.#mine.delete(unticked(out));
    const saved = await window.plans.save(editor.id, text, editor.revision);
    if (saved?.kind === 'saved') {
      window.editor = saved.plan;
      if (!this.#doomed.has(editor.id)) this.#mine.add(added);
    } else window.editor = undefined;
    this.#holds();
  }

  async #starts(window: PlanWindow): Promise<void> {
    const plan = await this.#some(window);
    if (!plan) return;
    this.trace.push(`${window.name}: starts ${plan.id}`);
    await (this.#choices.oneIn(2) ? window.plans.start(plan.id) : window.plans.reopen(plan.id));
  }

  async #closes(window: PlanWindow): Promise<void> {
    const plan = await this.#some(window);
    if (!plan) return;
    this.trace.push(`${window.name}: closes ${plan.id}`);
    this.#closed++;
    await window.plans.close(plan.id);
  }

  async #erases(window: PlanWindow): Promise<void> {
    const plan = await this.#some(window);
    if (!plan) return;
    this.trace.push(`${window.name}: deletes ${plan.id}`);
    // From the moment that it is tried, its lines may be gone.
    const gone = new Set<string>();
    this.#doomed.add(plan.id);
    const forget = (text: string) => {
      for (const line of text.split('\n').map(unticked)) {
        gone.add(line);
        this.#mine.delete(line);
      }
    };
    const now = this.#plansNow().find(({ id }) => id === plan.id);
    forget(now?.text ?? plan.text);
    const erased = await window.plans.erase([plan.id]);
    for (const { text } of erased) forget(text);
    const others = this.#plansNow().map(({ text }) => text.split('\n').map(unticked));
    for (const line of gone) if (!others.some((lines) => lines.includes(line))) this.#erased.add(line);
  }

  async #some(window: PlanWindow): Promise<Plan | undefined> {
    const plans = await window.plans.list();
    return plans[this.#choices.below(Math.max(1, plans.length))];
  }

  /** Nobody else can have come between what was done and a look at it. */
  get #isQuiet(): boolean {
    return (
      this.#windows.filter((window) => window !== undefined).length < 2 && this.outside.dangers.delay === 0
    );
  }

  #isThere(line: string): boolean {
    return this.#plansNow().some(({ text }) => text.split('\n').map(unticked).includes(line));
  }

  #holds(): void {
    const plans = this.#plansNow();
    if (plans.filter(({ isClosed }) => !isClosed).length > 1) this.failures.push('two plans are open');
    // More than are kept of those that were closed, or that others took the place of.
    if (plans.length > 15 || this.#closed > 15) return;
    for (const line of this.#mine)
      if (!this.#isThere(line)) this.failures.push(`${line} of the person is lost`);
    for (const line of this.#erased)
      if (this.#isThere(line)) this.failures.push(`${line} was deleted, and is back`);
  }

  #plansNow(): readonly { readonly id: number; readonly text: string; readonly isClosed: boolean }[] {
    const rows = this.#disk.look((database) => database.prepare('SELECT * FROM plans').all()) ?? [];
    return rows.map((row) => ({
      id: Number(row['id']),
      text: String(row['text']),
      isClosed: row['is_closed'] === 1,
    }));
  }
}

function ticked(line: string): string {
  return line.replace('- [ ]', '- [x]');
}

function unticked(line: string): string {
  return line.replace('- [x]', '- [ ]');
}

class PlanWindow implements Crosser {
  readonly name: string;
  readonly plans: Plans;
  faults = 0;
  isDead = false;
  /** What Claude has seen. */
  seen: Plan | undefined;
  /** What an editor shows. */
  editor: Plan | undefined;
  readonly #onDeath: () => void;
  readonly #closing: (() => void)[] = [];

  constructor(name: string, outside: Outside, disk: Disk, onDeath: () => void) {
    this.name = name;
    this.#onDeath = onDeath;
    let opened: Promise<Sqlite> | undefined;
    const connect = () => disk.connect(this, (close) => this.#closing.push(close));
    let now = 0;
    const database = async () => {
      await outside.wait(this, 'a look for the database', () => undefined);
      opened ??= Sqlite.open(disk.file, async () => connect);
      return opened.catch((error: unknown) => {
        opened = undefined;
        throw error;
      });
    };
    const pause = () => outside.wait(this, 'a pause', () => undefined);
    this.plans = createPlans({ store: createPlanStore(database, pause), clock: () => ++now });
  }

  die(): void {
    if (this.isDead) return;
    this.isDead = true;
    this.#onDeath();
    for (const close of this.#closing) close();
  }
}
