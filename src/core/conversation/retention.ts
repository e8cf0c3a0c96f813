import { jsonBytes } from '../json';
import type { Conversation, StoredTurn } from './turn';

/** The limits as the settings have them now. */
export interface MemoryLimits {
  /** At most this many turns; 0 is no cap. */
  readonly maxTurns: number;
  /** Seconds after which a conversation that nobody continued has ended; 0 is never. */
  readonly timeoutSeconds: number;
  /** What leaves when the cap is exceeded: just what is over it, or the older half at once. */
  readonly eviction: 'oldest' | 'half';
  /** At most this many tokens for all that is remembered; 0 is no budget. */
  readonly tokenBudget: number;
  /** What becomes of turns over cap or budget: they are dropped, or wait until they are folded into the summary. */
  readonly whenFull: 'drop' | 'summarize';
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

export interface LeavingTurn {
  readonly turn: StoredTurn;
  readonly reason: 'cap' | 'budget';
}

/** M3, M18. The turns that have to leave so that cap and budget hold: oldest first, pinned ones last, the newest never. */
export function leavingTurns(
  conversation: Pick<Conversation, 'turns' | 'summary'>,
  limits: MemoryLimits,
): readonly LeavingTurn[] {
  const { turns, summary } = conversation;
  const overCap = inOrderOfLeaving(turns).slice(0, countOverCap(turns.length, limits));
  const gone = new Set(overCap);
  const kept = turns.filter((turn) => !gone.has(turn));
  return [
    ...overCap.map((turn) => ({ turn, reason: 'cap' }) as const),
    ...overBudget(kept, summary ? roughTokens(summary.text) : 0, limits).map(
      (turn) => ({ turn, reason: 'budget' }) as const,
    ),
  ];
}

/** Which turn goes first when room is needed. What was just said stays even when all else is pinned. */
export function inOrderOfLeaving(turns: readonly StoredTurn[]): readonly StoredTurn[] {
  const older = turns.slice(0, -1);
  return [...older.filter((turn) => !turn.isPinned), ...older.filter((turn) => turn.isPinned)];
}

/** What a turn takes of a later request: as reported, or as good as one can tell without. */
export function tokensOfTurn({ tokens, messages }: Pick<StoredTurn, 'tokens' | 'messages'>): number {
  return tokens ?? roughTokens(messages);
}

/** About four bytes of JSON are a token. */
export function roughTokens(value: unknown): number {
  return Math.ceil(jsonBytes(value) / 4);
}

function countOverCap(count: number, { maxTurns, eviction }: MemoryLimits): number {
  if (maxTurns === 0 || count <= maxTurns) return 0;
  const over = count - maxTurns;
  return eviction === 'half' ? Math.max(over, Math.floor(count / 2)) : over;
}

function overBudget(
  turns: readonly StoredTurn[],
  otherTokens: number,
  { tokenBudget, eviction }: MemoryLimits,
): readonly StoredTurn[] {
  if (tokenBudget === 0) return [];
  let total = turns.reduce((sum, turn) => sum + tokensOfTurn(turn), otherTokens);
  if (total <= tokenBudget) return [];
  const aim = eviction === 'half' ? tokenBudget / 2 : tokenBudget;
  const leaving: StoredTurn[] = [];
  for (const turn of inOrderOfLeaving(turns)) {
    if (total <= aim) break;
    total -= tokensOfTurn(turn);
    leaving.push(turn);
  }
  return leaving;
}
