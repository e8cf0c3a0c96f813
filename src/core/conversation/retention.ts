import { jsonBytes } from '../json';
import type { Message } from '../messages';
import { once } from '../once';
import { summaryMessages } from './transcript';
import type { Conversation, StoredTurn, Summary } from './turn';

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
 * In how many milliseconds a conversation that is remembered now ends by itself; nothing when it does not. One whose
 * time is up and that is still there has a turn under way, and does not end before that does.
 */
export function endsIn(
  { lastActive }: Conversation,
  { timeoutSeconds }: MemoryLimits,
  now: number,
): number | undefined {
  const left = lastActive + timeoutSeconds * 1000 - now;
  return timeoutSeconds > 0 && left > 0 ? left : undefined;
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
  const count = countOverCap(turns.length, limits);
  const overCap = count === 0 ? [] : [...inOrderOfLeaving(turns)].slice(0, count);
  const gone = new Set(overCap);
  const kept = count === 0 ? turns : turns.filter((turn) => !gone.has(turn));
  return [
    ...overCap.map((turn) => ({ turn, reason: 'cap' }) as const),
    ...overBudget(kept, summary, limits).map((turn) => ({ turn, reason: 'budget' }) as const),
  ];
}

/**
 * M18. The turns to fold into the summary when any has to leave, oldest first. Whatever `eviction` says, it is the older
 * half at once: each fold is a request of its own, and changes what stands first in all that is cached.
 */
export function turnsToFold(
  turns: readonly StoredTurn[],
  leaving: readonly StoredTurn[],
  limits: MemoryLimits,
): readonly StoredTurn[] {
  if (leaving.length === 0) return [];
  const room = limits.tokenBudget - maxSummaryTokens(limits);
  const tokenBudget = limits.tokenBudget === 0 ? 0 : Math.max(1, room);
  const half = leavingTurns({ turns }, { ...limits, eviction: 'half', tokenBudget });
  const folding = new Set([...leaving, ...half.map(({ turn }) => turn)]);
  return turns.filter((turn) => folding.has(turn));
}

/** What the summary may take of a request: it is not to crowd out the turns that it serves. */
export function maxSummaryTokens({ tokenBudget }: MemoryLimits): number {
  if (tokenBudget === 0) return 2_000;
  return Math.max(150, Math.min(2_000, Math.floor(tokenBudget / 4)));
}

export function tokensOfSummary({ text }: Pick<Summary, 'text'>): number {
  return roughTokens(summaryMessages(text));
}

/** Which turn goes first when room is needed. What was just said stays even when all else is pinned. */
export function* inOrderOfLeaving(turns: readonly StoredTurn[]): Iterable<StoredTurn> {
  const older = turns.slice(0, -1);
  for (const turn of older) if (!turn.isPinned) yield turn;
  for (const turn of older) if (turn.isPinned) yield turn;
}

/** What all of it takes of a later request. */
export function tokensOf({ turns, summary }: Pick<Conversation, 'turns' | 'summary'>): number {
  const total = turns.reduce((sum, turn) => sum + tokensOfTurn(turn), 0);
  return total + (summary ? tokensOfSummary(summary) : 0);
}

/**
 * What a turn takes of a later request: as reported, or as good as one can tell without. Every save asks this of all
 * turns: measured anew each time, it would cost three times as much with 1,000 turns as with ten.
 */
export const tokensOfTurn = once(
  ({ tokens, messages }: Pick<StoredTurn, 'tokens' | 'messages'>) => tokens ?? roughTokens(messages),
);

/** About three bytes of JSON are a token: rather too many than a budget that does not hold. */
function roughTokens(messages: readonly Message[]): number {
  return Math.ceil(jsonBytes(messages) / 3);
}

function countOverCap(count: number, { maxTurns, eviction }: MemoryLimits): number {
  if (maxTurns === 0 || count <= maxTurns) return 0;
  const over = count - maxTurns;
  return eviction === 'half' ? Math.max(over, Math.floor(count / 2)) : over;
}

function overBudget(
  turns: readonly StoredTurn[],
  summary: Summary | undefined,
  { tokenBudget, eviction }: MemoryLimits,
): readonly StoredTurn[] {
  if (tokenBudget === 0) return [];
  let total = tokensOf({ turns, ...(summary ? { summary } : {}) });
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
