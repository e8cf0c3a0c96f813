import type { CacheTtl } from '../cacheTtl';
import {
  blocksOf,
  hasResults,
  withContent,
  type ContentBlock,
  type Message,
  type TextBlock,
} from '../messages';

/*
 * The API hashes tools, system and messages from the start, keeps what ends at a mark, and on the next request looks
 * back at most 20 blocks from each mark for something kept. Four marks are allowed:
 *
 *   1. the last system block: all that is left to read once the oldest turns were dropped, and the only one
 *      that may be kept for an hour (`cachePace.ts`): a mark with a longer TTL must stand before the others;
 *   2. the end of the history: the running turn is remembered in another form than it is sent (no thinking, images
 *      as placeholders), so this is as far as the next turn can read for sure;
 *   3. where the request before this one ended: within a turn exactly its end, however many blocks the round added;
 *      in the first request of a turn the end of the last turn's question, from where mark 2 of that turn is near;
 *   4. the end, for the next request.
 */

/** Marks a request so that it reads all that the one before it wrote. Nothing but the marks differs from the input. */
export function markForCache(
  system: readonly TextBlock[],
  messages: readonly Message[],
  historyLength: number,
  systemTtl: CacheTtl = '5m',
): { readonly system: readonly TextBlock[]; readonly messages: readonly Message[] } {
  const marked = new Set([messages.length - 1, historyLength - 1, previousEnd(messages, historyLength)]);
  return {
    system: system.map((block, index) =>
      index === system.length - 1 ? { ...block, ...markFor(systemTtl) } : block,
    ),
    messages: messages.map((message, index) => toBlocks(message, marked.has(index))),
  };
}

const mark = { cache_control: { type: 'ephemeral' } } as const;

function markFor(ttl: CacheTtl): Pick<TextBlock, 'cache_control'> {
  return ttl === '5m' ? mark : { cache_control: { ...mark.cache_control, ttl } };
}

function previousEnd(messages: readonly Message[], historyLength: number): number {
  const isFirstRequest = messages.length <= historyLength + 1;
  return messages
    .slice(0, -1)
    .findLastIndex((message) => message.role === 'user' && !(isFirstRequest && hasResults(message)));
}

/** Always blocks, never a string: with and without a mark a message must read the same. */
function toBlocks(message: Message, isMarked: boolean): Message {
  const content = [...blocksOf(message)];
  const at = isMarked ? content.findLastIndex(takesMark) : -1;
  const block = content[at];
  if (block) content[at] = { ...block, ...mark };
  return withContent(message, content);
}

function takesMark(block: ContentBlock): boolean {
  return (
    block.type === 'tool_use' ||
    block.type === 'tool_result' ||
    block.type === 'image' ||
    block.type === 'document' ||
    (block.type === 'text' && block.text !== '')
  );
}
