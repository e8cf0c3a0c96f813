import type { Message } from '../messages';
import type {
  ArchivedId,
  Conversation,
  ConversationId,
  Ending,
  EvictReason,
  FinishedTurn,
  StoredTurn,
  TurnId,
} from './turn';

/** All that is remembered, by all windows on the workspace, as one value. Never changed in place. */
export interface MemoryState {
  readonly conversations: ReadonlyMap<ConversationId, Conversation>;
  /** The turns under way. */
  readonly running: ReadonlyMap<TurnId, RunningTurn>;
}

export const emptyState: MemoryState = { conversations: new Map(), running: new Map() };

export interface RunningTurn extends Pick<FinishedTurn, 'id' | 'startedAt' | 'thread' | 'position'> {
  readonly conversation: ConversationId;
  readonly order: number;
  readonly activation: string;
  readonly owner: Owner;
  /** When it was last heard of. */
  readonly at: number;
  /** As far as rounds were completed. */
  readonly messages: readonly Message[];
}

/** A process: ids are used again, so that it takes both to know one. */
export interface Owner {
  readonly pid: number;
  /** Seconds since the epoch. */
  readonly startedAt: number;
}

/** What becomes of the state in one transaction. */
export interface Commit {
  readonly state: MemoryState;
  readonly at: number;
  /** The turns that are no longer remembered. Those that were evicted stay in the database, erased ones do not. */
  readonly departures: readonly Departure[];
  readonly archived: readonly Archiving[];
  /** Conversations that were over at some point; another one may have begun under the same id since. */
  readonly ended: readonly ConversationId[];
  /** Archived conversations that are in memory again, or that nobody wants any more. */
  readonly unarchived: readonly Unarchiving[];
  /** What was cut from the one lineage belongs to the other from now on. */
  readonly joined: readonly Joining[];
  /** Erases these conversations, as they were then, with all that was ever said in them, branches included. */
  readonly erased: readonly Conversation[];
  /** Turns that are to be nowhere any more, also where another window has taken them back meanwhile. */
  readonly forgotten: readonly TurnId[];
  /** It takes the place of what is there, some of which may have been erased. */
  readonly replacesErased: boolean;
  readonly imported?: OlderTables | undefined;
  /** Its number is greater than this one, too. */
  readonly after: number;
}

export interface Committed {
  readonly commit: Commit;
  /** That of the change, or of the last one when it changed nothing. */
  readonly number: number;
}

export interface Joining {
  readonly lineage: string;
  readonly into: string;
}

/** All that versions before the database have stored. */
export interface OlderData extends OlderTables {
  readonly conversations: readonly Conversation[];
  readonly archived: readonly Archiving[];
  /** Files that cannot be read, or are of a newer version. They stay where they are. */
  readonly unreadable: readonly string[];
  /** Parts of the state that cannot be read. */
  readonly damaged: readonly { readonly what: string; readonly data: unknown }[];
  /** To be removed once it is all in the database. */
  readonly files: readonly string[];
}

export interface OlderTables {
  /** What was sent for each answer. */
  readonly answers: readonly { readonly turn: TurnId; readonly startedAt: number }[];
  readonly departures: readonly DepartureRow[];
}

/** That a turn is no longer remembered, and why, without what it said. */
export interface DepartureRow {
  readonly conversation: ConversationId;
  readonly turn: TurnId;
  readonly reason: EvictReason;
  readonly tokens: number;
  readonly at: number;
}

export interface Departure {
  readonly conversation: ConversationId;
  readonly turn: StoredTurn;
  readonly reason: EvictReason;
  /** The conversation has ended since, in the same change. */
  readonly isOver?: boolean;
}

export interface Archiving {
  readonly id: ArchivedId;
  readonly conversation: Conversation;
  readonly ending: Ending;
  /** What was no longer remembered of it and is not kept with it yet. */
  readonly evicted?: readonly StoredTurn[] | undefined;
}

export interface Unarchiving {
  readonly id: ArchivedId;
  /** Where what it did not remember any more goes: archived, where it has ended since in the same change. */
  readonly into?: { readonly conversation: ConversationId } | { readonly archived: ArchivedId } | undefined;
}

