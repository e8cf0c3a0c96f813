import { archivedId } from './archive/archivedId';
import { emptyConversation, isEmpty, mergeConversations, withoutTurns } from './changes';
import { fitSize } from './fitSize';
import type {
  Archiving,
  Commit,
  Departure,
  Joining,
  MemoryState,
  OlderData,
  OlderTables,
  RunningTurn,
  Unarchiving,
} from './store';
import { isWhole, unsummarized } from './summary';
import {
  isEviction,
  isOneOf,
  type ArchivedId,
  type Conversation,
  type ConversationId,
  type Ending,
  type EvictReason,
  type StoredTurn,
  type TurnId,
} from './turn';
import { turnDifference } from './turnDifference';
import { evictedBy, hasEnded, type MemoryLimits } from './view';

/** A change to what is remembered: it may run more than once, and on a state that other windows have changed. */
export type Change = (draft: Draft) => void;

export interface DraftOptions {
  readonly limits: MemoryLimits;
  readonly now: number;
  /** The number of the last change that is known. */
  readonly after: number;
  /** Bytes there are for all conversations. */
  readonly maxBytes: number;
  /** When a message has last come for it in this window; 0 for never. */
  readonly activeAt: (id: ConversationId) => number;
}

/** What is remembered while one transaction changes it. Notes what goes, where to and why. */
export class Draft implements Commit {
  readonly options: DraftOptions;
  readonly #conversations: Map<ConversationId, Conversation>;
  readonly #running: Map<TurnId, RunningTurn>;
  #departures: Departure[] = [];
  #archived: Archiving[] = [];
  readonly #ended: ConversationId[] = [];
  #unarchived: readonly Unarchiving[] = [];
  readonly #joined: Joining[] = [];
  readonly #erased: Conversation[] = [];
  readonly #forgotten: TurnId[] = [];
  #replacesErased = false;
  #imported: OlderTables | undefined;
  #state: MemoryState;
  #isChanged = false;

  constructor(state: MemoryState, options: DraftOptions) {
    this.options = options;
    this.#state = state;
    this.#conversations = new Map(state.conversations);
    this.#running = new Map(state.running);
  }

  /** The very state that it began with when nothing has changed. */
  get state(): MemoryState {
    if (this.#isChanged) this.#state = { conversations: this.#conversations, running: this.#running };
    return this.#state;
  }

  get at(): number {
    return this.options.now;
  }

  get departures(): readonly Departure[] {
    return this.#departures;
  }

  get archived(): readonly Archiving[] {
    return this.#archived;
  }

  get ended(): readonly ConversationId[] {
    return this.#ended;
  }

  get unarchived(): readonly Unarchiving[] {
    return this.#unarchived;
  }

  get joined(): readonly Joining[] {
    return this.#joined;
  }

  get erased(): readonly Conversation[] {
    return this.#erased;
  }

  get forgotten(): readonly TurnId[] {
    return this.#forgotten;
  }

  get replacesErased(): boolean {
    return this.#replacesErased;
  }

  get imported(): OlderTables | undefined {
    return this.#imported;
  }

  get after(): number {
    return this.options.after;
  }

  get conversations(): ReadonlyMap<ConversationId, Conversation> {
    return this.#conversations;
  }

  get running(): ReadonlyMap<TurnId, RunningTurn> {
    return this.#running;
  }

  /** Puts a conversation in the place of the one there was. Turns that are gone by it have left for this reason. */
  put(id: ConversationId, conversation: Conversation | undefined, reason: EvictReason): void {
    const before = this.#conversations.get(id);
    if (before === conversation) return;
    this.#isChanged = true;
    const turns = turnDifference(before?.turns ?? [], conversation?.turns ?? []);
    const summarized = turnDifference(before?.summarized ?? [], conversation?.summarized ?? []);
    const [isKept, isTold] = [isOneOf(turns.put), isOneOf(summarized.put)];
    for (const turn of turns.gone) this.#depart(id, turn, isTold(turn) ? 'summary' : reason);
    for (const turn of summarized.gone) if (!isKept(turn)) this.#depart(id, turn, reason);
    // The one that was changed last comes last.
    this.#conversations.delete(id);
    // One that was rewound to its beginning goes on, so that Clear knows what was cut from it.
    const isOver = !conversation || (isEmpty(conversation) && reason !== 'rewind');
    if (isOver) this.#end(id, before, reason);
    else this.#conversations.set(id, withLineage(conversation));
  }

  #depart(conversation: ConversationId, turn: StoredTurn, reason: EvictReason): void {
    this.#departures.push({ conversation, turn, reason });
  }

