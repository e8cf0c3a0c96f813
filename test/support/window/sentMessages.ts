import type { Journal, JournalEntry } from '../claude/journal';
import { type ClaudeRequest, blocksOf, textOf } from '../claude/request';

/** What a request says before its newest message, one line a message that has text. */
export function historyOf(entry: JournalEntry): string[] {
  const { messages } = entry.body as ClaudeRequest;
  return messages.slice(0, -1).flatMap(({ role, content }) => {
    const said = textOf(content);
    return said ? [`${role}: ${said}`] : [];
  });
}

/** The types of all blocks that the person sent, request by request. */
export function sentTypes({ messages }: Journal): readonly (readonly string[])[] {
  return messages.map(({ body }) =>
    (body as ClaudeRequest).messages.flatMap(({ role, content }) =>
      role === 'user' ? blocksOf(content).map(({ type }) => type) : [],
    ),
  );
}

/** All tool results of a request, oldest first, as Claude gets them. */
export function resultsOf(entry: JournalEntry): { id: string; text: string; isError: boolean }[] {
  const { messages } = entry.body as ClaudeRequest;
  return messages.flatMap(({ content }) =>
    blocksOf(content).flatMap((block) => {
      if (block.type !== 'tool_result') return [];
      const parts = typeof block.content === 'object' ? block.content : [];
      const texts = parts.flatMap((part) => (part.type === 'text' ? [part.text] : []));
      const text = typeof block.content === 'string' ? block.content : texts.join('\n');
      return [{ id: block.tool_use_id, text, isError: block.is_error === true }];
    }),
  );
}
