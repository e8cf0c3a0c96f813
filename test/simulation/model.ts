import type { MemoryLimits } from '../../src/core/conversation/view';
import {
  nowhere,
  placeOf,
  toldOf,
  turnsIn,
  type Place,
  type PlacedTurn,
  type Whereabouts,
} from './whereabouts';

/** Something that the person does, from its beginning to its end, and what it may do to what is kept. */
export interface Doing {
  readonly what: string;
  /** Who does it. */
  readonly by: { readonly name: string; readonly isDead: boolean };
  /** All states that there were meanwhile, the one at its beginning included. */
  readonly seen: Whereabouts[];
  /** Turns that may begin to be remembered by it. */
  readonly adds?: (turn: string) => boolean;
  /** Turns that may be cut: the person took them back in the panel. */
  readonly cuts?: (turn: string) => boolean;
  /** Turns that may be gone for good. */
  readonly erases?: (turn: string, was: Place) => boolean;
  /** The conversation may go to the archive, or come from there. */
  readonly switches?: boolean;
  /** Turns that came into memory by it. */
  readonly added: Set<string>;
  /** Turns that were acknowledged and could not be written. */
  readonly unwritten: Set<string>;
  /** Turns that are nowhere any more by it. */
  readonly erased: Set<string>;
  /** Meanwhile another conversation took the place of the one that it is about. */
  isCrossed: boolean;
}

/**
 * What has to be true of all that is kept: a table of moves, and who may make them. It knows nothing of how things are
 * stored, only where each turn is after each change, and what people were doing meanwhile.
 */
export class Model {
  /** What was found to be wrong. */
  readonly violations: string[] = [];
  readonly #doings = new Set<Doing>();
  /** Done as far as the person knows, and not yet written: the disk was full. */
  readonly #owed = new Set<Doing>();
  readonly #isAlive: (owner: { readonly pid: number; readonly startedAt: number }) => boolean;
  /** Erased for good, as the person was told. */
  readonly gone = new Set<string>();
  /** Cut, and it is not known from which conversation: something came by way of VS Code's state, or two were joined. */
  readonly unclear = new Set<string>();
  /** Turns by the conversation they were first said in: Clear ends all of it, what was cut included. */
  readonly #lines = new Map<string, number>();
  /** Of the conversation that goes on: several when others were brought into it. */
  readonly #current = new Set<number>();
  /** What comes back from VS Code's state after the database was lost. */
  readonly #atHome = new Set<string>();
  now: Whereabouts = nowhere;

  constructor(isAlive: (owner: { readonly pid: number; readonly startedAt: number }) => boolean) {
    this.#isAlive = isAlive;
  }

