import type { Fact } from '../facts/fact';
import type { Facts } from '../facts/facts';
import type { Conversation, StoredTurn } from '../turn';

/** The facts that change turns, wherever they are: those that the summary stands for change in it. */
export function changedTurns(
  { id, turns, summary, lastActive: at }: Conversation,
  change: (turn: StoredTurn) => StoredTurn,
  facts: Facts,
): readonly Fact[] {
  const changed = turns.flatMap((turn): readonly Fact[] => {
    const now = change(turn);
    if (now === turn) return [];
    const revision = facts.nextTurnRevision(id, turn.id);
    return [{ kind: 'turn', conversation: id, turn: { ...now, revision }, at }];
  });
  const folded = summary?.folded?.map(change);
  if (!summary || !folded?.some((turn, index) => turn !== summary.folded?.[index])) return changed;
  const revision = facts.nextSummaryRevision(id);
  return [...changed, { kind: 'summary', conversation: id, summary: { ...summary, folded, revision } }];
}
