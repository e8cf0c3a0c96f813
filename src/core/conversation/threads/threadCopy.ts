import { inThread, type ThreadPlace } from '../changes';
import type { ConversationMemory } from '../memory/memory';
import { unsummarized } from '../summary';
import type { Conversation, ConversationId, StoredTurn } from '../turn';
import type { ShownTurn } from './reconcile';

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
export function threadCopy(
  options: ThreadPlace & {
    readonly shown: readonly ShownAnswer[];
    readonly conversation: ConversationId;
    readonly memory: ConversationMemory;
  },
): Conversation | undefined {
  const { shown, conversation, memory } = options;
  const since = shown.slice(shown.findLastIndex(({ conversationId }) => conversationId === conversation) + 1);
  const source = since.findLast(({ conversationId }) => conversationId !== undefined)?.conversationId;
  const found = source === undefined ? undefined : memory.stored(source);
  if (!found) return undefined;
  const ids = new Set(since.flatMap(({ turnId }) => turnId ?? []));
  const isShown = ({ id }: StoredTurn) => ids.has(id);
  const { waiting, summary, ...rest } = found;
  // A summary that tells of more than is shown stays behind; what is shown of it comes along as it was.
  const isSummaryShown = found.summarized.every(isShown);
  const turns = (isSummaryShown ? found : unsummarized(found)).turns.filter(isShown);
  if (turns.length === 0 && (!isSummaryShown || found.summarized.length === 0)) return undefined;
  const here = (turn: StoredTurn) => inThread(turn, options);
  return {
    ...rest,
    ...(waiting && ids.has(waiting.turnId) && { waiting }),
    ...(isSummaryShown && summary && { summary }),
    id: conversation,
    turns: turns.map(here),
    summarized: isSummaryShown ? found.summarized.map(here) : [],
    params: found.params.filter(({ turnId }) => turnId !== undefined && ids.has(turnId)),
  };
}
