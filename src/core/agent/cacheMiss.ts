import { lifetimesMs } from '../cacheTtl';
import type { ConversationId, TurnId } from '../conversation/turn';
import { inputTokens, isSpent, type Message, type TextBlock, type Usage } from '../messages';
import type { Clock, PromptChange } from '../ports';
import { jsonBytes } from '../text/json';
import type { Tool } from '../tools/tool';
import type { AgentEvent } from './events';
import { inSendingOrder } from './prompt';

/** Why a request found less in the prompt cache than the one before it has left there (P6). */
export type CacheMiss =
  | 'model'
  | 'tools'
  | 'instructions'
  | 'notes'
  | 'effort'
  | 'history'
  | 'pause'
  /** The history is gone after five minutes, while tools and instructions were kept for an hour. */
  | 'short-pause'
  /** Nothing is kept for longer than an hour. */
  | 'absence'
  /** By all that the API and we know, it was still there to be found. */
  | 'dropped'
  | 'unknown';

/** What a turn is sent with before its own message. */
interface SentPrefix {
  readonly turn: TurnId;
  readonly model: string;
  readonly effort: string | undefined;
  readonly tools: readonly Tool[];
  readonly instructions: readonly TextBlock[];
  readonly notes: string | undefined;
  readonly history: readonly Message[];
  /** The turns in it. */
  readonly inSight: ReadonlySet<TurnId>;
}

/** Finds out in one turn why a request of it found less than it could: the first that did. */
export interface CacheFollower {
  follow(event: AgentEvent): void;
  /** Undefined when all was found, and when nothing was sent before in this window. */
  miss(): CacheMiss | undefined;
  /** The id of the message before the next one; `null` when there is none, or when its turn is not remembered. */
  readonly previousMessage: () => string | null;
}

/** Knows what the last turn of each conversation has left in the cache. */
interface CacheWatch {
  begin(conversation: ConversationId, sent: SentPrefix): CacheFollower;
}

export function createCacheWatch(clock: Clock): CacheWatch {
  const left = new Map<ConversationId, LeftInCache>();
  return {
    begin(conversation, sent) {
      const before = left.get(conversation);
      const now = {
        ...sent,
        tools: toolsAsSent(sent.tools),
        instructions: JSON.stringify(sent.instructions),
      };
      let miss: CacheMiss | undefined;
      let at = clock();
      /** The request of this turn before. */
      let round: { readonly usage: Usage; readonly at: number } | undefined;
      return {
        miss: () => miss,
        previousMessage() {
          const last = left.get(conversation)?.message;
          return last && (last.turn === now.turn || now.inSight.has(last.turn)) ? last.id : null;
        },
        follow(event) {
          if (event.type === 'request-start') at = clock();
          if (event.type !== 'request-end' || !isSpent(event.usage)) return;
          miss ??= round
            ? missedInRound(round, at, event)
            : before && whyMissed(before, { ...now, at }, event);
          round = { usage: event.usage, at };
          const message = event.message
            ? { id: event.message.id, turn: now.turn }
            : left.get(conversation)?.message;
          left.set(conversation, { ...now, at, ...(message && { message }) });
        },
      };
    },
  };
}

interface LeftInCache extends Omit<SentPrefix, 'tools' | 'instructions'> {
  /** As JSON. */
  readonly tools: string;
  readonly instructions: string;
  /** When the last request began. */
  readonly at: number;
  /** The last one, and the turn that got it. */
  readonly message?: { readonly id: string; readonly turn: TurnId };
}

function toolsAsSent(tools: readonly Tool[]): string {
  return JSON.stringify(
    inSendingOrder(tools).map(({ name, description, inputSchema }) => [name, description, inputSchema]),
  );
}

/** The cache keeps whole blocks, and how a message splits into tokens is an estimate. */
const foundEnough = 0.8;

type RequestEnd = Extract<AgentEvent, { readonly type: 'request-end' }>;

/** Undefined when the first request of a turn has found all that it could. */
function whyMissed(before: LeftInCache, now: LeftInCache, event: RequestEnd): CacheMiss | undefined {
  const { usage, sizes, message } = event;
  const all = inputTokens(usage);
  const historyBytes = sizes.history.reduce((sum, size) => sum + size, 0);
  const bytes =
    sizes.system + sizes.tools + historyBytes + sizes.earlier + sizes.rounds + sizes.message + sizes.context;
  if (all === 0 || bytes === 0) return undefined;
  const kept = sizes.system + sizes.tools + jsonBytes(before.history);
  if (usage.cacheRead >= foundEnough * all * Math.min(1, kept / bytes)) return undefined;
  return named(message?.promptChange, ownReason(before, now, usage));
}

/** What we know of it ourselves. */
function ownReason(before: LeftInCache, now: LeftInCache, usage: Usage): CacheMiss {
  if (before.model !== now.model) return 'model';
  if (before.tools !== now.tools) return 'tools';
  if (before.instructions !== now.instructions) return 'instructions';
  if (before.notes !== now.notes) return 'notes';
  if (before.effort !== now.effort) return 'effort';
  const pause = pauseOf(now.at - before.at, usage);
  if (pause) return pause;
  // Whatever became of the history, tools and instructions before it are still found.
  return usage.cacheRead === 0 || goesOn(before.history, now.history) ? 'unknown' : 'history';
}

/** A later request of a turn only goes on: it finds all that the one before it has read and written. */
function missedInRound(
  before: { readonly usage: Usage; readonly at: number },
  at: number,
  { usage, message }: RequestEnd,
): CacheMiss | undefined {
  if (usage.cacheRead >= foundEnough * (before.usage.cacheRead + before.usage.cacheWrite)) return undefined;
  const change = message?.promptChange;
  const own = pauseOf(at - before.at, usage) ?? (change === 'messages' ? 'history' : 'unknown');
  return named(change, own);
}

/** How long the cache had nothing to do, where that is too long. */
function pauseOf(pausedMs: number, { cacheRead }: Usage): CacheMiss | undefined {
  if (pausedMs <= lifetimesMs['5m']) return undefined;
  if (pausedMs > lifetimesMs['1h']) return 'absence';
  return cacheRead > 0 ? 'short-pause' : 'pause';
}

/**
 * With what the API says, which has seen what really arrived. That messages differ it says of every turn, since context
 * and thinking go with the newest message only: it means that all before them is the same.
 */
function named(change: PromptChange | undefined, own: CacheMiss): CacheMiss {
  if (change === 'model' || change === 'tools') return change;
  if (change === 'system') return own === 'notes' ? 'notes' : 'instructions';
  return change !== undefined && own === 'unknown' ? 'dropped' : own;
}

/** Turns were evicted, summarized, forgotten or taken back, unless all of it is still at the beginning. */
function goesOn(before: readonly Message[], now: readonly Message[]): boolean {
  return before.every((message, index) => JSON.stringify(message) === JSON.stringify(now[index]));
}
