import type { ContentBlock, Message, ToolResultBlock, ToolUseBlock } from '../messages';

const notFinished = 'Not finished: the turn was interrupted before this call returned.';

/**
 * Ends a turn that stopped half-way so that the API accepts it and the next turn knows what was done (M7):
 * every tool use is answered, and the last words, Claude's, are `sentence`.
 */
export function closeInterrupted(messages: readonly Message[], sentence: string): Message[] {
  if (messages.length === 0) return [];
  const closed = answerLastToolUses(messages);
  const last = closed.at(-1);
  if (last?.role === 'assistant') {
    return [...closed.slice(0, -1), { ...last, content: [...blocksOf(last), textBlock(sentence)] }];
  }
  return [...closed, { role: 'assistant', content: [textBlock(sentence)] }];
}

/** The result a tool use gets that nobody answered. */
export function unansweredResult(toolUseId: string): ToolResultBlock {
  return { type: 'tool_result', tool_use_id: toolUseId, content: notFinished, is_error: true };
}

function answerLastToolUses(messages: readonly Message[]): Message[] {
  const lastCall = messages.findLastIndex((message) => toolUsesOf(message).length > 0);
  const asked = messages[lastCall];
  const next = messages[lastCall + 1];
  // Only the last two messages can be half a round: what came before was sent to the API as it is.
  if (!asked || lastCall < messages.length - 2) return [...messages];
  const answers = next ? blocksOf(next) : [];
  const answered = new Set(answers.map((block) => (block.type === 'tool_result' ? block.tool_use_id : '')));
  const missing = toolUsesOf(asked).filter((use) => !answered.has(use.id));
  if (next && missing.length === 0) return [...messages];
  const results = answers.filter((block) => block.type === 'tool_result');
  const others = answers.filter((block) => block.type !== 'tool_result');
  const content = [...results, ...missing.map((use) => unansweredResult(use.id)), ...others];
  return [...messages.slice(0, lastCall + 1), { role: 'user', content }];
}

function toolUsesOf(message: Message): ToolUseBlock[] {
  return message.role === 'assistant' ? blocksOf(message).filter((block) => block.type === 'tool_use') : [];
}

function blocksOf(message: Message): readonly ContentBlock[] {
  if (typeof message.content !== 'string') return message.content;
  return message.content === '' ? [] : [textBlock(message.content)];
}

function textBlock(text: string): ContentBlock {
  return { type: 'text', text };
}