/** An archived conversation without what was said in it. */
export interface ArchivedHeader {
  readonly id: ArchivedId;
  /** What it was called while it went on. */
  readonly conversationId: ConversationId;
  readonly ending: Ending;
  readonly lineage?: string;
  /** The first words of the first turn; of a branch, those of the first turn that was cut. */
  readonly title: string;
  readonly endedAt: number;
  readonly turns: number;
}

/** Where a turn is kept. */
export interface TurnPlace {
  readonly turn: TurnId;
  /** Its conversation, as the database names it. */
  readonly key: string;
  readonly position: number;
}

/** A turn that has words of a search in it. The greater the score, the better. */
export interface Match extends TurnPlace {
  readonly score: number;
  /** The number of the change that wrote it: of copies, the newest counts. */
  readonly changed: number;
}

/** A turn with the conversation that it belongs to. */
export interface KeptTurn extends TurnPlace {
  readonly kept: StoredTurn;
  /** The first words of its conversation. */
  readonly title: string;
  /** Absent for one that goes on. */
  readonly archived?: ArchivedId | undefined;
}

/** Finds turns, wherever they are kept. */
export interface TurnSearch {
  /** The best matches of a `searchQuery`. What a rewind has cut is in there only if wanted. */
  match(query: string, options: { readonly limit: number; readonly withCut: boolean }): readonly Match[];
  /** The turns right before and after one. */
  neighbours(place: TurnPlace): readonly TurnPlace[];
  kept(place: Pick<TurnPlace, 'key' | 'turn'>): KeptTurn | undefined;
  /** Where the newest copy of a turn is, unless a rewind has cut it. */
  place(turn: TurnId): TurnPlace | undefined;
  /** What is kept of a conversation and no longer remembered. */
  evicted(
    of: { readonly conversation: ConversationId } | { readonly archived: ArchivedId },
  ): readonly StoredTurn[];
  /** The conversation as it was after that turn, with at most this many turns. */
  upTo(place: TurnPlace, maxTurns: number): Conversation | undefined;
}

/** The database of one workspace. Its functions do not wait, and throw a `StoreError`. */
export interface MemoryDatabase {
  /** Whether another window has written since the state was last read or committed here. */
  hasNews(): boolean;
  /** The number of the last change. Every commit has the next one. */
  sequence(): number;
  read(): { readonly state: MemoryState; readonly number: number };
  /**
   * One transaction. `change` gets the newest state, `known` if nobody else has written. What it returns is written and
   * on the disk when this returns; nothing is written when it throws.
   */
  commit(known: MemoryState, change: (state: MemoryState) => Commit, keep: ArchiveLimit): Committed;
  /** After something was erased: no byte of it stays in any file. */
  scrub(): void;
  /** Newest first. */
  archived(): readonly ArchivedHeader[];
  archivedConversation(id: ArchivedId): Conversation | undefined;
  readonly search: TurnSearch;
  /** Erases all that there is, also what is not remembered. */
  eraseAll(): void;
  close(): void;
}

export interface ArchiveLimit {
  /** At most this many archived conversations; 0 keeps neither those nor evicted turns. */
  readonly archiveSize: number;
  /** About to leave the archive: not removed to make room. */
  readonly sparing?: ArchivedId | undefined;
  /** What is gone by it is erased, from the archive too. */
  readonly isErasing?: boolean | undefined;
}

/** Why the database could not do as it was told. */
export class StoreError extends Error {
  override readonly name = 'StoreError';

  constructor(
    /**
     * `busy`: another window writes. `damaged`: SQLite cannot read it, so it was moved to `file`. `newer`: a later version
     * has written it. `failed`: a full or read-only disk.
     */
    readonly kind: 'busy' | 'damaged' | 'newer' | 'failed',
    options?: ErrorOptions & { readonly file?: string },
  ) {
    super(`the database is ${kind}`, options);
    this.file = options?.file;
  }

  readonly file: string | undefined;
}