  begin(doing: Plan): Doing {
    const none = { added: new Set<string>(), unwritten: new Set<string>(), erased: new Set<string>() };
    const others = [...this.#doings];
    const isCrossed = others.some(({ switches }) => switches);
    const begun = { ...doing, ...none, seen: [this.now], isCrossed };
    if (doing.switches) for (const other of others) other.isCrossed = true;
    this.#doings.add(begun);
    return begun;
  }

  /** `isWritten`: nothing went wrong meanwhile. Else it is still to come, or lost with its window. */
  end(doing: Doing, isWritten: boolean): void {
    this.#doings.delete(doing);
    if (!isWritten) this.#owed.add(doing);
  }

  fail(sentence: string): void {
    this.violations.push(sentence);
  }

  /** Whether there is something of this window that may not have been written. */
  owes(by: Doing['by']): boolean {
    return [...this.#owed].some((doing) => doing.by === by);
  }

  /** Turns that this window has acknowledged and that are in no database yet. */
  unwrittenOf(by: Doing['by']): readonly string[] {
    const own = [...this.#owed].filter((doing) => doing.by === by);
    return own.flatMap(({ unwritten }) => Array.from(unwritten));
  }

  /** The turn has asked something, and the person can answer it. */
  isAsked(doing: Doing, id: string): void {
    const isThere = toldOf(conversationId, this.now).includes(id);
    const waits = ({ live }: Whereabouts) => live.get(conversationId)?.waiting === id;
    if (isThere && !doing.seen.some(waits)) this.fail(`the question of ${id} does not wait for its answer`);
  }

  /** Something was committed. */
  changed(by: Doing['by'], after: Whereabouts, limits: MemoryLimits, clock: number): void {
    const before = this.now;
    this.now = after;
    for (const doing of this.#doings) doing.seen.push(after);
    if (after.number < before.number) this.fail(`number ${after.number} came after ${before.number}`);
    this.#followLines(before, after);
    if ([...this.#owed].some(({ unwritten }) => unwritten.size > 0)) this.cutsAreUnclear();
    // What could not be written may come by way of VS Code's state, through any window.
    const may = [...[...this.#doings].filter((doing) => doing.by === by || doing.by.isDead), ...this.#owed];
    for (const id of new Set([...turnsIn(before), ...turnsIn(after)])) {
      const [was, is] = [placeOf(id, before), placeOf(id, after)];
      if (JSON.stringify(was) !== JSON.stringify(is))
        this.#explain({ id, was, is, before, after, may, limits, clock });
    }
    this.#holdsLimits(before, after, limits);
    this.#keepsQuestion(before, after, may);
    for (const doing of this.#owed) if (doing.by === by) this.#settled(doing, may, limits);
  }

  /** Nobody knows any more from which conversation those were cut that are there now. */
  cutsAreUnclear(): void {
    for (const { ending, turns } of this.now.archived.values())
      if (ending === 'branch') for (const id of turns) this.unclear.add(id);
  }

  /** What could not be written before is written with the next change. */
  #settled(doing: Doing, may: readonly Doing[], limits: MemoryLimits): void {
    this.#owed.delete(doing);
    if (mayVanish(limits)) return;
    for (const id of doing.unwritten) {
      const place = placeOf(id, this.now);
      const asIfLive = { ...place, live: 'remembered' };
      const isTaken = may.some(({ erases, cuts }) => erases?.(id, asIfLive) || cuts?.(id));
      if (!isTaken && !isSomewhere(place)) this.fail(`${id} was said, and never written`);
    }
  }

  #explain(move: Move): void {
    const { id, was, is, before, after, may, limits } = move;
    const isRecovered =
      (was.isRunning && !is.isRunning && !this.#isOwned(id, before)) || this.#atHome.has(id);
    if (is.live !== undefined && was.live === undefined) {
      const adding = may.filter(({ adds }) => adds?.(id));
      for (const doing of adding) doing.added.add(id);
      if (adding.length === 0 && !isRecovered) this.fail(`${id} came from nowhere (${describe(was)})`);
      // Brought back from the archive in a window that could not write it down before it was deleted in another.
      if (adding.some(({ switches }) => switches)) this.gone.delete(id);
      if (this.gone.has(id)) this.fail(`${id} was erased and came back`);
    }
    if (was.live !== undefined && is.live === undefined) this.#explainLeaving(move);
    if (was.live === 'remembered' && isEvicted(is.live)) this.#explainEviction(move);
    const isErasing = may.some(({ erases }) => erases?.(id, was));
    if (isSomewhere(was) && !isSomewhere(is)) {
      for (const doing of may) if (doing.erases?.(id, was)) doing.erased.add(id);
      const isBounded = after.archived.size >= limits.archiveSize;
      // Of what was gone when something was to be erased, nobody knows any more what was meant.
      const isUnclear = this.#isBehindHome(move) && [...this.#owed].some(({ erases }) => erases);
      const isKnown = isErasing || isBounded || isUnclear || limits.archiveSize === 0;
      if (!isKnown) this.fail(`${id} is lost (${describe(was)})`);
    }
    const hasRounds = (before.running.get(id)?.rounds ?? 0) > 0;
    const isHere = may.some(({ adds, by }) => adds?.(id) && !by.isDead);
    const isDone = was.isRunning && !is.isRunning && hasRounds && !isHere;
    if (isDone && !isSomewhere(is) && !isErasing && !mayVanish(limits)) {
      this.fail(`${id} had done something when its window died, and nothing is left of it`);
    }
  }

  /** What a window could not write is in VS Code's state, which does not say why a turn is no longer in it. */
  #isBehindHome({ may }: Move): boolean {
    return may.some(({ unwritten }) => unwritten.size > 0);
  }

  #explainLeaving(move: Move): void {
    const { id, is, was, before, after, may, limits, clock } = move;
    const endings = is.archived.flatMap((key) =>
      was.archived.includes(key) ? [] : (after.archived.get(key)?.ending ?? []),
    );
    const isBranch = endings.includes('branch') || limits.archiveSize === 0;
    const isMeant = ({ cuts, erases, switches }: Doing) =>
      (cuts?.(id) && isBranch) || erases?.(id, was) || switches;
    if (may.some(isMeant) || (isEvicted(was.live) && is.archived.length > 0)) return;
    const found = [...before.live].find(([, { turns }]) => turns.some((turn) => turn.id === id));
    const lastActive = found?.[1].lastActive ?? 0;
    const isOver = limits.timeoutSeconds > 0 && clock - lastActive > limits.timeoutSeconds * 1000;
    const isBusy = [...before.running.values()].some(
      ({ conversation, owner }) => conversation === found?.[0] && this.#isAlive(owner),
    );
    const isKept = endings.includes('ended') || limits.archiveSize === 0;
    if (isOver && !isBusy && isKept) return;
    // Where nothing is kept, what is over a bound is gone.
    const isOverBound = isEvicted(was.live) || isFull(after, limits) || isLarge(before, after);
    if (limits.archiveSize === 0 && isOverBound) return;
    // What a window could not write comes by way of VS Code's state, where nothing says why a conversation is gone.
    if (this.#isBehindHome(move) || (endings.length > 0 && this.#owed.size > 0)) return;
    this.fail(
      `${id} left its conversation without a reason (${describe(is)}, ${isBusy ? 'in mid-turn' : 'idle'})`,
    );
  }

  /** Just what is over the cap, oldest first. */
  #explainEviction({ id, is, after, limits, may }: Move): void {
    if (is.live !== 'cap') return;
    const [, { turns = [] } = {}] =
      [...after.live].find(([, one]) => one.turns.some((turn) => turn.id === id)) ?? [];
    const kept = turns.filter(({ state }) => state === 'remembered');
    const evicted = turns.find((turn) => turn.id === id);
    // Two things in one change may take more.
    const isAlone = !may.some(({ switches, cuts, erases }) => switches || cuts || erases);
    if (isAlone && kept.length < leastKept(limits))
      this.fail(`${id} had to go, and ${kept.length} of ${limits.maxTurns} are left`);
    const [newest] = kept.slice(-1);
    const isOlder = (turn: PlacedTurn) => evicted && turn.order < evicted.order && !turn.isPinned;
    if (isAlone && !evicted?.isPinned && kept.some((turn) => turn !== newest && isOlder(turn))) {
      this.fail(`${id} had to go, and an older one is left`);
    }
  }

  #holdsLimits(before: Whereabouts, { live }: Whereabouts, { maxTurns, whenFull }: MemoryLimits): void {
    if (maxTurns === 0 || whenFull !== 'drop') return;
    for (const [id, { turns }] of live) {
      const count = turns.filter(({ state }) => state === 'remembered').length;
      const isNew = before.live.get(id)?.turns.length !== turns.length;
      if (isNew && count > maxTurns) this.fail(`${count} turns are remembered, and the cap is ${maxTurns}`);
    }
  }

  /** A question that waits goes when somebody does something, and not by itself. */
  #keepsQuestion(before: Whereabouts, after: Whereabouts, may: readonly Doing[]): void {
    for (const [id, { waiting, turns }] of before.live) {
      const now = after.live.get(id);
      const isGone = waiting !== undefined && now !== undefined && now.waiting === undefined;
      const isThere = turns.some((turn) => turn.id === waiting && turn.state === 'remembered');
      if (isGone && isThere && may.length === 0) this.fail(`the question of ${waiting} no longer waits`);
    }
  }

  #isOwned(id: string, { running }: Whereabouts): boolean {
    const owner = running.get(id)?.owner;
    return owner !== undefined && this.#isAlive(owner);
  }

  #followLines(before: Whereabouts, after: Whereabouts): void {
    const [was, is] = [before, after].map(({ live }) => live.get(conversationId)?.turns.map(({ id }) => id));
    // What could not be written before may come as something that was taken back already.
    const cut = [...after.archived].filter(
      ([key, { ending }]) => ending === 'branch' && !before.archived.has(key),
    );
    const isCut = (id: string) => cut.some(([, { turns }]) => turns.has(id));
    const goesOn = (id: string) => is?.includes(id) || isCut(id);
    const isSame = was && is && (was.length === 0 || is.length === 0 || was.some(goesOn));
    if (!isSame) this.#current.clear();
    for (const id of is ?? []) this.#current.add(this.#lines.get(id) ?? 0);
    this.#current.delete(0);
    if (is && this.#current.size === 0) this.#current.add(after.number);
    const [line = 0] = this.#current;
    const come = [...(is ?? []), ...cut.flatMap(([, { turns }]) => Array.from(turns))];
    for (const id of come) if (!this.#lines.has(id)) this.#lines.set(id, line);
  }

  /** The person was told that these are erased: everything of the conversation, or these turns. */
  isErased(doing: Doing, isMeant: (turn: string) => boolean): void {
    for (const id of turnsIn(doing.seen[0] ?? nowhere)) {
      if (!isMeant(id) || this.#isBack(id, doing)) continue;
      const { live, archived } = placeOf(id, this.now);
      const branches = archived.filter((key) => this.now.archived.get(key)?.ending === 'branch');
      if (live !== undefined || branches.length > 0)
        this.fail(`${id} was erased and is still there (${doing.what})`);
    }
    // Of what another window has said and could not write yet, nobody else can know.
    for (const id of doing.erased)
      if (!isSomewhere(placeOf(id, this.now)) && !this.#isBack(id, doing)) this.gone.add(id);
  }

  /** All that was said in the conversation that goes on, what was cut from it included. */
  ofThisConversation({ seen: [first = nowhere] }: Doing): (turn: string) => boolean {
    const live = new Set([...first.live.values()].flatMap(({ turns }) => turns.map(({ id }) => id)));
    const lines = new Set(this.#current);
    return (id) => live.has(id) || (lines.has(this.#lines.get(id) ?? 0) && !this.unclear.has(id));
  }

  /** Whether one was said in the same conversation as some of these, whatever became of that meanwhile. */
  isFromSame(id: string, others: Iterable<string>): boolean {
    const line = this.#lines.get(id);
    return line !== undefined && [...others].some((other) => this.#lines.get(other) === line);
  }

  #isBack(id: string, doing: Doing): boolean {
    const others = [...this.#doings, ...this.#owed].filter((one) => one !== doing);
    // A turn under way is saved when it ends, whatever became of those before it.
    return others.some(({ adds }) => adds?.(id)) || doing.seen.some(({ running }) => running.has(id));
  }

  /** What a request tells of must be what was remembered at some moment since the message came. */
  isTold(doing: Doing, told: readonly string[], mayBeOver: boolean): void {
    const said = told.toSorted().join(' ');
    const allowed = doing.seen.map((state) => toldOf(conversationId, state).toSorted().join(' '));
    if (allowed.includes(said) || (mayBeOver && said === '')) return;
    const remembered = [...new Set(allowed)].join('] or [');
    this.fail(`the request of ${doing.what} tells of [${said}], and what is remembered is [${remembered}]`);
  }

  /** The database is gone, and all windows with it: what is left is what VS Code's state has. */
  lostDatabase(): void {
    for (const id of toldOf(conversationId, this.now)) this.#atHome.add(id);
    this.now = nowhere;
    this.#owed.clear();
    this.#doings.clear();
  }
}

/** What is known of it before it is done. */
export type Plan = Omit<Doing, 'seen' | 'added' | 'unwritten' | 'erased' | 'isCrossed'>;

/** All chats of a workspace are one conversation here. */
export const conversationId = 'workspace';

interface Move {
  readonly id: string;
  readonly was: Place;
  readonly is: Place;
  readonly before: Whereabouts;
  readonly after: Whereabouts;
  /** Who may have made it. */
  readonly may: readonly Doing[];
  readonly limits: MemoryLimits;
  readonly clock: number;
}

/** Where nothing is kept, a turn may be over the cap or in a conversation that was left, and is gone, as it comes. */
export function mayVanish({ archiveSize }: MemoryLimits): boolean {
  return archiveSize === 0;
}

/** Of a full conversation. */
function leastKept({ eviction, maxTurns }: MemoryLimits): number {
  return eviction === 'half' ? Math.max(1, Math.floor(maxTurns / 2)) : maxTurns;
}

function isFull({ live }: Whereabouts, limits: MemoryLimits): boolean {
  const rest = live.get(conversationId)?.turns.filter(({ state }) => state === 'remembered') ?? [];
  return limits.maxTurns > 0 && rest.length >= leastKept(limits);
}

/** What was and what came are, together, about what VS Code's state can take: some have to go. */
function isLarge(...states: readonly Whereabouts[]): boolean {
  const sizes = new Map<string, number>();
  for (const { live, running } of states) {
    const { turns = [], size: rest = 0 } = live.get(conversationId) ?? {};
    const underWay = Array.from(running, ([id, { size }]) => ({ id, size }));
    for (const { id, size } of [...turns, ...underWay, { id: 'rest', size: rest }])
      sizes.set(id, Math.max(size, sizes.get(id) ?? 0));
  }
  return [...sizes.values()].reduce((sum, size) => sum + size, 0) > 220_000;
}

function isSomewhere({ live, archived }: Place): boolean {
  return live !== undefined || archived.length > 0;
}

function isEvicted(state: string | undefined): boolean {
  return state !== undefined && state !== 'remembered' && state !== 'summarized';
}

function describe({ live, archived, isRunning }: Place): string {
  const places = [live, ...(isRunning ? ['running'] : []), ...archived.map(() => 'archived')].filter(Boolean);
  return places.join(', ') || 'nowhere';
}
