import { blocksOf, callsIn, type Message, type TextBlock, type ToolResultBlock } from '../messages';

const notFinished = 'Not finished: the turn was interrupted before this call returned.';

/**
 * Ends a turn that stopped half-way so that the API accepts it and the next turn knows what was done (M7):
 * every tool use is answered, and the last words, Claude's, are `sentence`.
 */
export function closeInterrupted(messages: readonly Message[], sentence: string): Message[] {
  if (messages.length === 0) return [];
  const closed = answerLastToolUses(messages);
  const last = closed.at(-1);
  const words: TextBlock = { type: 'text', text: sentence };
  if (last?.role === 'assistant') {
    return [...closed.slice(0, -1), { ...last, content: [...blocksOf(last), words] }];
  }
  return [...closed, { role: 'assistant', content: [words] }];
}

/** Closes a turn whose window died. */
export const crashed =
  '[This turn was interrupted: VS Code stopped before it was finished. What is above was done.]';

/** The result a tool use gets that nobody answered. */
export function unansweredResult(toolUseId: string): ToolResultBlock {
  return { type: 'tool_result', tool_use_id: toolUseId, content: notFinished, is_error: true };
}

function answerLastToolUses(messages: readonly Message[]): Message[] {
  const lastCall = messages.findLastIndex(
    (message) => message.role === 'assistant' && callsIn(blocksOf(message)).length > 0,
  );
  const asked = messages[lastCall];
  const next = messages[lastCall + 1];
  // Only the last two messages can be half a round: what came before was sent to the API as it is.
  if (!asked || lastCall < messages.length - 2) return [...messages];
  const answers = next ? blocksOf(next) : [];
  const answered = new Set(answers.map((block) => (block.type === 'tool_result' ? block.tool_use_id : '')));
  const missing = callsIn(blocksOf(asked)).filter((use) => !answered.has(use.id));
  if (next && missing.length === 0) return [...messages];
  const results = answers.filter((block) => block.type === 'tool_result');
  const others = answers.filter((block) => block.type !== 'tool_result');
  const content = [...results, ...missing.map((use) => unansweredResult(use.id)), ...others];
  return [...messages.slice(0, lastCall + 1), { role: 'user', content }];
}
