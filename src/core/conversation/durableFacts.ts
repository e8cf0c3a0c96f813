import type { Clock, Journal, Log } from '../ports';
import { factOf, holdBounds, turnsOverLimits, type Departure } from './bounds';
import { factsOfEnd, subjectOf, type Fact, type GoneFact } from './fact';
import { Facts } from './facts';
import { LatestWrite } from './latestWrite';
import type { MemoryProblem, MemoryStore } from './memoryStore';
import { applyNews, OtherWindows, removedElsewhere, type FileNews } from './otherWindows';
import { OwnFile } from './ownFile';
import { isExpired, notInFuture, type MemoryLimits } from './retention';
import { nextRound, type RunningTurn } from './runningTurns';
import { SerialQueue } from './serialQueue';
import { SizeBound } from './sizeBound';
import type { Conversation, ConversationId, LeaveReason, StoredTurn, TurnId } from './turn';

/** After this long, what an earlier activation stored is certainly on the disk: VS Code takes about 100 ms. */
const settleMs = 2_000;

export interface DurableFactsOptions {
  readonly store: MemoryStore;
  /** Without one, as in a window that has no folder to write to, only the store remembers. */
  readonly journal: Journal | undefined;
  readonly clock: Clock;
  readonly settings: () => MemoryLimits;
  readonly log: Log;
  readonly onProblem: (problem: MemoryProblem) => void;
  readonly onChange: () => void;
  /** These are no longer remembered. What other windows removed, they tell themselves. */
  readonly onLeft: (conversation: ConversationId, turns: readonly StoredTurn[], reason: LeaveReason) => void;
  /** Keeps a conversation that expired, before it is no longer remembered. */
  readonly archive: (conversation: Conversation) => Promise<void>;
}

/**
 * What is remembered, in step with the store and with the write-ahead files (M6, M8). The store alone promises little:
 * an update is on the disk some 100 ms later, and of two windows the last writer wins. So:
 *
 * 1. Every change is a fact. It is appended to this activation's own file and synced, and so acknowledged; the store
 *    follows at once, behind the person's back, because it rewrites all there is with every change. What is erased is
 *    acknowledged when the store has it too, and so is all that the file could not take. Facts may be applied twice and
 *    in any order.
 * 2. Nobody writes to the file of another. At the start of every request the new lines of the others' files are read.
 * 3. A removal is a fact too: what was cleared, forgotten or dropped does not come back from another file or store.
 * 4. A running turn is in the file after each round. Only when its owner is certainly gone is it taken over, as an
 *    interrupted turn under the same id.
 * 5. The file of an owner that is gone is removed when all it says was in the store that this activation began with
 *    and has had the time to reach the disk, and no window was or is there that could store something older; or when
 *    our own file, synced, says all of it.
 * 6. Own lines leave only when the file is rewritten as all that is remembered, known to be gone, or running.
 * 7. Whatever fails, the change holds in memory, is told once, and goes out with the next write that succeeds.
 */
export class DurableFacts {
  readonly #options: DurableFactsOptions;
  readonly #queue = new SerialQueue();
  readonly #sizeBound = new SizeBound();
  readonly #storeWrite = new LatestWrite(() => this.#store());
  readonly #ownFile: OwnFile;
  readonly #others: OtherWindows | undefined;
  readonly #outages = new Set<MemoryProblem['kind']>();
  readonly #begun = new Map<TurnId, BegunTurn>();
  #facts = new Facts();
  #loaded: Promise<void> | undefined;
  #loadedAt = 0;
  #isTidying = false;
  /** Rule 5: files that said nothing new when this activation began, and the removals that go with them. */
  #redundantFiles: ReadonlySet<string> = new Set();
  #goneAtLoad: ReadonlySet<GoneFact> = new Set();
  /** Removals that must outlast these files: what they remove is told by another file, which may go later. */
  #goneElsewhere: ReadonlySet<GoneFact> = new Set();

