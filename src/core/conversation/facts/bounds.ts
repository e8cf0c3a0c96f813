import { leavingTurns, type MemoryLimits } from '../retention';
import { factOf, type Departure } from './departures';
import type { Facts } from './facts';
import type { SizeBound } from './sizeBound';

/** Drops and shortens until cap (M3), budget (M18) and size (M23) hold, and says what was dropped so that it stays so. */
export function holdBounds(
  facts: Facts,
  sizeBound: SizeBound,
  limits: MemoryLimits,
  maxBytes: number,
): readonly Departure[] {
  const overLimits = turnsOverLimits(facts, limits);
  for (const departure of overLimits) facts.apply(factOf(departure));
  const cuts = sizeBound.cuts(facts.conversations.values(), maxBytes);
  for (const { conversation, summary } of cuts.summaries) facts.replaceSummary(conversation, summary);
  for (const { conversation, turn } of cuts.shortened) facts.replaceTurn(conversation, turn);
  const overSize = cuts.dropped.map(({ conversation, turn }): Departure => ({
    conversation,
    turn,
    reason: 'size',
  }));
  for (const departure of overSize) facts.apply(factOf(departure));
  return [...overLimits, ...overSize];
}

/** The turns to drop now. Those that are to be folded into the summary stay stored until they are. */
export function turnsOverLimits(facts: Facts, limits: MemoryLimits): readonly Departure[] {
  if (limits.whenFull === 'summarize') return [];
  return [...facts.conversations.values()].flatMap((conversation) =>
    leavingTurns(conversation, limits).map(({ turn, reason }) => ({
      conversation: conversation.id,
      turn,
      reason,
    })),
  );
}
