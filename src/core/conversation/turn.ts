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
  /** A plan was made: nothing with side effects ran (N1). */
  readonly isPlanning?: true;
}

/** A turn as it is remembered: plain JSON that the API takes as it is. */
export interface StoredTurn extends FinishedTurn {
  /** Where it stands in its conversation: `startedAt`, unless the clock was set back since the turn before. */
  readonly order: number;
  readonly isPinned?: boolean;
  /** The activation that saved it: tells a restarted window from a new chat thread. */
  readonly activation?: string;
}

/** Values worth keeping, by name. They are sensitive: never logged. */
export type Params = Readonly<Record<string, string>>;

/** A value that was set, or with `null` forgotten. The last write of a name counts; a rewind removes those of its turns. */
export interface ParamWrite {
  readonly name: string;
  readonly value: string | null;
  readonly at: number;
  /** The turn that wrote it; absent when nobody's turn did. */
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
  /** Whose thoughts are in it: no other model gets them. */
  readonly model?: string;
  /** Names of the tools that were offered then, with `sent`: its thinking is bound to them. */
  readonly tools?: readonly string[];
  /** Earlier turns whose words `sent` holds as well: it began with the answer to what they asked. */
  readonly sentWith?: readonly TurnId[];
  /** It was asked while a plan is made, which goes on with the answer. */
  readonly isPlanning?: true;
}

/** What stands for older turns. It goes first in the history. */
export interface Summary {
  readonly text: string;
  readonly at: number;
  /** How many turns it stands for. */
  readonly turns: number;
}

/** Why a turn is no longer remembered. */
export type EvictReason =
  | 'cap'
  | 'budget'
  | 'size'
  | 'expiry'
  | 'rewind'
  | 'forgotten'
  | 'cleared'
  /** The user started fresh, or resumed another conversation. */
  | 'fresh'
  /** The summary stands for it. */
  | 'summary';

/** It is over a limit, and stays findable as something that was said. */
export function isEviction(reason: EvictReason): boolean {
  return reason === 'cap' || reason === 'budget' || reason === 'size';
}

/** One conversation as it is remembered or archived, turns oldest first. Never changed in place. */
export interface Conversation {
  readonly id: ConversationId;
  /** One id serves many conversations one after another; branches share the lineage of what they were cut from. */
  readonly lineage?: string;
  readonly lastActive: number;
  readonly turns: readonly StoredTurn[];
  readonly summary?: Summary;
  /**
   * The turns that the summary stands for, oldest first, as far as they are known: when one of them is removed, the
   * summary has to go and the others come back. One without messages is known by its id only.
   */
  readonly summarized: readonly StoredTurn[];
  /** Oldest first. */
  readonly params: readonly ParamWrite[];
  readonly waiting?: Waiting;
}

/** The name of an archived conversation. It sorts by age. */
export type ArchivedId = string;

/** How a conversation came into the archive: it expired, was left for another one, or a rewind in the panel cut it. */
export type Ending =
  | { readonly kind: 'ended' | 'left' }
  | { readonly kind: 'branch'; readonly firstCut: TurnId };

/** Oldest first, the same way everywhere. */
export function inOrder(turns: readonly StoredTurn[]): readonly StoredTurn[] {
  return turns.toSorted((a, b) => a.order - b.order || (a.id < b.id ? -1 : 1));
}

/** The values that count now, by name. */
export function valuesOf({ params }: Pick<Conversation, 'params'>): ReadonlyMap<string, RememberedValue> {
  const values = new Map<string, RememberedValue>();
  for (const { name, value, ...write } of params) {
    values.delete(name);
    if (value !== null) values.set(name, { ...write, value });
  }
  return values;
}

export type RememberedValue = Omit<ParamWrite, 'name' | 'value'> & { readonly value: string };

export function isOneOf(turns: readonly StoredTurn[]): (turn: Pick<StoredTurn, 'id'>) => boolean {
  const ids = new Set(turns.map(({ id }) => id));
  return ({ id }) => ids.has(id);
}
