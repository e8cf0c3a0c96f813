import { emptyConversation, isEmpty, withTurn } from '../changes';
import type { Change, Draft } from '../draft';
import { closeInterrupted, crashed } from '../interrupt';
import { sanitizeMessage } from '../sanitizeMessage';
import {
  StoreError,
  type ArchivedHeader,
  type MemoryState,
  type Owner,
  type RunningTurn,
  type TurnSearch,
} from '../store';
import type { ArchivedId, Conversation, ConversationId, TurnId } from '../turn';
import { evictedBy, hasEnded, viewOf, viewOfOne, type ConversationView, type MemoryLimits } from '../view';
import { createHandle } from './createHandle';
import type { ConversationHandle } from './handle';
import type { SetAside } from './home';
import { SharedState } from './sharedState';
import type { ChangeOptions, SharedStateOptions } from './sharedStateOptions';

export interface MemoryOptions extends SharedStateOptions {
  readonly activationId: string;
  readonly owner: Owner;
  /** Whether the process that owns a turn still runs. */
  readonly isAlive: (owner: Owner) => Promise<boolean>;
}

export interface ConversationMemory {
  forConversation(id: ConversationId): ConversationHandle;
  /** Reads what is stored and recovers what a crash left. Everything else waits for it. */
  load(): Promise<void>;
  /** To be awaited at the start of every request: looks at what other windows wrote, and ends what has expired. */
  refresh(): Promise<void>;
  /** All conversations that have not ended. */
  conversations(): readonly Conversation[];
  views(): ReadonlyMap<ConversationId, ConversationView>;
  /** All that is stored of one that has not ended, also what is over the limits. */
  stored(id: ConversationId): Conversation | undefined;
  /**
   * What a chat that came back with this window may show: turns that were remembered when it opened, and those that were
   * under way then in a window which is gone by now, such as the one before a reload.
   */
  fromBefore(): Promise<ReadonlySet<TurnId>>;
  /** Makes a change in one transaction. What it erases is in no file any more when this resolves. */
  change(change: Change, options?: ChangeOptions): Promise<void>;
  /** Without what was said in them, newest first. */
  archived(): Promise<readonly ArchivedHeader[]>;
  archivedConversation(id: ArchivedId): Promise<Conversation | undefined>;
  /** Looks into all that is kept; undefined where that cannot be, or would find what is no longer meant to be there. */
  search<T>(look: (search: TurnSearch) => T): Promise<T | undefined>;
  readonly canArchive: boolean;
  /** As the settings have them now. */
  limits(): MemoryLimits;
  /** Erases all conversations, remembered or archived, and what was set aside. */
  deleteAll(): Promise<void>;
  /** Damaged data that was kept, for an export. */
  setAside(): readonly SetAside[];
  /** Damaged data is kept, here or in a file: what is erased may still stand in it. */
  hasDamaged(): boolean;
  onDidChange(listener: () => void): { dispose(): void };
}

/** What is remembered of each conversation, through crashes, reloads and second windows. */
export class Memory implements ConversationMemory {
  readonly #options: MemoryOptions;
  readonly #shared: SharedState;
  readonly #listeners = new Set<() => void>();
  readonly #touched = new Map<ConversationId, number>();
  /** Turns that this window has begun: until they end, their conversations do not. */
  readonly #begun = new Map<TurnId, RunningTurn>();
  /** Those of them that go on with something: what had ended before one began does not come back by it. */
  readonly #continued = new Set<TurnId>();
  /** As it was after this change: views ask for it whenever they are drawn. */
  #archived: { readonly sequence: number; readonly headers: readonly ArchivedHeader[] } | undefined;
  readonly #fromBefore = new Set<TurnId>();
  /** In other windows, when this one opened. */
  #underWay: readonly RunningTurn[] = [];
  #loading: Promise<void> | undefined;