  constructor(options: DurableFactsOptions) {
    this.#options = options;
    this.#others = options.journal && new OtherWindows(options.journal);
    this.#ownFile = new OwnFile({
      journal: options.journal,
      facts: () => this.#facts,
      onOutcome: (failure) => this.#note('journal-failed', failure),
    });
  }

  get facts(): Facts {
    return this.#facts;
  }

  /** Reads what is stored, once; all other calls wait for it. */
  load(): Promise<void> {
    this.#loaded ??= this.#queue.run(() => this.#loadNow());
    return this.#loaded;
  }

  /** Learns what other windows did, ends what has expired, and tidies up. */
  refresh(): Promise<void> {
    return this.#enqueue(async () => {
      await this.#refreshNow();
    });
  }

  /** A refresh in its own time, for a reader that has noticed something. */
  tidySoon(): void {
    if (this.#isTidying) return;
    this.#isTidying = true;
    this.refresh()
      .catch((cause: unknown) => this.#options.log.error('memory: tidying failed', cause))
      .finally(() => (this.#isTidying = false));
  }

  /** Makes facts true, here and after a crash. They are built when their turn has come. */
  commit(build: (facts: Facts) => readonly Fact[], reason: LeaveReason = 'forgotten'): Promise<void> {
    return this.#enqueue(async () => {
      const facts = build(this.#facts);
      if (facts.length === 0) return;
      const departures = this.#apply(facts, reason);
      await this.#settle(facts);
      this.#tellLeft(departures);
    });
  }

  /** A commit after a look at the other windows; then no file that is ours to change holds what was removed. */
  erase(build: (facts: Facts) => readonly Fact[], reason: LeaveReason): Promise<void> {
    return this.#enqueue(async () => {
      const news = await this.#refreshNow();
      const facts = build(this.#facts);
      const departures = this.#apply(facts, reason);
      if (facts.length > 0) await this.#settle(facts);
      await this.#storeWrite.request();
      this.#tellLeft(departures);
      if (!(await this.#ownFile.rewrite())) return;
      await this.#removeFiles(news.filter(isOursToRemove).map(({ name }) => name));
    });
  }

  /** Until the turn ends its conversation does not expire, unless it had already. */
  begin(conversation: ConversationId, id: TurnId, order: number): void {
    const now = this.#options.clock();
    const known = this.#facts.conversations.get(conversation);
    const isAlive = !known || !isExpired(known, this.#options.settings(), now);
    this.#begun.set(id, { conversation, order, isAlive });
    if (isAlive) this.#facts.touch(conversation, now);
  }

  begun(id: TurnId): BegunTurn | undefined {
    return this.#begun.get(id);
  }

  hasExpired(conversation: Conversation): boolean {
    if (!isExpired(conversation, this.#options.settings(), this.#options.clock())) return false;
    return ![...this.#begun.values()].some((turn) => turn.isAlive && turn.conversation === conversation.id);
  }

  /** Puts the latest round of a running turn into the write-ahead file. */
  record(turn: RunningTurn): Promise<void> {
    return this.#enqueue(async () => {
      // A round that comes in after the end of its turn must not bring it back.
      if (!this.#begun.has(turn.id)) return;
      await this.#ownFile.append([nextRound(this.#ownFile.running(turn.id), turn)]);
    });
  }

  /** The turn ended: nothing is left of it but what was committed. */
  end(conversation: ConversationId, id: TurnId): Promise<void> {
    return this.#enqueue(async () => {
      this.#begun.delete(id);
      if (this.#ownFile.running(id)) await this.#ownFile.append([{ kind: 'abandoned', conversation, id }]);
    });
  }

  async #enqueue<T>(job: () => Promise<T>): Promise<T> {
    await this.load();
    return this.#queue.run(job);
  }

  async #loadNow(): Promise<void> {
    const { conversations, problems } = this.#options.store.load();
    this.#facts = new Facts(conversations);
    this.#loadedAt = this.#options.clock();
    for (const problem of problems) this.#options.onProblem(problem);
    // From here on other windows know of this one, and remove nothing that it might not have seen.
    await this.#ownFile.append([]);
    const { news, learnt, hasChanged, redundant } = await this.#readOthers();
    // A window that was there before this one may still store what it knew before these files were written.
    const isAlone = !news.some((file) => file.isOwnerAlive);
    this.#redundantFiles = new Set(isAlone ? redundant.map(({ name }) => name) : []);
    const elsewhere = removedElsewhere(news);
    const gone = [...this.#facts.gone];
    this.#goneElsewhere = new Set(gone.filter((fact) => elsewhere.has(subjectOf(fact))));
    this.#goneAtLoad = new Set(gone.filter((fact) => !elsewhere.has(subjectOf(fact))));
    const facts = [...learnt, ...(await this.#endExpired())];
    if (hasChanged || facts.length > 0 || this.#options.store.hasUnsavedAside) await this.#settle(facts);
    else this.#options.onChange();
    // Every window that was opened and never used leaves one.
    await this.#removeFiles(redundant.filter((file) => file.isEmpty).map(({ name }) => name));
  }

  async #refreshNow(): Promise<readonly FileNews[]> {
    const { news, learnt, hasChanged } = await this.#readOthers();
    const facts = [...learnt, ...(await this.#endExpired())];
    const isUnsettled =
      this.#options.store.hasUnsavedAside ||
      turnsOverLimits(this.#facts, this.#options.settings()).length > 0;
    if (hasChanged || facts.length > 0 || isUnsettled) await this.#settle(facts);
    await this.#removeRedundantFiles();
    return news;
  }

  /** Brings what is remembered within its bounds and then out: to the file, and behind it to the store. */
  async #settle(facts: readonly Fact[]): Promise<void> {
    const dropped = holdBounds(
      this.#facts,
      this.#sizeBound,
      this.#options.settings(),
      this.#options.store.room,
    );
    const isSafe = await this.#ownFile.append([...facts, ...dropped.map(factOf)]);
    const stored = this.#storeWrite.request();
    if (!isSafe) await stored;
    this.#options.onChange();
    this.#tellLeft(dropped);
  }

  async #store(): Promise<void> {
    try {
      await this.#options.store.save(this.#facts.conversations.values());
      this.#note('store-failed', undefined);
    } catch (cause) {
      this.#note('store-failed', { cause });
    }
  }

  async #endExpired(): Promise<readonly Fact[]> {
    const now = this.#options.clock();
    const ended: Fact[] = [];
    for (const stored of this.#facts.conversations.values()) {
      const conversation = notInFuture(stored, now);
      if (conversation !== stored) this.#facts.touch(stored.id, now);
      if (!this.hasExpired(conversation)) continue;
      await this.#archive(conversation);
      const facts = factsOfEnd(conversation, 0);
      this.#tellLeft(this.#apply(facts, 'expiry'));
      ended.push(...facts);
    }
    return ended;
  }

  /** What the archive does not take is not lost either. */
  async #archive(conversation: Conversation): Promise<void> {
    try {
      await this.#options.archive(conversation);
    } catch (cause) {
      this.#options.log.error('memory: an ended conversation could not be archived', cause);
      const what = 'an ended conversation that could not be archived';
      const problem = this.#options.store.setAside({ what, data: conversation });
      if (problem) this.#options.onProblem(problem);
    }
  }

  /** Makes these true, and says which turns left by it. */
  #apply(facts: readonly Fact[], reason: LeaveReason): readonly Departure[] {
    const departures: Departure[] = [];
    for (const fact of facts) {
      const turns = this.#facts.conversations.get(fact.conversation)?.turns ?? [];
      const turn = fact.kind === 'turn-gone' ? turns.find(({ id }) => id === fact.id) : undefined;
      if (this.#facts.apply(fact) && turn) departures.push({ conversation: fact.conversation, turn, reason });
    }
    return departures;
  }

  #tellLeft(departures: readonly Departure[]): void {
    const told = new Set<Departure>();
    for (const { conversation, reason } of departures) {
      const alike = departures.filter(
        (one) => !told.has(one) && one.conversation === conversation && one.reason === reason,
      );
      for (const one of alike) told.add(one);
      const turns = alike.map(({ turn }) => turn);
      if (turns.length > 0) this.#options.onLeft(conversation, turns, reason);
    }
  }

  async #readOthers(): Promise<OthersRead> {
    const news = await this.#news();
    const { learnt, changing } = applyNews(this.#facts, news);
    if (learnt.length > 0) this.#options.log.info(`memory: recovered ${learnt.length} interrupted turn(s)`);
    for (const { key, text } of news.flatMap((file) => file.damagedLines)) {
      const problem = this.#options.store.setAside({ what: 'a line of a write-ahead file', data: text }, key);
      if (problem) this.#options.onProblem(problem);
    }
    const redundant = news.filter((file) => isOursToRemove(file) && !changing.has(file));
    return { news, learnt, hasChanged: changing.size > 0, redundant };
  }

  async #news(): Promise<readonly FileNews[]> {
    try {
      return (await this.#others?.news()) ?? [];
    } catch (cause) {
      this.#note('journal-failed', { cause });
      return [];
    }
  }

  /** Rule 5, its first half. */
  async #removeRedundantFiles(): Promise<void> {
    const { journal, clock } = this.#options;
    if (!journal || this.#redundantFiles.size === 0 || Math.abs(clock() - this.#loadedAt) < settleMs) return;
    const others = await journal.others().catch(() => undefined);
    if (!others || others.some((file) => file.isOwnerAlive)) return;
    // One file may remove what another one says: if only one of them can go, ours knows of the removal.
    if (!(await this.#ownFile.append([...this.#goneElsewhere]))) return;
    const isAll = others.every(({ name }) => this.#redundantFiles.has(name));
    const isRemoved = await this.#removeFiles([...this.#redundantFiles]);
    // A removal that is still written down somewhere must stay known, or what comes back would not outrank it.
    if (isRemoved && isAll && !this.#ownFile.isRewritten) this.#facts.forgetGone(this.#goneAtLoad);
  }

  async #removeFiles(names: readonly string[]): Promise<boolean> {
    const { journal, store } = this.#options;
    if (!journal || store.hasUnsavedAside) return false;
    this.#redundantFiles = new Set([...this.#redundantFiles].filter((name) => !names.includes(name)));
    try {
      await Promise.all(names.map((name) => journal.remove(name)));
      return true;
    } catch (cause) {
      // A file that stays is read again and says nothing new.
      this.#options.log.warn(`memory: a write-ahead file could not be removed (${String(cause)})`);
      return false;
    }
  }

  /** Tells of an outage once; when it is over, the next one is told again. */
  #note(kind: 'store-failed' | 'journal-failed', failure: { readonly cause: unknown } | undefined): void {
    if (!failure) {
      this.#outages.delete(kind);
      return;
    }
    this.#options.log.error(`memory: ${kind}`, failure.cause);
    if (this.#outages.has(kind)) return;
    this.#outages.add(kind);
    this.#options.onProblem({ kind, message: outageMessages[kind], cause: failure.cause });
  }
}

interface BegunTurn {
  readonly conversation: ConversationId;
  readonly order: number;
  readonly isAlive: boolean;
}

interface OthersRead {
  readonly news: readonly FileNews[];
  /** What nobody had written down yet: turns of windows that died. */
  readonly learnt: readonly Fact[];
  readonly hasChanged: boolean;
  /** Files that said nothing new, of owners that are gone. */
  readonly redundant: readonly FileNews[];
}

const outageMessages = {
  'store-failed':
    'The conversation could not be stored. It goes on in this window, and storing is tried again with every turn.',
  'journal-failed':
    'The write-ahead file of the conversation could not be written. A crash now could lose the last turn; writing is tried again with every turn.',
} as const;

function isOursToRemove(file: FileNews): boolean {
  return !file.isOwnerAlive && !file.isForeign;
}
