import { turnGone, type Fact, type Facts } from './facts';
import { overCap, type MemoryLimits } from './retention';
import type { SizeBound } from './sizeBound';

/** Drops and shortens until cap (M3) and size (M23) hold, and says what was dropped so that it stays dropped. */
export function holdBounds(
  facts: Facts,
  sizeBound: SizeBound,
  limits: MemoryLimits,
  maxBytes: number,
): readonly Fact[] {
  const overCaps = [...facts.conversations.values()].flatMap(({ id, turns }) =>
    overCap(turns, limits).map((turn) => turnGone(id, turn, 0)),
  );
  for (const fact of overCaps) facts.apply(fact);
  const cuts = sizeBound.cuts(facts.conversations.values(), maxBytes);
  for (const { conversation, turn } of cuts.shortened) facts.replaceTurn(conversation, turn);
  const overSize = cuts.dropped.map(({ conversation, turn }) => turnGone(conversation, turn, 0));
  for (const fact of overSize) facts.apply(fact);
  return [...overCaps, ...overSize];
}

export function isOverCap(facts: Facts, limits: MemoryLimits): boolean {
  return [...facts.conversations.values()].some(({ turns }) => overCap(turns, limits).length > 0);
}
