import { Draft, type Change } from '../draft';
import type { Unwritten } from '../savedForm';
import { SerialQueue } from '../serialQueue';
import {
  emptyState,
  StoreError,
  type Commit,
  type MemoryDatabase,
  type MemoryState,
  type TurnSearch,
} from '../store';
import type { TurnId } from '../turn';
import { Home, type SetAside } from './home';
import { OlderImport } from './olderImport';
import { notStored, problemOf, Problems } from './problems';
import type { ChangeOptions, SharedStateOptions, Watching } from './sharedStateOptions';

/** While another window or a backup holds the database: together longer than anybody holds it. */
const busyTries = 60;
const busyWaitMs = 100;

/** Names of erased turns that there is room for in VS Code's state. */
const maxErased = 100;

/**
 * What all windows remember together. The database gives them one order; each keeps the state as it last saw it, so that
 * reading waits for nobody. A change that cannot be written counts in this window, and is written with the next one.
 */
export class SharedState {
  readonly #options: SharedStateOptions & Watching;
  readonly #home: Home;
  readonly #queue = new SerialQueue();
  readonly #problems: Problems;
  #database: MemoryDatabase | undefined;
  #state: MemoryState = emptyState;
  #sequence = 0;
  /**
   * What this window last had in common with others, and its number: what could not be written since is not in it. Where
   * it comes from VS Code's state, `since` is the change that all of it came after, unless something was erased.
   */
  #base: Base = { state: emptyState, number: 0 };
  /** That is newer than the database, and takes the place of what is there with the next change. */
  #isAhead = false;
  #pending: readonly Change[] = [];
  readonly #older: OlderImport;
  /** There is no database, or none that we may touch. */
  #isOff = false;
  /** Why the last change could not be written. */
  #failure: StoreError['kind'] | undefined;
  /** What was erased here and is not yet erased in the database. */
  #erasing: Erasing | undefined;
  /** Bytes of what was erased may still be in a file. */
  #isScrubDue = false;
  /** VS Code's state could not be written. */
  #isSaveDue = false;

  constructor(options: SharedStateOptions & Watching) {
    this.#options = options;
    this.#home = new Home(options);
    this.#problems = new Problems(options);
    this.#older = new OlderImport(options, this.#home, this.#problems);
  }

  get now(): MemoryState {
    return this.#state;
  }

  /** Something is still to be written or overwritten. */
  get isDue(): boolean {
    return this.#isUnwritten || (this.#isScrubDue && !this.#isOff);
  }

