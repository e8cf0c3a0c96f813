import { summaryGone, turnGone, type Fact } from '../facts/fact';
import { foldedTurns } from '../folded';
import type { Conversation, StoredTurn, Summary, TurnId } from '../turn';
import { inOrder } from '../turnLists';

/** A summary that took the place of turns, with all that it takes to bring them back. */
export interface Fold {
  readonly summary: Summary;
  /** The summary before it. */
  readonly from: Summary | undefined;
  readonly turns: readonly StoredTurn[];
  /** The turns that stayed. */
  readonly kept: readonly TurnId[];
}

/** Nothing when a turn or the summary `from` has changed or gone meanwhile. */
export function foldOf(
  conversation: Conversation | undefined,
  wanted: { readonly text: string; readonly turns: readonly TurnId[]; readonly from: Summary | undefined },
  { at, revision }: Pick<Summary, 'at' | 'revision'>,
): Fold | undefined {
  const { turns: known = [], summary: from } = conversation ?? {};
  const turns = known.filter(({ id }) => wanted.turns.includes(id));
  if (turns.length === 0 || turns.length < wanted.turns.length) return undefined;
  if (from?.revision !== wanted.from?.revision) return undefined;
  const summary = {
    text: wanted.text,
    at,
    turns: (from?.turns ?? 0) + turns.length,
    revision,
    folded: foldedTurns(inOrder([...(from?.folded ?? []), ...turns])),
  };
  const kept = known.filter((turn) => !turns.includes(turn)).map(({ id }) => id);
  return { summary, from, turns, kept };
}

export function factsOfFold(conversation: Conversation['id'], { summary, turns }: Fold): readonly Fact[] {
  return [
    { kind: 'summary', conversation, summary },
    ...turns.map((turn) => turnGone(conversation, turn, 0)),
  ];
}

/**
 * Brings back what a fold took away. Nothing when its summary is no longer the present one, or when something was asked
 * since: then the turns might not fit any more, and would leave without a summary.
 */
export function factsOfUnfold(
  conversation: Conversation | undefined,
  { summary, from, turns, kept }: Fold,
  at: number,
): readonly Fact[] {
  if (!conversation?.summary || !isSame(conversation.summary, summary)) return [];
  if (conversation.turns.some(({ id }) => !kept.includes(id))) return [];
  const { id } = conversation;
  return [
    from ? { kind: 'summary', conversation: id, summary: from } : summaryGone(id, summary, 1),
    ...turns.map((turn): Fact => ({ kind: 'turn', conversation: id, turn, at })),
  ];
}

/** Once all was erased and nobody remembers that, revisions begin again. */
function isSame(one: Summary, other: Summary): boolean {
  return one.revision === other.revision && one.at === other.at && one.text === other.text;
}
