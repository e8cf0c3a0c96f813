import type { ConversationMemory } from '../memory/memory';
import type { ShownTurn } from './reconcile';
import type { Conversation, ConversationId, StoredTurn } from '../turn';

/** One exchange as the panel shows it, with all that its answer carried. */
export interface ShownAnswer extends ShownTurn {
  readonly threadId?: string;
  readonly conversationId?: ConversationId;
  /** Never part of a conversation: a slash command about it, or a question outside of it. */
  readonly isAside?: boolean;
}

/**
 * What a thread shows and only another conversation remembers, after a fork or a change of scope: with it, what is
 * shown is what is sent. Only what was answered since this conversation was last used here counts: anything older left
 * it for a reason of its own.
 */
export function threadCopy(options: {
  readonly shown: readonly ShownAnswer[];
  readonly conversation: ConversationId;
  readonly thread: string;
  readonly activation: string;
  readonly memory: ConversationMemory;
}): Conversation | undefined {
  const { shown, conversation, memory } = options;
  const since = shown.slice(shown.findLastIndex(({ conversationId }) => conversationId === conversation) + 1);
  const source = since.findLast(({ conversationId }) => conversationId !== undefined)?.conversationId;
  const found = source === undefined ? undefined : memory.forConversation(source).snapshot();
  if (!found) return undefined;
  const { waiting, ...rest } = found;
  const ids = new Set(since.flatMap(({ turnId }) => turnId ?? []));
  const turns = found.turns.filter(({ id }) => ids.has(id));
  if (turns.length === 0) return undefined;
  const params = Object.entries(found.params).filter(
    ([, { turnId }]) => turnId !== undefined && ids.has(turnId),
  );
  return {
    ...rest,
    ...(waiting && ids.has(waiting.turnId) && { waiting }),
    id: conversation,
    turns: turns.map((turn) => boundTo(options, turn)),
    params: Object.fromEntries(params),
  };
}

/** As if it had been asked here: from now on this thread of this window shows it. */
export function boundTo({ thread, activation }: ThreadPlace, turn: StoredTurn): StoredTurn {
  return { ...turn, thread, activation };
}

interface ThreadPlace {
  readonly thread: string;
  readonly activation: string;
}
