import type { Message } from '../../messages';
import type { Archiving } from '../store';
import type { Summarizing } from '../summary';
import type {
  Conversation,
  ConversationId,
  FinishedTurn,
  Params,
  StoredTurn,
  Summary,
  TurnId,
  Waiting,
} from '../turn';
import type { ConversationView } from '../view';

/** One conversation. All that is remembered of it goes through here. */
export interface ConversationHandle {
  readonly id: ConversationId;
  /** Flat, oldest first, ready to stand before the user's next message. */
  history(): Message[];
  /** All there is to show or send of it now; nothing for an unknown or ended conversation. */
  view(): ConversationView | undefined;
  /** What reaches the model, as it is stored. */
  snapshot(): Conversation | undefined;
  /** The same with the turns over the limits. */
  stored(): Conversation | undefined;
  saveTurn(turn: FinishedTurn): Promise<void>;
  /** A message has come: what has not expired by now goes on, however long it takes until its turn begins. */
  touch(): void;
  /** Makes a turn that is about to run safe against a crash. It ends with `saveTurn` of the same id, or `abandon`. */
  begin(turn: BeginningTurn): RunningTurnHandle;
  params(): Params;
  merge(params: Params, turnId?: TurnId): Promise<void>;
  waiting(): Waiting | undefined;
  /** `since`: what was known when the turn that asks began. What was erased meanwhile is not kept with its question. */
  setWaiting(waiting: Waiting | undefined, since?: Conversation): Promise<void>;
  /** Keeps this many turns at most; 0 is no cap. */
  prune(maxTurns: number): Promise<void>;
  /**
   * Erases these, and returns what the archive had of them. A summary that tells of one of the turns goes too, and the
   * other turns in it come back.
   */
  forget(what: Forgotten): Promise<readonly Archiving[]>;
  /** Claude forgets values in this turn: they are back when the turn is taken back. */
  forgetValues(names: readonly string[], by: TurnId): Promise<void>;
  setPinned(turn: TurnId, isPinned: boolean): Promise<void>;
  /** From now on this chat thread of this window shows these turns; without one, none does and no rewind removes them. */
  bind(turns: readonly TurnId[], thread: string | undefined): Promise<void>;
  /**
   * Takes these turns back, with the values they remembered, the question they asked and the summary that tells of them;
   * the other turns in it come back. All as it was is in the archive as a branch.
   */
  rewind(cut: readonly TurnId[] | ((turns: readonly StoredTurn[]) => readonly TurnId[])): Promise<void>;
  /** The turns over cap or budget that wait to be summarized: they no longer reach the model. */
  evicted(): readonly StoredTurn[];
  /**
   * Puts this text, which says what these turns and the summary `from` said, in their place. Does nothing and returns
   * nothing when one of them has changed or gone in the meantime: what was forgotten must not come back in other words.
   */
  summarize(text: string, turns: readonly TurnId[], from?: Summary): Promise<Summarizing | undefined>;
  /** Takes that back, and says whether it did: not when something was asked or the summary was changed since. */
  undoSummary(summarizing: Summarizing): Promise<boolean>;
  /** Lets turns go that could not be summarized. */
  drop(turns: readonly TurnId[]): Promise<void>;
  /** The user's own words for what was before; nothing removes it for good, and returns what the archive had of it. */
  setSummary(text: string | undefined): Promise<readonly Archiving[]>;
  /** Erases all, branches included, and returns it, so that `restore` can undo it. */
  clear(): Promise<Erased | undefined>;
  /** Brings turns, params, summary and the pending question back, beside what is there now. */
  restore(erased: Erased): Promise<void>;
}

export interface Erased {
  readonly conversation: Conversation;
  /** What the archive had of it. */
  readonly branches?: readonly Archiving[];
  /** What was no longer remembered, and could be found. */
  readonly evicted?: readonly StoredTurn[];
}

export interface Forgotten {
  readonly turns?: readonly TurnId[];
  readonly params?: readonly string[];
}

export type BeginningTurn = Pick<FinishedTurn, 'id' | 'startedAt' | 'thread' | 'position'>;

export interface RunningTurnHandle {
  /** It is written that it runs, and what other windows wrote before that is known; never rejects. */
  readonly begun: Promise<void>;
  /** The turn so far, after each round: if VS Code dies now, this much is found again. */
  record(messages: readonly Message[]): Promise<void>;
  /** The turn left nothing worth keeping. */
  abandon(): Promise<void>;
}
