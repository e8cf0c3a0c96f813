import { memoizeByObject } from '../memoizeByObject';
import type { Message } from '../messages';
import { jsonBytes } from '../text/json';
import { isEmpty } from './changes';
import type { MemoryState } from './store';
import { repairedMessages, summaryMessages } from './transcript';
import type { Conversation, StoredTurn, Summary } from './turn';

/** The limits as the settings have them now. */
export interface MemoryLimits {
  /** At most this many turns; 0 is no cap. */
  readonly maxTurns: number;
  /** Seconds after which a conversation that nobody continued has ended; 0 is never. */
  readonly timeoutSeconds: number;
  /** What is evicted when the cap is exceeded: just what is over it, or the older half at once. */
  readonly eviction: 'oldest' | 'half';
  /** At most this many tokens for all that is remembered; 0 is no budget. */
  readonly tokenBudget: number;
  /** What happens to turns over cap or budget: they are dropped, or wait until the summary stands for them. */
  readonly whenFull: 'drop' | 'summarize';
  /** At most this many archived conversations; 0 is no archive. */
  readonly archiveSize: number;
}

/** What there is of a conversation at one moment. Everything that shows or sends it reads this one value. */
export interface ConversationView {
  /** As it reaches Claude: without the turns over the limits. */
  readonly conversation: Conversation;
  /** The turns over the limits, oldest first: they no longer reach Claude. */
  readonly evicted: readonly EvictedTurn[];
  /** The first to go once newer turns fill the room. */
  readonly nextToEvict: StoredTurn | undefined;
  /** In how many milliseconds it ends by itself; nothing when it does not. */
  readonly endsIn: number | undefined;
  /** What is sent of it, and which turn each message belongs to. */
  readonly history: readonly HistoryPart[];
}

export interface EvictedTurn {
  readonly turn: StoredTurn;
  readonly reason: 'cap' | 'budget';
}

export interface HistoryPart {
  /** Absent for the summary, which goes first. */
  readonly turn?: StoredTurn;
  readonly messages: readonly Message[];
}

/** The conversations that have not ended, as the limits leave them. The only place that knows cap, budget and expiry. */
export function viewOf(
  state: MemoryState,
  limits: MemoryLimits,
  now: number,
): ReadonlyMap<Conversation['id'], ConversationView> {
  const alive = [...state.conversations.values()].filter(
    (one) => !isEmpty(one) && !hasEnded(one, state, limits, now),
  );
  return new Map(alive.map((conversation) => [conversation.id, viewOfOne(conversation, limits, now)]));
}

export function viewOfOne(conversation: Conversation, limits: MemoryLimits, now: number): ConversationView {
  const evicted = evictedBy(conversation, limits);
  const gone = new Set(evicted.map(({ turn }) => turn));
  const turns = gone.size === 0 ? conversation.turns : conversation.turns.filter((turn) => !gone.has(turn));
  // A clock that was ahead is put right with the next change.
  const lastActive = Math.min(conversation.lastActive, now);
  const isAsStored = turns === conversation.turns && lastActive === conversation.lastActive;
  const seen = isAsStored ? conversation : { ...conversation, turns, lastActive };
  return {
    conversation: seen,
    evicted,
    nextToEvict: nextToEvict(seen, limits),
    endsIn: endsIn(conversation, limits, now),
    get history() {
      return historyOf(seen);
    },
  };
}

/** A plan that waits for an answer survives a night, and a weekend (N1). */
const planQuestionMs = 7 * 24 * 60 * 60 * 1000;

/** M2. A turn under way keeps its conversation alive, in whatever window it runs, and so does a question of `/plan`. */
export function hasEnded(
  { id, lastActive, waiting }: Conversation,
  { running }: MemoryState,
  { timeoutSeconds }: MemoryLimits,
  now: number,
): boolean {
  if (timeoutSeconds === 0 || now - lastActive <= timeoutSeconds * 1000) return false;
  if (waiting?.isPlanning && now - waiting.askedAt <= planQuestionMs) return false;
  return ![...running.values()].some(({ conversation }) => conversation === id);
}

