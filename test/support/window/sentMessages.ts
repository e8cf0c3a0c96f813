import type { JournalEntry } from '../claude/journal';
import type { ClaudeRequest } from '../claude/request';
import { textOf } from '../claude/request';

/** What a request says before its newest message, one line a message that has text. */
export function historyOf(entry: JournalEntry): string[] {
  const { messages } = entry.body as ClaudeRequest;
  return messages.slice(0, -1).flatMap(({ role, content }) => {
    const said = textOf(content);
    return said ? [`${role}: ${said}`] : [];
  });
}
