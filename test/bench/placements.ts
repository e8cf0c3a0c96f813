import { blocksOf, systemBlocksOf, toolsOf, type Block, type ClaudeRequest } from '../support/claude/request';

/** Where a request is cut for the prompt cache: the last tool, the end of the system prompt, ends of messages. */
interface Marks {
  readonly isToolMarked?: boolean;
  readonly isSystemMarked?: boolean;
  readonly messages: readonly number[];
  /** What is kept for an hour; five minutes is the rule. */
  readonly hour?: 'tools and system' | 'all';
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
  // microsoft/vscode extensions/copilot/src/platform/endpoint/node/messagesApi.ts 0293dff, as in Copilot Chat 0.67.0
  'Copilot Chat': copilotChat,
  // The same file: `github.copilot.chat.anthropic.promptCaching.extendedTtl` and `extendedTtlMessages`
  'Copilot Chat, extendedTtl (off by default)': (messages) => ({
    ...copilotChat(messages),
    hour: 'tools and system',
  }),
  'Copilot Chat, extendedTtlMessages (off by default)': (messages) => ({
    ...copilotChat(messages),
    hour: 'all',
  }),
  // microsoft/vscode-copilot-chat, cacheBreakpoints: ends of rounds, the current question, ends of earlier turns
  'Copilot Chat, with a key of one’s own': (messages) => ({
    isSystemMarked: true,
    messages: endsOfRounds(messages).slice(-3),
  }),
  // Aider-AI/aider aider/coders/chat_chunks.py 06740fa: system and the turns before the current one
  aider: (messages) => ({ isSystemMarked: true, messages: [messages.findLastIndex(isQuestion) - 1] }),
};

/** The same request with the marks of somebody else. */
export function withMarks(request: ClaudeRequest, place: Place): ClaudeRequest {
  const { isToolMarked = false, isSystemMarked = false, messages, hour } = place(request.messages);
  const [systemMark, messageMark] = [hour ? hourMark : mark, hour === 'all' ? hourMark : mark];
  const tools = toolsOf(request);
  const system = systemBlocksOf(request);
  return {
    ...request,
    tools: tools.map((tool, at) => marked(tool, isToolMarked && at === tools.length - 1 && systemMark)),
    system: system.map((block, at) =>
      marked(block, isSystemMarked && at === system.length - 1 && systemMark),
    ),
    messages: request.messages.map((message, index) => {
      const blocks = blocksOf(message.content);
      const last = messages.includes(index) ? blocks.findLastIndex(takesMark) : -1;
      const content = blocks.map((block, at) => marked(block, at === last && messageMark));
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same role and blocks.
      return { ...message, content } as typeof message;
    }),
  };
}

/** The same request and marks; only how long tools and system prompt are kept is another. */
export function withSystemMark(request: ClaudeRequest, life: '5m' | '1h'): ClaudeRequest {
  const system = systemBlocksOf(request);
  const systemMark = life === '1h' ? hourMark : mark;
  return {
    ...request,
    system: system.map((block, at) => marked(block, at === system.length - 1 && systemMark)),
  };
}

const mark = { type: 'ephemeral' } as const;
const hourMark = { ...mark, ttl: '1h' } as const;

function copilotChat(messages: ClaudeRequest['messages']): Marks {
  return { isToolMarked: true, isSystemMarked: true, messages: [messages.length - 2, messages.length - 1] };
}

function marked<T extends object>(block: T, own: typeof mark | typeof hourMark | false): T {
  const { cache_control: _, ...rest } = block as T & { cache_control?: unknown };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same block, with or without its mark.
  return (own ? { ...rest, cache_control: own } : rest) as T;
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
function isQuestion(message: ClaudeRequest['messages'][number] | undefined): boolean {
  if (message?.role !== 'user') return false;
  return !blocksOf(message.content).some(({ type }) => type === 'tool_result');
}