  constructor(options: MemoryOptions) {
    this.#options = options;
    this.#shared = new SharedState({
      ...options,
      activeAt: (id) => this.#activeAt(id),
      onChange: () => this.#emit(),
    });
  }

  get state(): MemoryState {
    return this.#shared.now;
  }

  forConversation(id: ConversationId): ConversationHandle {
    return createHandle(id, this, this.#options);
  }

  load(): Promise<void> {
    this.#loading ??= this.#loadNow();
    return this.#loading;
  }

  async #loadNow(): Promise<void> {
    await this.#shared.load();
    await this.#settle();
    this.#underWay = [...this.state.running.values()];
    for (const { id } of this.conversations()) {
      const { turns = [], summarized = [] } = this.stored(id) ?? {};
      for (const turn of [...turns, ...summarized]) this.#fromBefore.add(turn.id);
    }
  }

  async fromBefore(): Promise<ReadonlySet<TurnId>> {
    await this.load();
    const dead = await this.#deadAmong(this.#underWay);
    for (const { id } of dead) this.#fromBefore.add(id);
    this.#underWay = this.#underWay.filter((turn) => !dead.includes(turn));
    return this.#fromBefore;
  }

  async refresh(): Promise<void> {
    await this.load();
    const now = this.#options.clock();
    // A clock that was ahead when the message came (F28).
    for (const [id, at] of this.#touched) if (at > now) this.#touched.set(id, now);
    await this.#shared.refresh();
    await this.#settle();
  }

  conversations(): readonly Conversation[] {
    return Array.from(this.views().values(), ({ conversation }) => conversation);
  }

  views(): ReadonlyMap<ConversationId, ConversationView> {
    return viewOf(this.#activeState(), this.#options.settings(), this.#options.clock());
  }

  /** The same for one of them, without a look at the others. */
  view(id: ConversationId): ConversationView | undefined {
    const { settings, clock } = this.#options;
    const known = this.stored(id);
    return known && !isEmpty(known) ? viewOfOne(known, settings(), clock()) : undefined;
  }

  stored(id: ConversationId): Conversation | undefined {
    const { settings, clock } = this.#options;
    const state = this.#activeState();
    const known = state.conversations.get(id);
    return known && !hasEnded(known, state, settings(), clock()) ? known : undefined;
  }

  /** A message has come: what has not expired by now goes on, however long it takes until its turn begins. */
  touch(id: ConversationId): void {
    if (this.stored(id)) this.#touched.set(id, this.#options.clock());
  }

  beginTurn(turn: RunningTurn): void {
    const { conversation } = turn;
    const isAlive = this.stored(conversation) !== undefined;
    if (isAlive || !this.state.conversations.has(conversation)) this.#begun.set(turn.id, turn);
    if (isAlive) this.#continued.add(turn.id);
    // From here on the turn keeps it alive, and then the time of its end counts, in every window.
    this.#touched.delete(conversation);
  }

  endTurn(id: TurnId): void {
    this.#begun.delete(id);
    this.#continued.delete(id);
  }

  async change(change: Change, options?: ChangeOptions): Promise<void> {
    await this.load();
    await this.#shared.commit(change, options);
  }

  async archived(): Promise<readonly ArchivedHeader[]> {
    await this.load();
    const { sequence } = this.#shared;
    if (this.#archived?.sequence !== sequence) {
      const headers = await this.#shared.read((database) => database.archived(), undefined);
      // What could not be read just now is looked for again.
      this.#archived = headers && { sequence, headers };
    }
    return this.#archived?.headers ?? [];
  }

  async archivedConversation(id: ArchivedId): Promise<Conversation | undefined> {
    await this.load();
    return this.#shared.read((database) => database.archivedConversation(id), undefined);
  }

  async search<T>(look: (search: TurnSearch) => T): Promise<T | undefined> {
    await this.load();
    return this.#shared.search(look);
  }

  limits(): MemoryLimits {
    return this.#options.settings();
  }

  get canArchive(): boolean {
    return this.#shared.hasDatabase && this.#options.settings().archiveSize > 0;
  }

  async deleteAll(): Promise<void> {
    await this.load();
    await this.#shared.eraseAll();
    // Nobody is to be told that all is erased while it stands in a file.
    if (this.#shared.isDue) throw new StoreError('failed');
  }

  setAside(): readonly SetAside[] {
    return this.#shared.aside();
  }

  hasDamaged(): boolean {
    return this.#shared.hasDamaged;
  }

  onDidChange(listener: () => void): { dispose(): void } {
    this.#listeners.add(listener);
    return { dispose: () => this.#listeners.delete(listener) };
  }

  /** Recovers turns of windows that died, ends what has expired, and lets lowered limits hold. */
  async #settle(): Promise<void> {
    // What is written lets see turns of windows that died, and without those a conversation may have expired.
    for (let looks = 0; looks < 3; looks++) {
      const dead = await this.#deadAmong([...this.state.running.values()]);
      if (dead.length === 0 && !this.#shared.isDue && !this.#isOverdue()) return;
      let recovered = 0;
      await this.#shared.commit((draft) => void (recovered = recover(draft, dead)));
      if (recovered > 0) this.#options.log.info(`memory: recovered ${recovered} interrupted turn(s)`);
      // Where nothing can be written, nothing more comes of it.
      if (this.#shared.isDue) return;
    }
  }

  /** Those whose process is gone. */
  async #deadAmong(turns: readonly RunningTurn[]): Promise<readonly RunningTurn[]> {
    const { owner, isAlive } = this.#options;
    const others = turns.filter(
      (turn) => turn.owner.pid !== owner.pid || turn.owner.startedAt !== owner.startedAt,
    );
    const alive = await Promise.all(others.map((turn) => isAlive(turn.owner)));
    return others.filter((_, index) => !alive[index]);
  }

  /** Something has expired, a limit was lowered, or a clock was ahead. */
  #isOverdue(): boolean {
    const { settings, clock } = this.#options;
    const [state, limits, now] = [this.#activeState(), settings(), clock()];
    return [...state.conversations.values()].some(
      (one) =>
        one.lastActive > now ||
        hasEnded(one, state, limits, now) ||
        (limits.whenFull === 'drop' && evictedBy(one, limits).length > 0),
    );
  }

  #activeAt(id: ConversationId): number {
    const isContinued = [...this.#begun.values()].some(
      (turn) => turn.conversation === id && this.#continued.has(turn.id),
    );
    return isContinued ? this.#options.clock() : (this.#touched.get(id) ?? 0);
  }

  /** With the times of messages that have come, and the turns that have begun here. */
  #activeState(): MemoryState {
    const { conversations, running } = this.state;
    if (this.#touched.size + this.#begun.size === 0) return this.state;
    const active = Array.from(conversations, ([id, one]) => {
      const lastActive = Math.max(one.lastActive, this.#touched.get(id) ?? 0);
      return [id, lastActive === one.lastActive ? one : { ...one, lastActive }] as const;
    });
    return { conversations: new Map(active), running: new Map([...this.#begun, ...running]) };
  }

  /** What others do with the news cannot stop a save. */
  #emit(): void {
    for (const listener of this.#listeners) {
      try {
        listener();
      } catch (cause) {
        this.#options.log.error('memory: a listener failed', cause);
      }
    }
  }
}

/** A turn whose window died is an interrupted one; nothing is left of it when no tool had returned (M7). */
function recover(draft: Draft, dead: readonly RunningTurn[]): number {
  let recovered = 0;
  for (const { id } of dead) {
    const turn = draft.running.get(id);
    if (!turn) continue;
    draft.setRunning(id, undefined);
    // Judged by role, not content: an unreadable tool result still proves that the round was completed.
    if (!turn.messages.slice(1).some(({ role }) => role === 'user')) continue;
    const { conversation, order, activation, at, owner: _owner, messages, ...rest } = turn;
    const known = draft.conversations.get(conversation) ?? emptyConversation(conversation, id, at);
    // What was finished stays so, whatever else was left of it.
    if (known.turns.some((one) => one.id === id && one.outcome === 'finished')) continue;
    const readable = messages.flatMap((message) => sanitizeMessage(message) ?? []);
    const closed = closeInterrupted(readable, crashed);
    const finished = { ...rest, endedAt: at, outcome: 'interrupted', messages: closed } as const;
    draft.put(
      conversation,
      withTurn(known, finished, { order, activation, now: Math.max(at, known.lastActive) }),
      'rewind',
    );
    recovered++;
  }
  return recovered;
}

export function createMemory(options: MemoryOptions): ConversationMemory {
  return new Memory(options);
}