  get #isUnwritten(): boolean {
    return this.#pending.length > 0 || this.#isAhead;
  }

  /** The number of the change that the state was read after. */
  get sequence(): number {
    return this.#sequence;
  }

  get hasDatabase(): boolean {
    return this.#database !== undefined;
  }

  async load(): Promise<void> {
    const home = this.#home.load();
    for (const problem of home.problems) this.#problems.tell(problem);
    const conversations = new Map(home.conversations.map((one) => [one.id, one]));
    this.#agreeOn({
      state: { ...emptyState, conversations },
      number: home.sequence,
      since: home.unwritten?.since,
      erased: home.unwritten?.erased,
    });
    await this.#untilFree(() => this.#connect());
    const older = await this.#older.read(home.older);
    if (older) await this.commit((draft) => draft.adopt(older));
    const isBehind = this.#sequence !== home.sequence || home.unwritten !== undefined;
    if (isBehind || this.#home.hasUnsavedAside) await this.#save();
  }

  /** Looks whether other windows have written. */
  refresh(): Promise<void> {
    const before = this.#sequence;
    return this.read((database) => {
      const isNew = !this.#isAhead && database.hasNews() && !this.#isAheadOf(database);
      if (isNew) this.#follow(database);
      if (isNew || this.#sequence !== before) this.#options.onChange();
      else if (!this.#isSaveDue) return;
      void this.#save();
    }, undefined);
  }

  /** What could not be written here is made again on what others have written. */
  #follow(database: MemoryDatabase): void {
    this.#agreeOn(database.read());
    if (this.#pending.length === 0) return;
    const draft = this.#draftOf(this.#state);
    draft.endExpired();
    for (const change of this.#pending) this.#replay(change, draft);
    this.#state = draft.state;
    this.#sequence++;
  }

  #draftOf(state: MemoryState): Draft {
    return new Draft(state, {
      limits: this.#options.settings(),
      now: this.#options.clock(),
      after: this.#sequence,
      maxBytes: this.#home.room,
      activeAt: this.#options.activeAt,
    });
  }

  commit(change: Change, options: ChangeOptions = {}): Promise<void> {
    return this.#queue.run(() => this.#commit(change, options));
  }

  read<T>(read: (database: MemoryDatabase) => T, otherwise: T): Promise<T> {
    return this.#queue.run(async () => {
      const found = await this.#untilFree(async () => {
        // One that could not be opened before may be there now.
        const database = await this.#connect();
        return { value: database ? read(database) : otherwise };
      });
      return found ? found.value : otherwise;
    });
  }

  /** Not while a change waits to be written: it may have erased what would be found. */
  search<T>(look: (search: TurnSearch) => T): Promise<T | undefined> {
    return this.read<T | undefined>(
      (database) => (this.#isUnwritten ? undefined : look(database.search)),
      undefined,
    );
  }

  /** Erases all that there is, also what is not remembered. */
  async eraseAll(): Promise<void> {
    await this.commit((draft) => draft.eraseAll(), { isErasing: true });
    await this.#queue.run(async () => {
      const isErased = await this.#untilFree(async () => {
        this.#database?.eraseAll();
        // Another window may have written something in between that is gone by it, too.
        if (this.#database) this.#agreeOn(this.#database.read());
        return true;
      });
      if (!isErased) throw new StoreError(this.#failure ?? 'failed');
      await this.#save();
    });
    await this.#home.dropAside();
    this.#options.onChange();
  }

  aside(): readonly SetAside[] {
    return this.#home.aside();
  }

  get hasDamaged(): boolean {
    if (this.aside().length > 0) return true;
    try {
      return this.#database?.hasDamaged() === true;
    } catch (cause) {
      // With the disk, what was set aside on it is gone, too.
      this.#options.log.error('memory: nobody knows what was set aside', cause);
      return false;
    }
  }

  /** Opens the database, unless there is none. Of the state and the database, the greater number counts as a whole. */
  async #connect(): Promise<MemoryDatabase | undefined> {
    if (this.#database || this.#isOff) return this.#database;
    try {
      const database = await this.#options.open();
      this.#isOff = database === undefined;
      if (!database) return undefined;
      if (!this.#isAheadOf(database) && this.#pending.length === 0) this.#agreeOn(database.read());
      this.#database = database;
    } catch (error) {
      if (error instanceof StoreError && error.kind === 'busy') throw error;
      this.#failed(error);
    }
    return this.#database;
  }

  /** Also when another file has taken the place of the one that was open. */
  #isAheadOf(database: MemoryDatabase): boolean {
    const { state, number } = this.#base;
    // A new one has nothing, whatever became of the number of the state.
    const isNew = database.sequence() === 0 && state.conversations.size > 0;
    this.#isAhead = isNew || database.sequence() < number;
    // What goes by it may have been erased.
    if (this.#isAhead) this.#isScrubDue = true;
    return this.#isAhead;
  }

  #agreeOn(base: Base): void {
    this.#state = base.state;
    this.#sequence = base.number;
    this.#base = base;
  }

  async #commit(change: Change, options: ChangeOptions): Promise<void> {
    const before = this.#state;
    this.#failure = undefined;
    const build = (state: MemoryState, isWritten: boolean): Draft => {
      const draft = this.#draftOf(state);
      if (isWritten && this.#database && this.#isAheadOf(this.#database))
        draft.replaceAll(this.#base.state.conversations, {
          isErasing: (this.#base.since ?? Infinity) > this.#database.sequence(),
          erased: this.#base.erased ?? [],
        });
      draft.endExpired();
      for (const one of isWritten ? this.#pending : []) this.#replay(one, draft);
      if (this.#pending.length > 0) draft.endExpired();
      change(draft);
      draft.holdLimits();
      return draft;
    };
    const isErasing = (options.isErasing ?? false) || this.#erasing !== undefined;
    const committed = await this.#write((state) => build(state, true), { ...options, isErasing });
    if (committed) this.#erasing = undefined;
    else {
      const draft = build(this.#state, false);
      this.#state = draft.state;
      if (options.isErasing) this.#erasing = erasingOf(draft, options, this.#erasing);
      if (!this.#isOff) this.#pending = [...this.#pending, change];
      // It counts more than what is there, but never more than what another window could write since.
      if (this.#isOff) this.#sequence++;
      else if (this.#failure !== 'busy') this.#sequence = this.#nextUnwritten;
    }
    const isChanged = this.#state !== before;
    if (isErasing && (isChanged || committed)) this.#isScrubDue = true;
    if (!isChanged && !this.#isScrubDue) return;
    if (isChanged) this.#options.onChange();
    const saved = this.#save();
    if (!this.#isScrubDue) return;
    await saved;
    if (committed) this.#scrub();
  }

  /** One after what all windows have in common: the state that was loaded may hold more that could not be written. */
  get #nextUnwritten(): number {
    const { number, since = number } = this.#base;
    return Math.max(number, since + 1);
  }

  /** With the limits held after it, as then. One that can no longer be made must not stop those after it. */
  #replay(change: Change, draft: Draft): void {
    try {
      change(draft);
      draft.holdLimits();
    } catch (cause) {
      this.#options.log.error('memory: a change could not be made again', cause);
    }
  }

  /** Nothing when it could not be written. */
  async #write(build: (state: MemoryState) => Draft, options: ChangeOptions): Promise<Commit | undefined> {
    const keep = { archiveSize: this.#options.settings().archiveSize, ...options };
    const committed = await this.#untilFree(async () => {
      const database = await this.#connect();
      const written = database?.commit(this.#base.state, build, keep);
      if (written) this.#agreeOn({ state: written.commit.state, number: written.number });
      return written?.commit;
    });
    if (!committed) return undefined;
    this.#isAhead = false;
    this.#pending = [];
    this.#problems.end('database-failed');
    await this.#older.remove();
    return committed;
  }

  /** While another process holds the database, it is tried again; nothing when it cannot be done. */
  async #untilFree<T>(job: () => Promise<T>): Promise<T | undefined> {
    for (let tries = 1; ; tries++) {
      try {
        return await job();
      } catch (error) {
        if (!(error instanceof StoreError)) throw error;
        const isBusy = error.kind === 'busy' && tries < busyTries;
        if (isBusy) await this.#options.wait(busyWaitMs);
        else this.#failed(error);
        // A new one takes the place of a damaged one.
        if (!isBusy && !(error.kind === 'damaged' && tries === 1)) return undefined;
      }
    }
  }

  #failed(error: unknown): void {
    if (!(error instanceof StoreError)) throw error;
    this.#failure = error.kind;
    this.#options.log.error(`memory: the database is ${error.kind}`, error);
    if (error.kind === 'newer') this.#isOff = true;
    // A new one begins with what this window has.
    if (error.kind === 'damaged') this.#database = undefined;
    this.#problems.tell(problemOf(error));
  }

  get #unwritten(): Unwritten | undefined {
    if (!this.#isUnwritten) return undefined;
    const { number, since, erased = [] } = this.#base;
    const { turns = [], isMore = false } = this.#erasing ?? {};
    const all = [...(this.#isAhead ? erased : []), ...turns];
    return {
      since: isMore ? undefined : this.#isAhead ? since : number,
      ...(all.length > 0 && { erased: all }),
    };
  }

  #scrub(): void {
    try {
      this.#database?.scrub();
      this.#isScrubDue = false;
    } catch (cause) {
      // With the next change, then.
      this.#options.log.error('memory: what was erased could not be overwritten yet', cause);
    }
  }

  async #save(): Promise<void> {
    try {
      await this.#home.save(this.#state.conversations.values(), this.#sequence, this.#unwritten);
      this.#isSaveDue = false;
      this.#problems.end('store-failed');
    } catch (cause) {
      // With the next look, then: what it still holds may have been erased.
      this.#isSaveDue = true;
      this.#options.log.error('memory: store-failed', cause);
      this.#problems.tell(notStored());
    }
  }
}

interface Base {
  readonly state: MemoryState;
  readonly number: number;
  readonly since?: number | undefined;
  readonly erased?: readonly TurnId[] | undefined;
}

interface Erasing {
  readonly turns: readonly TurnId[];
  /** More than turns that are known by name: conversations with all that was cut from them, or values. */
  readonly isMore: boolean;
}

function erasingOf(draft: Draft, { isByName = false }: ChangeOptions, before?: Erasing): Erasing {
  const turns = [...(before?.turns ?? []), ...draft.forgotten];
  const isMore = (before?.isMore ?? false) || !isByName || turns.length > maxErased;
  return { turns: isMore ? [] : turns, isMore };
}
