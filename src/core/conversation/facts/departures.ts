import { isWhole } from '../folded';
import type { ConversationId, LeaveReason, StoredTurn } from '../turn';
import { turnGone, type Fact } from './fact';
import type { Facts } from './facts';

/** A turn that is no longer remembered, and why. */
export interface Departure {
  readonly conversation: ConversationId;
  readonly turn: StoredTurn;
  readonly reason: LeaveReason;
}

export function factOf({ conversation, turn }: Departure): Fact {
  return turnGone(conversation, turn, 0);
}

/** Makes these true, and says which turns left by it. */
export function applyFacts(facts: Facts, added: readonly Fact[], reason: LeaveReason): readonly Departure[] {
  const departures = foldedIn(facts, added, reason);
  for (const fact of added) {
    const turn = fact.kind === 'turn-gone' ? facts.turn(fact.conversation, fact.id) : undefined;
    if (facts.apply(fact) && turn) departures.push({ conversation: fact.conversation, turn, reason });
  }
  return departures;
}

/** Turns that had left into a summary and are now gone for another reason. */
function foldedIn(facts: Facts, added: readonly Fact[], reason: LeaveReason): Departure[] {
  return added.flatMap((fact) => {
    if (fact.kind !== 'turn-gone') return [];
    const { conversation, id } = fact;
    const folded = facts.conversations.get(conversation)?.summary?.folded;
    const turn = folded?.find((one) => one.id === id && isWhole(one));
    return turn ? [{ conversation, turn, reason }] : [];
  });
}

/** Once for all that left one conversation for one reason. */
export function tellDepartures(
  departures: readonly Departure[],
  tell: (conversation: ConversationId, turns: readonly StoredTurn[], reason: LeaveReason) => void,
): void {
  const alike = new Map<string, { readonly first: Departure; readonly turns: StoredTurn[] }>();
  for (const departure of departures) {
    const key = JSON.stringify([departure.conversation, departure.reason]);
    const group = alike.get(key) ?? { first: departure, turns: [] };
    group.turns.push(departure.turn);
    alike.set(key, group);
  }
  for (const { first, turns } of alike.values()) tell(first.conversation, turns, first.reason);
}
