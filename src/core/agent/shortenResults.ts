import { blocksOf, hasResults, resultText, withContent, type ToolResultBlock } from '../messages';
import { truncate } from '../tools/truncate';
import type { TurnMessage } from './turnMessages';

/** So much is left of each: enough to see what it was. */
const keptChars = { older: 500, all: 2_000 } as const;
const hint = 'It was left out to make room: call the tool again for what is still needed, in smaller parts.';

/**
 * A turn with less of what tools returned: in all rounds but the newest, or in that one too. Undefined when nothing is
 * long enough to be worth it.
 */
export function shortenResults(
  turn: readonly TurnMessage[],
  which: 'older' | 'all',
): readonly TurnMessage[] | undefined {
  const newest = turn.findLastIndex(({ message }) => message.role === 'user' && hasResults(message));
  let isShorter = false;
  const shortened = turn.map((entry, index) => {
    if (which === 'older' && index >= newest) return entry;
    const content = blocksOf(entry.message).map((block) => {
      const shorter = block.type === 'tool_result' ? shorten(block, keptChars[which]) : block;
      if (shorter !== block) isShorter = true;
      return shorter;
    });
    return { ...entry, message: withContent(entry.message, content) };
  });
  return isShorter ? shortened : undefined;
}

function shorten(result: ToolResultBlock, maxChars: number): ToolResultBlock {
  const text = resultText(result);
  const hasMedia = typeof result.content === 'object' && result.content.some(({ type }) => type !== 'text');
  const isLong = text.length > maxChars + hint.length * 2 || hasMedia;
  return isLong ? { ...result, content: truncate(text, maxChars, hint) } : result;
}
