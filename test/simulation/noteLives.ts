import { createNotes, type Notes } from '../../src/core/tools/notes/notes';
import { createNoteStore } from '../../src/storage/noteTable';
import { Sqlite } from '../../src/storage/sqlite';
import type { Choices } from './choices';
import { Disk } from './disk';
import { live, type Life, type Simulated } from './life';
import { Outside, type Crosser } from './outside';

/**
 * One life of notes that are written, edited, forgotten and brought back in two windows, which are killed and whose disk
 * fails in between. Every text has a number of its own, so that the model is a set of texts.
 */
export function simulateNotes(seed: number, given?: readonly number[]): Promise<Simulated> {
  return live(seed, given, (choices) => new NoteLife(choices));
}

/** What the person was told of a text. `doubtful`: the window died or failed before it said what came of it. */
type Told = 'kept' | 'gone' | 'doubtful';

class NoteLife implements Life {
  readonly trace: string[] = [];
  readonly failures: string[] = [];
  readonly outside: Outside;
  readonly #choices: Choices;
  readonly #disk: Disk;
  readonly #windows: (NoteWindow | undefined)[] = [undefined, undefined];
  readonly #told = new Map<string, Told>();
  #opened = 0;
  #texts = 0;

  constructor(choices: Choices) {
    this.#choices = choices;
    const dangers = {
      crash: choices.pick([0, 0, 60, 20]),
      failure: choices.pick([0, 0, 60, 20]),
      delay: 0,
      unreadable: choices.pick([0, 0, 60]),
    };
    this.outside = new Outside(choices, dangers, (line) => this.trace.push(`  ${line}`));
    this.#disk = new Disk(this.outside, () => undefined);
  }

  async act(): Promise<void> {
    const place = this.#choices.below(2);
    const window = this.#windows[place] ?? this.#open(place);
    const steps: readonly [() => Promise<void>, ...(() => Promise<void>)[]] = [
      () => this.#write(window),
      () => this.#write(window),
      () => this.#edit(window),
      () => this.#forget(window),
      () => this.#forget(window),
      () => this.#bringBack(window),
      async () => {
        this.trace.push(`kill -9 of ${window.name}`);
        window.die();
      },
    ];
    try {
      await this.#choices.pick(steps)();
    } catch (error) {
      if (window.faults === 0 && !window.isDead) this.failures.push(`unexpected: ${String(error)}`);
    }
    if (!window.isDead && window.faults === 0) await this.#agrees(window);
  }

  /** With nothing going wrong any more, both windows list what the person was told, and nothing else is on the disk. */
  async rest(): Promise<void> {
    for (const window of [this.#windows[0] ?? this.#open(0), this.#windows[1] ?? this.#open(1)])
      await this.#agrees(window);
    const gone = [...this.#told].flatMap(([text, told]) => (told === 'gone' ? [text] : []));
    const left = this.#disk.filesWith(gone);
    if (left.length > 0) this.failures.push(`forgotten, and there: ${left.join(', ')}`);
  }

  dispose(): void {
    for (const window of this.#windows) window?.die();
    this.#disk.dispose();
  }

  #open(place: number): NoteWindow {
    const window = new NoteWindow(`w${++this.#opened}`, this.#disk, () => {
      if (this.#windows[place] === window) this.#windows[place] = undefined;
    });
    this.#windows[place] = window;
    return window;
  }

  async #agrees(window: NoteWindow): Promise<void> {
    const faults = window.faults;
    const listed = await window.notes.list().catch((error: unknown) => {
      if (window.faults === faults && !window.isDead) this.failures.push(`unreadable: ${String(error)}`);
      return undefined;
    });
    const there = listed && new Set(listed.map(({ text }) => text));
    for (const [text, told] of there ? this.#told : []) {
      if (told === 'kept' && !there?.has(text)) this.failures.push(`${text} is lost`);
      if (told === 'gone' && there?.has(text)) this.failures.push(`${text} is back`);
    }
  }

  /** Of no other text than one may it be said that it ends with the other one's name. */
  #nextText(): string {
    return `note <${++this.#texts}>`;
  }

  /** What is said of these texts counts once the person is told; until then nothing is sure. */
  async #telling<T>(texts: Readonly<Record<string, Told>>, act: () => Promise<T>): Promise<T> {
    for (const text of Object.keys(texts)) this.#told.set(text, 'doubtful');
    const result = await act();
    for (const [text, told] of Object.entries(texts)) this.#told.set(text, told);
    return result;
  }

  async #write(window: NoteWindow): Promise<void> {
    const text = this.#nextText();
    this.trace.push(`${window.name} writes ${text}`);
    await this.#telling({ [text]: 'kept' }, () =>
      window.notes.add(text, { turnId: window.name, isAskedFor: true, after: [] }),
    );
  }

  async #edit(window: NoteWindow): Promise<void> {
    const note = await this.#some(window);
    if (!note) return;
    const text = this.#nextText();
    this.trace.push(`${window.name} makes ${note.text} ${text}`);
    await this.#telling({ [note.text]: 'gone', [text]: 'kept' }, () => window.notes.edit(note.id, text));
  }

  async #forget(window: NoteWindow): Promise<void> {
    const note = await this.#some(window);
    if (!note) return;
    this.trace.push(`${window.name} forgets ${note.text}`);
    window.forgotten.push(
      ...(await this.#telling({ [note.text]: 'gone' }, () => window.notes.forget([note.id]))),
    );
  }

  async #bringBack(window: NoteWindow): Promise<void> {
    const note = window.forgotten.pop();
    if (!note) return;
    this.trace.push(`${window.name} brings ${note.text} back`);
    await this.#telling({ [note.text]: 'kept' }, () => window.notes.restore([note]));
  }

  async #some(window: NoteWindow) {
    const listed = await window.notes.list();
    return listed[this.#choices.below(Math.max(1, listed.length))];
  }
}

class NoteWindow implements Crosser {
  readonly name: string;
  readonly notes: Notes;
  readonly forgotten: Awaited<ReturnType<Notes['forget']>>[number][] = [];
  faults = 0;
  isDead = false;
  readonly #onDeath: () => void;
  readonly #closing: (() => void)[] = [];

  constructor(name: string, disk: Disk, onDeath: () => void) {
    this.name = name;
    this.#onDeath = onDeath;
    let opened: Promise<Sqlite> | undefined;
    const connect = () => disk.connect(this, (close) => this.#closing.push(close));
    let now = 0;
    this.notes = createNotes({
      store: createNoteStore(async () => {
        opened ??= Sqlite.open(disk.file, async () => connect);
        return opened.catch((error: unknown) => {
          opened = undefined;
          throw error;
        });
      }),
      clock: () => ++now,
      log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    });
  }

  die(): void {
    if (this.isDead) return;
    this.isDead = true;
    this.#onDeath();
    for (const close of this.#closing) close();
  }
}
