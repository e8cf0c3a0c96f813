import { createChanges, type Changes } from '../../src/core/tools/changes/changes';
import { openTexts, type FileChange } from '../../src/core/tools/changes/fileChange';
import { linesWithEnds } from '../../src/core/tools/changes/hunks';
import { createChangeStore } from '../../src/storage/changeTable';
import { Sqlite } from '../../src/storage/sqlite';
import { createInMemoryWorkspace } from '../support/inMemoryWorkspace';
import type { Choices } from './choices';
import { Disk } from './disk';
import { live, quiet, releaseOr, type Life, type Simulated } from './life';
import { Outside, type Crosser } from './outside';

const folder = { name: 'app', root: '/work/app' };
const names = ['a.ts', 'b.ts'] as const;
const { signal } = new AbortController();

/**
 * One life of files that Claude and the person change in two windows, with what is kept, undone, killed and refused in
 * between. Every line has a name of its own, so that the model is a set of names.
 */
export function simulateChanges(seed: number, given?: readonly number[]): Promise<Simulated> {
  return live(seed, given, (choices) => new ChangeLife(choices));
}

interface Line {
  readonly name: string;
  readonly turn: string;
  /** Somebody wanted it undone, or replaced it: nothing is known of it any more but what they were told. */
  isTouched: boolean;
  isJudged: boolean;
  /** The database could not be written when it came. */
  isUnnoted: boolean;
}

class ChangeLife implements Life {
  readonly trace: string[] = [];
  readonly failures: string[] = [];
  readonly outside: Outside;
  readonly workspace = createInMemoryWorkspace({
    files: Object.fromEntries(names.map((name) => [name, `start of ${name}\nend of ${name}\n`])),
  });
  readonly #choices: Choices;
  readonly #disk: Disk;
  readonly #windows: (ChangeWindow | undefined)[] = [undefined, undefined];
  /** Of Claude, which were really written. */
  readonly #lines = new Map<string, Line>();
  /** Of the person. */
  readonly #mine: string[] = [];
  #opened = 0;
  #made = 0;

  constructor(choices: Choices) {
    this.#choices = choices;
    const dangers = {
      crash: choices.pick([0, 0, 100, 30]),
      failure: choices.pick([0, 0, 100, 30]),
      delay: choices.pick([0, 3, 6]),
      unreadable: 0,
    };
    this.outside = new Outside(choices, dangers, (line) => this.trace.push(`  ${line}`));
    this.#disk = new Disk(this.outside, () => undefined);
  }

