import type { ConversationId } from '../conversation/turn';
import { inputTokens, isSpent, type Message, type TextBlock, type Usage } from '../messages';
import type { Clock } from '../ports';
import { jsonBytes } from '../text/json';
import type { Tool } from '../tools/tool';
import type { AgentEvent } from './events';
import { inSendingOrder } from './prompt';
import type { PromptSizes } from './promptSizes';

/** Why a message found less in the prompt cache than the one before it has left there (P6). */
export type CacheMiss =
  | 'model'
  | 'tools'
  | 'instructions'
  | 'notes'
  | 'effort'
  | 'history'
  | 'pause'
  | 'unknown';

/** What a turn is sent with before its own message. */
interface SentPrefix {
  readonly model: string;
  readonly effort: string | undefined;
  readonly tools: readonly Tool[];
  readonly instructions: readonly TextBlock[];
  readonly notes: string | undefined;
  readonly history: readonly Message[];
}

/** Finds out in one turn why its first request found less than it could. */
export interface CacheFollower {
  follow(event: AgentEvent): void;
  /** Undefined when it found all, and when nothing was sent before in this window. */
  miss(): CacheMiss | undefined;
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
      let isFirst = true;
      return {
        miss: () => miss,
        follow(event) {
          if (event.type === 'request-start') at = clock();
          if (event.type !== 'request-end' || !isSpent(event.usage)) return;
          if (isFirst && before) miss = whyMissed(before, { ...now, at }, event);
          isFirst = false;
          left.set(conversation, { ...now, at });
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
}

function toolsAsSent(tools: readonly Tool[]): string {
  return JSON.stringify(
    inSendingOrder(tools).map(({ name, description, inputSchema }) => [name, description, inputSchema]),
  );
}

/** What is kept for five minutes is gone then; how much is kept for an hour, the usage says. */
const shortestLifeMs = 300_000;
/** The cache keeps whole blocks, and how a message splits into tokens is an estimate. */
const foundEnough = 0.8;

/** Undefined when the first request of a turn has found all that it could. */
function whyMissed(
  before: LeftInCache,
  now: LeftInCache,
  { usage, sizes }: { readonly usage: Usage; readonly sizes: PromptSizes },
): CacheMiss | undefined {
  const all = inputTokens(usage);
  const historyBytes = sizes.history.reduce((sum, size) => sum + size, 0);
  const bytes =
    sizes.system + sizes.tools + historyBytes + sizes.earlier + sizes.rounds + sizes.message + sizes.facts;
  if (all === 0 || bytes === 0) return undefined;
  const kept = sizes.system + sizes.tools + jsonBytes(before.history);
  if (usage.cacheRead >= foundEnough * all * Math.min(1, kept / bytes)) return undefined;
  if (before.model !== now.model) return 'model';
  if (before.tools !== now.tools) return 'tools';
  if (before.instructions !== now.instructions) return 'instructions';
  if (before.notes !== now.notes) return 'notes';
  if (before.effort !== now.effort) return 'effort';
  if (now.at - before.at > shortestLifeMs) return 'pause';
  return goesOn(before.history, now.history) ? 'unknown' : 'history';
}

/** Turns were evicted, summarized, forgotten or taken back, unless all of it is still at the beginning. */
function goesOn(before: readonly Message[], now: readonly Message[]): boolean {
  return before.every((message, index) => JSON.stringify(message) === JSON.stringify(now[index]));
}
