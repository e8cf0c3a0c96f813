import { unfolded } from '../folded';
import { boundTo, type ThreadPlace } from '../memory/boundTo';
import type { ConversationMemory } from '../memory/memory';
import { storedTurns } from '../memory/storedTurns';
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
  const handle = source === undefined ? undefined : memory.forConversation(source);
  const snapshot = handle?.snapshot();
  if (!handle || !snapshot) return undefined;
  const found = { ...snapshot, turns: storedTurns(handle) };
  const ids = new Set(since.flatMap(({ turnId }) => turnId ?? []));
  const isShown = ({ id }: StoredTurn) => ids.has(id);
  const folded = found.summary?.folded ?? [];
  // A summary that tells of more than is shown stays behind; what is shown of it comes along as it was.
  const isSummaryShown = folded.every(isShown);
  const turns = (isSummaryShown ? found : unfolded(found)).turns.filter(isShown);
  if (turns.length === 0 && (!isSummaryShown || folded.length === 0)) return undefined;
  const { waiting, summary, ...rest } = found;
  const params = Object.entries(found.params).filter(
    ([, { turnId }]) => turnId !== undefined && ids.has(turnId),
  );
  return {
    ...rest,
    ...(waiting && ids.has(waiting.turnId) && { waiting }),
    ...(isSummaryShown &&
      summary && { summary: { ...summary, folded: folded.map((turn) => boundTo(options, turn)) } }),
    id: conversation,
    turns: turns.map((turn) => boundTo(options, turn)),
    params: Object.fromEntries(params),
  };
}