  act(): Promise<void> {
    return releaseOr({ choices: this.#choices, outside: this.outside }, () => this.#act());
  }

  #act(): void {
    const place = this.#choices.below(2);
    const window = this.#windows[place] ?? this.#open(place);
    const steps: readonly [() => Promise<void>, ...(() => Promise<void>)[]] = [
      () => this.#edit(window),
      () => this.#edit(window),
      () => this.#edit(window),
      () => this.#write(),
      () => this.#keep(window),
      () => this.#undo(window),
      () => this.#undo(window),
      () => this.#judgeLines(window),
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

  /** When all has come to rest, both windows list the same, and the files say what the person was told. */
  async rest(): Promise<void> {
    do await quiet();
    while (this.outside.release());
    const [first, second] = [this.#open(0), this.#open(1)];
    await quiet();
    const [here, there] = [await first.changes.list(), await second.changes.list()];
    if (JSON.stringify(here) !== JSON.stringify(there)) this.failures.push('the windows disagree');
    const listed = await Promise.all(here.map(({ id }) => first.changes.get(id)));
    const open = new Set(listed.flatMap((change) => (change ? addedBy(change) : [])));
    for (const { name, isTouched, isJudged, isUnnoted } of this.#lines.values()) {
      if (!isTouched && !this.#isThere(name)) this.failures.push(`${name} is lost`);
      if (!isTouched && !isJudged && !isUnnoted && !open.has(name))
        this.failures.push(`${name} was never judged, and is not listed`);
    }
    this.#holdsMine();
    const { refused } = await first.changes.undo(
      here.map(({ id }) => id),
      signal,
    );
    if (refused.length > 0) this.trace.push(`refused: ${refused.map(({ why }) => why).join(', ')}`);
    const stuck = new Set(refused.map(({ change }) => change.turnId));
    for (const name of open) {
      const line = this.#lines.get(name);
      if (line && !stuck.has(line.turn) && this.#isThere(name))
        this.failures.push(`${name} was undone, and is there`);
    }
    this.#holdsMine();
  }

  dispose(): void {
    for (const window of this.#windows) window?.die();
    this.#disk.dispose();
  }

  #open(place: number): ChangeWindow {
    const window = new ChangeWindow(`w${++this.#opened}`, this.outside, this.#disk, this.workspace, () => {
      if (this.#windows[place] === window) this.#windows[place] = undefined;
    });
    this.#windows[place] = window;
    return window;
  }

  async #edit(window: ChangeWindow): Promise<void> {
    const name = this.#choices.pick(names);
    const turn = this.#choices.oneIn(3) ? window.nextTurn() : window.turn;
    const before = this.workspace.text(name) ?? '';
    const lines = [...linesWithEnds(before)];
    const added = Array.from({ length: 1 + this.#choices.below(2) }, () => `${turn} line ${++this.#made}\n`);
    const at = 1 + this.#choices.below(lines.length - 1);
    const isClaudes = this.#lines.has(lines[at] ?? '');
    const replaced = isClaudes && this.#choices.oneIn(3) ? lines[at] : undefined;
    lines.splice(at, replaced === undefined ? 0 : 1, ...added);
    const after = lines.join('');
    this.trace.push(`${window.name}: ${turn} puts ${added.length} lines into ${name} at ${at}`);
    const place = { folder, path: name };
    const unnoted = window.unnoted;
    const caller = { turnId: turn, callId: 'call' };
    const planned = { kind: 'edit', place, before, after, isSecret: false } as const;
    let isDone = false;
    // Also when the window dies right after it.
    if (replaced !== undefined) this.#mark(replaced, 'isTouched');
    await window.changes.record(caller, planned, async () => {
      const outcome = await window.workspace.apply({ kind: 'edit', place, before, after }, signal);
      if (outcome.kind !== 'refused') {
        isDone = true;
        for (const line of added)
          this.#lines.set(line, { name: line, turn, isTouched: false, isJudged: false, isUnnoted: false });
      }
      return { outcome };
    });
    if (isDone && window.unnoted > unnoted)
      for (const line of added) this.#lines.set(line, { ...this.#lines.get(line)!, isUnnoted: true });
  }

  /** The person, in an editor. */
  async #write(): Promise<void> {
    const name = this.#choices.pick(names);
    const lines = [...linesWithEnds(this.workspace.text(name) ?? '')];
    const line = `mine ${++this.#made}\n`;
    const at = this.#choices.below(lines.length + 1);
    this.trace.push(`the person writes into ${name} at ${at}`);
    lines.splice(at, 0, line);
    this.#mine.push(line);
    this.workspace.files.set(`${folder.root}/${name}`, lines.join(''));
  }

  async #keep(window: ChangeWindow): Promise<void> {
    const change = await this.#some(window);
    if (!change) return;
    this.trace.push(`${window.name} keeps ${change.id}`);
    for (const line of addedBy(change)) this.#mark(line, 'isJudged');
    await window.changes.keep([change.id]);
  }

  async #undo(window: ChangeWindow): Promise<void> {
    const change = await this.#some(window);
    if (!change) return;
    this.trace.push(`${window.name} undoes ${change.id}`);
    const added = addedBy(change);
    for (const line of added) this.#mark(line, 'isTouched');
    const { undone } = await window.changes.undo([change.id], signal);
    const back = undone.length > 0 ? added.filter((line) => this.#isThere(line)) : [];
    // Others may have joined it or judged it meanwhile.
    const isSame = added.length > 0 && back.length === added.length && !this.#isBusy;
    if (isSame) this.failures.push(`${back.join('')} was undone, and is there`);
    this.#holdsMine();
  }

  async #judgeLines(window: ChangeWindow): Promise<void> {
    const name = this.#choices.pick(names);
    const text = this.workspace.text(name) ?? '';
    const start = this.#choices.below(linesWithEnds(text).length);
    const isUndo = this.#choices.oneIn(2);
    this.trace.push(`${window.name} ${isUndo ? 'undoes' : 'keeps'} line ${start} of ${name}`);
    const range = { start, end: start + 1 };
    const lines = { place: { folder, path: name }, text, range, shown: range };
    const original = await window.changes.original(lines.place, text);
    for (const { change } of original?.spots ?? []) {
      for (const line of addedBy(change)) this.#mark(line, isUndo ? 'isTouched' : 'isJudged');
    }
    if (isUndo) await window.changes.undoLines(lines, signal);
    else await window.changes.keepLines(lines);
    this.#holdsMine();
  }

  async #some(window: ChangeWindow): Promise<FileChange | undefined> {
    const listed = await window.changes.list();
    const picked = listed[this.#choices.below(Math.max(1, listed.length))];
    return picked && window.changes.get(picked.id);
  }

  get #isBusy(): boolean {
    return (
      this.#windows.filter((window) => window !== undefined).length > 1 || this.outside.dangers.delay > 0
    );
  }

  #mark(line: string, what: 'isTouched' | 'isJudged'): void {
    const known = this.#lines.get(line);
    if (known) known[what] = true;
  }

  #isThere(line: string): boolean {
    return names.some((name) => linesWithEnds(this.workspace.text(name) ?? '').includes(line));
  }

  #holdsMine(): void {
    for (const line of this.#mine)
      if (!this.#isThere(line)) this.failures.push(`${line} of the person is gone`);
  }
}

function addedBy(change: FileChange): readonly string[] {
  const { before, after } = openTexts(change);
  const was = new Set(linesWithEnds(before));
  return linesWithEnds(after).filter((line) => !was.has(line));
}

class ChangeWindow implements Crosser {
  readonly name: string;
  readonly changes: Changes;
  readonly workspace: ReturnType<typeof createInMemoryWorkspace>;
  faults = 0;
  unnoted = 0;
  isDead = false;
  turn: string;
  #turns = 1;
  readonly #onDeath: () => void;
  readonly #closing: (() => void)[] = [];

  constructor(
    name: string,
    outside: Outside,
    disk: Disk,
    workspace: ReturnType<typeof createInMemoryWorkspace>,
    onDeath: () => void,
  ) {
    this.name = name;
    this.turn = `${name}-t1`;
    this.#onDeath = onDeath;
    this.workspace = {
      ...workspace,
      apply: (change, aborted) =>
        outside.wait(
          this,
          'a change of a file',
          () => workspace.apply(change, aborted),
          () => new Error('the file cannot be written'),
        ),
    };
    let opened: Promise<Sqlite> | undefined;
    const connect = () => disk.connect(this, (close) => this.#closing.push(close));
    let now = 0;
    this.changes = createChanges({
      store: createChangeStore(
        async () => {
          opened ??= Sqlite.open(disk.file, async () => connect);
          return opened.catch((error: unknown) => {
            opened = undefined;
            throw error;
          });
        },
        () => Promise.resolve(),
      ),
      workspace: this.workspace,
      clock: () => ++now,
      log: { info: () => undefined, warn: () => undefined, error: () => void this.unnoted++ },
    });
  }

  nextTurn(): string {
    this.turn = `${this.name}-t${++this.#turns}`;
    return this.turn;
  }

  die(): void {
    if (this.isDead) return;
    this.isDead = true;
    this.#onDeath();
    for (const close of this.#closing) close();
  }
}
