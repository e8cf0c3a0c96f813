import type { Message, ToolResultBlock, ToolUseBlock, Usage } from '../messages';

export type TurnId = string;
export type ConversationId = string;

/** From the person's message to the final answer, with every tool round in between. */
export interface FinishedTurn {
  readonly id: TurnId;
  readonly startedAt: number;
  readonly endedAt: number;
  /** `interrupted`: it failed, was cancelled or hit a limit after work was done; its messages are valid all the same. */
  readonly outcome: 'finished' | 'interrupted';
  readonly messages: readonly Message[];
  readonly model?: string;
  readonly usage?: Usage;
  /** What it takes of a later request, from the usage that was reported for it; absent while that is not known. */
  readonly tokens?: number;
  /** The chat thread in which it was asked; absent when no thread shows it: then no rewind can remove it. */
  readonly thread?: string;
  /** How many exchanges the thread showed before it: where its answer lost our id, that and the words tell which it is. */
  readonly position?: number;
}

/** A turn as it is remembered: plain JSON that the API takes as it is. */
export interface StoredTurn extends FinishedTurn {
  /** Where it stands in its conversation: `startedAt`, unless the clock was set back since the turn before. */
  readonly order: number;
  /** Counts what was done to this turn since it was saved; among windows the highest one holds. */
  readonly revision: number;
  readonly isPinned?: boolean;
  /** The activation that saved it: tells a restarted window from a new chat thread. */
  readonly activation?: string;
  readonly found?: FoundValues;
}

/** What a turn found under the names that it set or forgot, `null` for nothing: that holds again when it is taken back. */
export type FoundValues = Readonly<Record<string, RememberedValue | null>>;

/** Facts worth keeping, by name. Values are sensitive: never logged. */
export type Params = Readonly<Record<string, string>>;

export interface StoredParam extends RememberedValue {
  readonly revision: number;
}

export interface RememberedValue {
  readonly value: string;
  readonly at: number;
  /** The turn that set it; absent when nobody's turn did. */
  readonly turnId?: TurnId;
}

/** The one value Claude asked for, with the round that goes on when it comes. */
export interface Waiting {
  readonly param: string;
  readonly question: string;
  readonly options?: readonly string[];
  readonly turnId: TurnId;
  readonly askedAt: number;
  /** How often it was asked, this time included. */
  readonly tries: number;
  readonly toolUse: ToolUseBlock;
  /** Results of the same round that are there already, unless they are long: then only the turn itself has them. */
  readonly results: readonly ToolResultBlock[];
  /**
   * The turn that asked, as it was sent, thinking included: with it Claude goes on in mid-thought. Absent when it is
   * large or holds images. It leaves with the question, and a request that is refused for it goes on without.
   */
  readonly sent?: readonly Message[];
  /** Names of the tools that were offered then, with `sent`: its thinking is bound to them. */
  readonly tools?: readonly string[];
}

/** What is left of turns that were folded together. It goes first in the history. */
export interface Summary {
  readonly text: string;
  readonly at: number;
  /** How many turns it stands for. */
  readonly turns: number;
  readonly revision: number;
  /**
   * Those turns, oldest first, as far as they are known: when one of them is taken back, the summary has to go and the
   * others come back. One without messages is known by name only.
   */
  readonly folded?: readonly StoredTurn[];
}

/** Why a turn is no longer remembered. */
export type LeaveReason =
  | 'cap'
  | 'budget'
  | 'size'
  | 'expiry'
  | 'rewind'
  | 'forgotten'
  | 'cleared'
  /** The person started fresh, or resumed another conversation. */
  | 'fresh'
  /** Folded into the summary. */
  | 'summary';

/** One conversation as it is remembered, turns oldest first. Never changed in place. */
export interface Conversation {
  readonly id: ConversationId;
  readonly lastActive: number;
  readonly summary?: Summary;
  readonly turns: readonly StoredTurn[];
  readonly params: Readonly<Record<string, StoredParam>>;
  readonly waiting?: Waiting;
  /** Counts the changes of `waiting`, its removal included. */
  readonly waitingRevision: number;
}
