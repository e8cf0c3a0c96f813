import { blocksOf, systemBlocksOf, toolsOf, type Block, type ClaudeRequest } from '../support/claude/request';

/** Where a request is cut for the prompt cache: the last tool, the end of the system prompt, ends of messages. */
interface Marks {
  readonly isToolMarked?: boolean;
  readonly isSystemMarked?: boolean;
  readonly messages: readonly number[];
}

type Place = (messages: ClaudeRequest['messages']) => Marks;

/**
 * How others place their cache marks, read in their public sources on 2026-11-16. Only the places: what they send
 * between them is their own.
 */
export const placements: Readonly<Record<string, Place>> = {
  'no caching': () => ({ messages: [] }),
  'system and automatic (the API’s own advice)': (messages) => ({
    isSystemMarked: true,
    messages: [messages.length - 1],
  }),
  // cline/cline src/core/api/providers/anthropic.ts 0162b82; RooCodeInc/Roo-Code src/api/providers/anthropic.ts 099cf85
  'Cline, Roo Code': (messages) => ({ isSystemMarked: true, messages: lastUserMessages(messages) }),
  // continuedev/continue packages/openai-adapters/src/apis/AnthropicCachingStrategies.ts, strategy `systemAndTools`
  Continue: (messages) => ({
    isToolMarked: true,
    isSystemMarked: true,
    messages: lastUserMessages(messages),
  }),
  // sst/opencode packages/opencode/src/provider/transform.ts 47767a7: system, and the last two messages of any role
  opencode: (messages) => ({
    isSystemMarked: true,
    messages: [messages.length - 2, messages.length - 1],
  }),
  // microsoft/vscode-copilot-chat, cacheBreakpoints: ends of rounds, the current question, ends of earlier turns
  'Copilot Chat': (messages) => ({ isSystemMarked: true, messages: endsOfRounds(messages).slice(-3) }),
  // Aider-AI/aider aider/coders/chat_chunks.py 06740fa: system and the turns before the current one
  aider: (messages) => ({ isSystemMarked: true, messages: [messages.findLastIndex(isQuestion) - 1] }),
};

/** The same request with the marks of somebody else. */
export function withMarks(request: ClaudeRequest, place: Place): ClaudeRequest {
  const { isToolMarked = false, isSystemMarked = false, messages } = place(request.messages);
  const tools = toolsOf(request);
  const system = systemBlocksOf(request);
  return {
    ...request,
    tools: tools.map((tool, at) => marked(tool, isToolMarked && at === tools.length - 1)),
    system: system.map((block, at) => marked(block, isSystemMarked && at === system.length - 1)),
    messages: request.messages.map((message, index) => {
      const blocks = blocksOf(message.content);
      const last = messages.includes(index) ? blocks.findLastIndex(takesMark) : -1;
      const content = blocks.map((block, at) => marked(block, at === last));
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same role and blocks.
      return { ...message, content } as typeof message;
    }),
  };
}

function marked<T extends object>(block: T, isMarked: boolean): T {
  const { cache_control: _, ...rest } = block as T & { cache_control?: unknown };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same block, with or without its mark.
  return (isMarked ? { ...rest, cache_control: { type: 'ephemeral' } } : rest) as T;
}

function takesMark({ type }: Block): boolean {
  return type !== 'thinking' && type !== 'redacted_thinking';
}

function lastUserMessages(messages: ClaudeRequest['messages']): readonly number[] {
  return messages.flatMap(({ role }, index) => (role === 'user' ? [index] : [])).slice(-2);
}

/** Below the current question each message of results, the question, and above it each answer without a tool call. */
function endsOfRounds(messages: ClaudeRequest['messages']): readonly number[] {
  const question = messages.findLastIndex(isQuestion);
  return messages.flatMap(({ role, content }, index) => {
    const isEnd =
      index < question
        ? role === 'assistant' && !blocksOf(content).some(({ type }) => type === 'tool_use')
        : role === 'user';
    return isEnd ? [index] : [];
  });
}

/** What begins a turn, and not the results of its tools. */
export function isQuestion(message: ClaudeRequest['messages'][number] | undefined): boolean {
  if (message?.role !== 'user') return false;
  return !blocksOf(message.content).some(({ type }) => type === 'tool_result');
}