  /** What this very change had evicted from it, or taken from the archive for it, goes where the rest of it goes. */
  #end(id: ConversationId, before: Conversation | undefined, reason: EvictReason): void {
    this.#ended.push(id);
    const evicted = reason === 'cleared' ? [] : this.evictedFrom(id);
    const home = this.#archived.findLast(
      ({ conversation, ending }) =>
        conversation.id === id && conversation.lineage === before?.lineage && ending.kind !== 'branch',
    );
    if (home) {
      const whole = { ...home, evicted: [...(home.evicted ?? []), ...evicted] };
      this.#archived = this.#archived.map((one) => (one === home ? whole : one));
    } else if (before && evicted.length > 0) {
      this.archive(
        { ...emptyConversation(id, before.lineage ?? id, before.lastActive), turns: evicted },
        { kind: 'left' },
      );
    }
    this.#unarchived = this.#unarchived.map((one) =>
      one.into && 'conversation' in one.into && one.into.conversation === id
        ? { ...one, into: home && { archived: home.id } }
        : one,
    );
    this.#departures = this.#departures.map((one) =>
      one.conversation === id ? { ...one, isOver: true } : one,
    );
  }

  /** By this change, and not from one that was there before under the same id. */
  evictedFrom(id: ConversationId): readonly StoredTurn[] {
    return this.#departures.flatMap(({ conversation, turn, reason, isOver }) =>
      conversation === id && isEviction(reason) && !isOver ? [turn] : [],
    );
  }

  /** Changes a conversation that there is. */
  change(
    id: ConversationId,
    change: (conversation: Conversation) => Conversation,
    reason: EvictReason = 'forgotten',
  ): void {
    const conversation = this.#conversations.get(id);
    if (conversation) this.put(id, change(conversation), reason);
  }

  /** Ends a conversation and all that was ever said in it. */
  erase(id: ConversationId): void {
    const erased = this.#conversations.get(id);
    if (!erased) return;
    this.put(id, undefined, 'cleared');
    this.#erased.push(erased);
    for (const turn of [...erased.turns, ...erased.summarized]) this.setRunning(turn.id, undefined);
  }

  /** Removes turns from wherever they are. */
  forget(turns: readonly TurnId[]): void {
    if (turns.length === 0) return;
    this.#isChanged = true;
    this.#forgotten.push(...turns);
    // A window that died may have left its rounds.
    for (const id of turns) this.setRunning(id, undefined);
  }

  eraseAll(): void {
    for (const id of [...this.#conversations.keys()]) this.erase(id);
  }

  /** Says under which id it is kept, or nothing when there is nothing to keep or no archive. */
  archive(conversation: Conversation, ending: Ending): ArchivedId | undefined {
    const { waiting: _ended, ...rest } = conversation;
    const kept = rest.turns.length > 0 ? rest : unsummarized(rest);
    if (this.options.limits.archiveSize === 0 || kept.turns.length === 0) return undefined;
    const id = archivedId(kept, ending);
    this.bringBack({ id, conversation: kept, ending });
    return id;
  }

  /** Into the archive, as it was there before. */
  bringBack(archiving: Archiving): void {
    this.#isChanged = true;
    this.#archived.push(archiving);
    this.#unarchived = this.#unarchived.filter(({ id }) => id !== archiving.id);
  }

  unarchive(id: ArchivedId, conversation?: ConversationId): void {
    this.#isChanged = true;
    const into = conversation === undefined ? undefined : { conversation };
    this.#unarchived = [...this.#unarchived, { id, into }];
  }

  /** An archived conversation goes on in this one, which is cleared with all that was cut from either. */
  join(archived: Conversation, id: ConversationId): void {
    const into = this.#conversations.get(id)?.lineage;
    const { lineage } = archived;
    if (into === undefined || lineage === undefined || lineage === into) return;
    this.#isChanged = true;
    this.#joined.push({ lineage, into });
  }

  /** Takes in what older versions have stored, beside what is there. */
  adopt(older: OlderData): void {
    const lineages = new Map<TurnId, string>();
    for (const { id, ...stored } of older.conversations) {
      const present = this.#conversations.get(id);
      const lineage = present?.lineage ?? stored.turns[0]?.id ?? id;
      this.put(id, mergeConversations(present, { id, lineage, ...stored }), 'cap');
      for (const turn of stored.turns) lineages.set(turn.id, lineage);
    }
    // Older versions knew branches by the turns they share with what they were cut from.
    const archived = older.archived.map((one): Archiving => {
      const lineage = one.conversation.turns.map(({ id }) => lineages.get(id)).find((known) => known);
      const isBranch = one.ending.kind === 'branch' && lineage !== undefined;
      return isBranch ? { ...one, conversation: { lineage, ...one.conversation } } : one;
    });
    if (this.options.limits.archiveSize > 0) this.#archived.push(...archived);
    this.#imported = older;
    this.#isChanged = true;
  }

  /** Puts all these in the place of what is there. What is gone by it is kept, unless it was or may have been erased. */
  replaceAll(
    conversations: MemoryState['conversations'],
    { isErasing, erased }: { readonly isErasing: boolean; readonly erased: readonly TurnId[] },
  ): void {
    this.#replacesErased ||= isErasing || erased.length > 0;
    this.forget(erased);
    for (const [id, conversation] of [...this.#conversations]) {
      if (conversations.has(id)) continue;
      if (!isErasing) this.archive(withoutTurns(conversation, erased), { kind: 'left' });
      this.put(id, undefined, 'fresh');
    }
    for (const [id, conversation] of conversations) {
      const before = this.#conversations.get(id);
      const whole = new Map(
        [...(before?.turns ?? []), ...(before?.summarized ?? [])].map((turn) => [turn.id, turn]),
      );
      const summarized = conversation.summarized.map((turn) =>
        isWhole(turn) ? turn : (whole.get(turn.id) ?? turn),
      );
      this.put(id, { ...conversation, summarized }, isErasing ? 'fresh' : 'cap');
    }
  }

  /** Turns of a conversation that is brought back, which it did not remember any more. */
  bringBackEvicted(conversation: ConversationId, turns: readonly StoredTurn[]): void {
    const { turns: there = [], summarized = [] } = this.#conversations.get(conversation) ?? {};
    const isThere = isOneOf([...there, ...summarized]);
    for (const turn of turns) if (!isThere(turn)) this.#depart(conversation, turn, 'cap');
  }

  setRunning(id: TurnId, turn: RunningTurn | undefined): void {
    if (!turn && !this.#running.has(id)) return;
    this.#isChanged = true;
    if (turn) this.#running.set(id, turn);
    else this.#running.delete(id);
  }

  /** Ends what has expired (M2), and puts right what a clock that was ahead has left (F28). */
  endExpired(): void {
    const { limits, now, activeAt } = this.options;
    for (const stored of [...this.#conversations.values()]) {
      const lastActive = Math.min(now, Math.max(stored.lastActive, activeAt(stored.id)));
      const active = { ...stored, lastActive };
      if (hasEnded(active, this.state, limits, now)) {
        this.archive(stored, { kind: 'ended' });
        this.put(stored.id, undefined, 'expiry');
      } else if (stored.lastActive > now) this.put(stored.id, active, 'expiry');
    }
  }

  /** Evicts and shortens until cap (M3), budget (M18) and size (M23) hold. */
  holdLimits(): void {
    const { limits, maxBytes } = this.options;
    if (limits.whenFull === 'drop') {
      for (const conversation of [...this.#conversations.values()]) {
        for (const { turn, reason } of evictedBy(conversation, limits))
          this.evict(conversation.id, [turn.id], reason);
      }
    }
    const busy = new Set(Array.from(this.#running.values(), ({ conversation }) => conversation));
    const all = [...this.#conversations.values()].toSorted(
      (a, b) => Number(busy.has(a.id)) - Number(busy.has(b.id)) || a.lastActive - b.lastActive,
    );
    const fit = fitSize(all, maxBytes);
    for (const { conversation, turn } of fit.evicted) this.evict(conversation.id, [turn.id], 'size');
    for (const conversation of fit.ended) {
      this.archive(conversation, { kind: 'left' });
      this.put(conversation.id, undefined, 'size');
    }
    for (const conversation of fit.conversations) this.put(conversation.id, conversation, 'size');
  }

  /** They stay in the database, as what was said. */
  evict(id: ConversationId, turns: readonly TurnId[], reason: 'cap' | 'budget' | 'size'): void {
    const isKept = (turn: StoredTurn) => !turns.includes(turn.id);
    this.change(id, (known) => ({ ...known, turns: known.turns.filter(isKept) }), reason);
  }
}

/** What comes from outside or from older versions has none. */
function withLineage(conversation: Conversation): Conversation {
  const lineage = conversation.lineage ?? conversation.turns[0]?.id;
  return lineage === conversation.lineage || lineage === undefined
    ? conversation
    : { ...conversation, lineage };
}
