import type { Message } from '../../messages';
import type { Conversation, FinishedTurn, Params, StoredTurn, Summary, TurnId, Waiting } from '../turn';
import type { Fold } from './fold';

/** One conversation. All that is remembered of it goes through here. */
export interface ConversationHandle {
  /** Flat, oldest first, ready to stand before the person's next message. */
  history(): Message[];
  /** All that reaches the model now, as it is stored; nothing for an unknown or ended conversation. */
  snapshot(): Conversation | undefined;
  saveTurn(turn: FinishedTurn): Promise<void>;
  /** A message has come: what has not expired by now goes on, however long it takes until its turn begins. */
  touch(): void;
  /** Makes a turn that is about to run safe against a crash. It ends with `saveTurn` of the same id, or `abandon`. */
  begin(turn: BeginningTurn): RunningTurnHandle;
  params(): Params;
  merge(params: Params, turnId?: TurnId): Promise<void>;
  waiting(): Waiting | undefined;
  setWaiting(waiting: Waiting | undefined): Promise<void>;
  /** Keeps this many turns at most; 0 is no cap. */
  prune(maxTurns: number): Promise<void>;
  /** Removes these for good. A summary that tells of one of the turns goes too, and the other turns in it come back. */
  forget(
    what: { readonly turns?: readonly TurnId[]; readonly params?: readonly string[] },
    /** The turn that does so: the params are back when it is taken back. */
    by?: TurnId,
  ): Promise<void>;
  setPinned(turn: TurnId, isPinned: boolean): Promise<void>;
  /** From now on this chat thread of this window shows these turns; without one, none does and no rewind removes them. */
  bind(turns: readonly TurnId[], thread: string | undefined): Promise<void>;
  /**
   * Takes these turns back, with the values they remembered, the question they asked and the summary that tells of them;
   * the other turns in it come back. Returns all as it was.
   */
  cut(turns: readonly TurnId[], reason?: 'rewind' | 'fresh'): Promise<Conversation | undefined>;
  /** The turns over cap or budget that wait to be folded into the summary: they no longer reach the model. */
  leaving(): readonly StoredTurn[];
  /**
   * Puts this text, which says what these turns and the summary `from` said, in their place. Does nothing and returns
   * nothing when one of them has changed or gone meanwhile: what was forgotten must not come back in other words.
   */
  fold(text: string, turns: readonly TurnId[], from?: Summary): Promise<Fold | undefined>;
  /** Takes a fold back, and says whether it did: not when something was asked or the summary was changed since. */
  unfold(fold: Fold): Promise<boolean>;
  /** Lets turns go that could not be folded. */
  drop(turns: readonly TurnId[]): Promise<void>;
  /** The person's own words for what was before; nothing removes the summary for good. */
  setSummary(text: string | undefined): Promise<void>;
  /** Erases all and returns it, so that `restore` can undo it. */
  clear(): Promise<Conversation | undefined>;
  /** Ends it, for what is in the archive by now. Returns what it was. */
  leave(): Promise<Conversation | undefined>;
  /** Brings turns, params, summary and the pending question back, beside what is there now. */
  restore(conversation: Conversation): Promise<void>;
}

interface BeginningTurn {
  readonly id: TurnId;
  readonly startedAt: number;
  readonly thread?: string;
  readonly position?: number;
}

export interface RunningTurnHandle {
  /** The turn so far, after each round: if VS Code dies now, this much is found again. */
  record(messages: readonly Message[]): Promise<void>;
  /** The turn left nothing worth keeping. */
  abandon(): Promise<void>;
}