/** M3, M18. The turns that have to go so that cap and budget hold: oldest first, pinned ones last, the newest never. */
export function evictedBy(
  conversation: Pick<Conversation, 'turns' | 'summary'>,
  limits: MemoryLimits,
): readonly EvictedTurn[] {
  const { turns, summary } = conversation;
  const count = countOverCap(turns, limits);
  const overCap = count === 0 ? [] : [...inOrderOfEviction(turns)].slice(0, count);
  const gone = new Set(overCap);
  const kept = count === 0 ? turns : turns.filter((turn) => !gone.has(turn));
  return [
    ...overCap.map((turn) => ({ turn, reason: 'cap' }) as const),
    ...overBudget(kept, summary, limits).map((turn) => ({ turn, reason: 'budget' }) as const),
  ];
}

/**
 * M18. The turns to summarize when any has to go, oldest first. Whatever `eviction` says, it is the older half at once:
 * each summary is a request of its own, and changes what stands first in all that is cached.
 */
export function turnsToSummarize(
  turns: readonly StoredTurn[],
  evicted: readonly StoredTurn[],
  limits: MemoryLimits,
): readonly StoredTurn[] {
  if (evicted.length === 0) return [];
  const room = limits.tokenBudget - maxSummaryTokens(limits);
  const tokenBudget = limits.tokenBudget === 0 ? 0 : Math.max(1, room);
  const half = evictedBy({ turns }, { ...limits, eviction: 'half', tokenBudget });
  const chosen = new Set([...evicted, ...half.map(({ turn }) => turn)]);
  return turns.filter((turn) => chosen.has(turn));
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
export function* inOrderOfEviction(turns: readonly StoredTurn[]): Iterable<StoredTurn> {
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
export function tokensOfTurn(turn: Pick<StoredTurn, 'tokens' | 'messages'>): number {
  return turn.tokens ?? estimatedTokens(turn);
}

const estimatedTokens = memoizeByObject(({ messages }: Pick<StoredTurn, 'messages'>) =>
  roughTokens(messages),
);

/** As one list that can stand before the user's next message. */
export function flatHistory(history: readonly HistoryPart[]): Message[] {
  return history.flatMap(({ messages }) => messages);
}

/** What is sent of a conversation. Each turn is made whole by itself, so that a damaged one spoils none after it. */
export const historyOf = memoizeByObject(({ turns, summary }: Conversation): readonly HistoryPart[] => {
  const usedIds = new Set<string>();
  const parts = turns.map((turn) => ({ turn, messages: repairedMessages(turn.messages, usedIds) }));
  return summary ? [{ messages: summaryMessages(summary.text) }, ...parts] : parts;
});

function nextToEvict({ turns }: Conversation, limits: MemoryLimits): StoredTurn | undefined {
  const isBounded = limits.maxTurns > 0 || limits.tokenBudget > 0;
  return isBounded ? (turns.find((turn) => !turn.isPinned) ?? turns[0]) : undefined;
}

/** One whose time is up and that is still there has a turn under way, and does not end before that does. */
function endsIn({ lastActive }: Conversation, { timeoutSeconds }: MemoryLimits, now: number) {
  const left = Math.min(lastActive, now) + timeoutSeconds * 1000 - now;
  return timeoutSeconds > 0 && left > 0 ? left : undefined;
}

/** About three bytes of JSON are a token: rather too many than a budget that does not hold. */
function roughTokens(messages: readonly Message[]): number {
  return Math.ceil(jsonBytes(messages) / 3);
}

function countOverCap(turns: readonly StoredTurn[], { maxTurns, eviction }: MemoryLimits): number {
  const over = turns.length - maxTurns;
  if (maxTurns === 0 || over <= 0) return 0;
  if (eviction === 'oldest') return over;
  // More than has to go is for the cache alone: no pinned turn goes for that.
  const unpinned = turns.slice(0, -1).filter(({ isPinned }) => !isPinned).length;
  return Math.max(over, Math.min(unpinned, Math.floor(turns.length / 2)));
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
  const evicted: StoredTurn[] = [];
  for (const turn of inOrderOfEviction(turns)) {
    if (total <= aim) break;
    total -= tokensOfTurn(turn);
    evicted.push(turn);
  }
  return evicted;
}
