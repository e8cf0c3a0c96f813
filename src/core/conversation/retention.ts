import type { Conversation, StoredTurn } from './turn';

/** The limits as the settings have them now. */
export interface MemoryLimits {
  /** At most this many turns; 0 is no cap. */
  readonly maxTurns: number;
  /** Seconds after which a conversation that nobody continued has ended; 0 is never. */
  readonly timeoutSeconds: number;
  /** What leaves when the cap is exceeded: just what is over it, or the older half at once. */
  readonly eviction: 'oldest' | 'half';
}

/** M2. Noticed on access. */
export function isExpired({ lastActive }: Conversation, limits: MemoryLimits, now: number): boolean {
  return limits.timeoutSeconds > 0 && now - lastActive > limits.timeoutSeconds * 1000;
}

/**
 * A clock that was ahead leaves a conversation active in the future, where it would outlive its timeout by all the time
 * that the clock was wrong. Its timeout begins when that is noticed instead (F28).
 */
export function notInFuture(conversation: Conversation, now: number): Conversation {
  return conversation.lastActive > now ? { ...conversation, lastActive: now } : conversation;
}

/** M3. The turns that have to leave so that the cap holds, oldest first; pinned ones last, and the newest never. */
export function overCap(turns: readonly StoredTurn[], limits: MemoryLimits): readonly StoredTurn[] {
  const { maxTurns, eviction } = limits;
  if (maxTurns === 0 || turns.length <= maxTurns) return [];
  const over = turns.length - maxTurns;
  const count = eviction === 'half' ? Math.max(over, Math.floor(turns.length / 2)) : over;
  return inOrderOfLeaving(turns).slice(0, count);
}

/** Which turn goes first when room is needed. What was just said stays even when all else is pinned. */
export function inOrderOfLeaving(turns: readonly StoredTurn[]): readonly StoredTurn[] {
  const older = turns.slice(0, -1);
  return [...older.filter((turn) => !turn.isPinned), ...older.filter((turn) => turn.isPinned)];
}
