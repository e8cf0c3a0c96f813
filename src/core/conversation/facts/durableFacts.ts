import type { Clock, Journal, Log } from '../../ports';
import type { MemoryLimits } from '../retention';
import { SerialQueue } from '../serialQueue';
import type { Conversation, ConversationId, FoundValues, LeaveReason, StoredTurn, TurnId } from '../turn';
import { holdBounds, turnsOverLimits } from './bounds';
import { applyFacts, factOf, tellDepartures, type Departure } from './departures';
import { Expiry } from './expiry';
import type { Fact } from './fact';
import { Facts } from './facts';
import { LatestWrite } from './latestWrite';
import { LeftFiles } from './leftFiles';
import type { MemoryProblem, MemoryStore } from './memoryStore';
import { applyNews, isOursToRemove, OtherWindows, type FileNews } from './otherWindows';
import { Outages } from './outages';
import { OwnFile } from './ownFile';
import { nextRound, type RunningTurn } from './runningTurns';
import { SizeBound } from './sizeBound';

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
  readonly expiry: Expiry;
  /** What turns that run have found under the names of params that they changed. */
  readonly found = new Map<TurnId, FoundValues>();
  readonly #options: DurableFactsOptions;
  readonly #queue = new SerialQueue();
  readonly #sizeBound = new SizeBound();
  readonly #storeWrite = new LatestWrite(() => this.#store());
  readonly #ownFile: OwnFile;
  readonly #others: OtherWindows | undefined;
  readonly #leftFiles: LeftFiles;
  readonly #outages: Outages;
  #facts = new Facts();
  #loaded: Promise<void> | undefined;
  #isTidying = false;

  constructor(options: DurableFactsOptions) {
    this.#options = options;
    const facts = () => this.#facts;
    this.expiry = new Expiry({ ...options, facts, onDepartures: (left) => this.#tellLeft(left) });
    this.#outages = new Outages(options);
    this.#others = options.journal && new OtherWindows(options.journal);
    this.#ownFile = new OwnFile({
      journal: options.journal,
      facts,
      onOutcome: (failure) => this.#outages.note('journal-failed', failure),
    });
    this.#leftFiles = new LeftFiles({
      ...options,
      ownFile: this.#ownFile,
      facts,
      hasUnsavedAside: () => options.store.hasUnsavedAside,
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
      const departures = applyFacts(this.#facts, facts, reason);
      await this.#settle(facts);
      this.#tellLeft(departures);
    });
  }

  /** A commit after a look at the other windows; then no file that is ours to change holds what was removed. */
  erase(build: (facts: Facts) => readonly Fact[], reason: LeaveReason): Promise<void> {
    return this.#enqueue(async () => {
      const news = await this.#refreshNow();
      const facts = build(this.#facts);
      const departures = applyFacts(this.#facts, facts, reason);
      if (facts.length > 0) await this.#settle(facts);
      await this.#storeWrite.request();
      this.#tellLeft(departures);
      if (!(await this.#ownFile.rewrite())) return;
      await this.#leftFiles.remove(news.filter(isOursToRemove).map(({ name }) => name));
    });
  }

  /** Puts the latest round of a running turn into the write-ahead file. */
  record(turn: RunningTurn): Promise<void> {
    return this.#enqueue(async () => {
      // A round that comes in after the end of its turn must not bring it back.
      if (!this.expiry.begun(turn.id)) return;
      await this.#ownFile.append([nextRound(this.#ownFile.running(turn.id), turn)]);
    });
  }

  /** The turn ended: nothing is left of it but what was committed. */
  end(conversation: ConversationId, id: TurnId): Promise<void> {
    return this.#enqueue(async () => {
      this.expiry.end(id);
      this.found.delete(id);
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
    const loadedAt = this.#options.clock();
    for (const problem of problems) this.#options.onProblem(problem);
    // From here on other windows know of this one, and remove nothing that it might not have seen.
    await this.#ownFile.append([]);
    const { news, learnt, hasChanged, redundant } = await this.#readOthers();
    this.#leftFiles.noteAtLoad(news, redundant, loadedAt);
    const facts = [...learnt, ...(await this.expiry.endExpired())];
    if (hasChanged || facts.length > 0 || this.#options.store.hasUnsavedAside) await this.#settle(facts);
    else this.#options.onChange();
    // Every window that was opened and never used leaves one.
    await this.#leftFiles.remove(redundant.filter((file) => file.isEmpty).map(({ name }) => name));
  }

  async #refreshNow(): Promise<readonly FileNews[]> {
    const { news, learnt, hasChanged } = await this.#readOthers();
    const facts = [...learnt, ...(await this.expiry.endExpired())];
    const isUnsettled =
      this.#options.store.hasUnsavedAside ||
      turnsOverLimits(this.#facts, this.#options.settings()).length > 0;
    if (hasChanged || facts.length > 0 || isUnsettled) await this.#settle(facts);
    await this.#leftFiles.removeRedundant();
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
      this.#outages.note('store-failed', undefined);
    } catch (cause) {
      this.#outages.note('store-failed', { cause });
    }
  }

  #tellLeft(departures: readonly Departure[]): void {
    tellDepartures(departures, this.#options.onLeft);
  }

  async #readOthers() {
    const { log, store, onProblem } = this.#options;
    const news = await this.#news();
    const outcome = applyNews(this.#facts, news);
    const { recoveredCount } = outcome;
    if (recoveredCount > 0) log.info(`memory: recovered ${recoveredCount} interrupted turn(s)`);
    for (const { key, text } of news.flatMap((file) => file.damagedLines)) {
      const problem = store.setAside({ what: 'a line of a write-ahead file', data: text }, key);
      if (problem) onProblem(problem);
    }
    return { news, ...outcome };
  }

  async #news(): Promise<readonly FileNews[]> {
    try {
      return (await this.#others?.news()) ?? [];
    } catch (cause) {
      this.#outages.note('journal-failed', { cause });
      return [];
    }
  }
}
