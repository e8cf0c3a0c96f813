import type Anthropic from '@anthropic-ai/sdk';

/** One entry of the Claude Messages API. */
export type Message = Anthropic.MessageParam;
export type ContentBlock = Anthropic.ContentBlockParam;
export type TextBlock = Anthropic.TextBlockParam;
export type ImageBlock = Anthropic.ImageBlockParam;
export type DocumentBlock = Anthropic.DocumentBlockParam;
export type ToolUseBlock = Anthropic.ToolUseBlockParam;
export type ToolResultBlock = Anthropic.ToolResultBlockParam;
export type ResultPart = Exclude<NonNullable<ToolResultBlock['content']>, string>[number];

/** What the API reported for one request, or the sum over the requests of one turn. */
export interface Usage {
  /** Input tokens that were neither read from nor written to the prompt cache. */
  readonly input: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly output: number;
  /** US dollars; absent when the price of the model is not known. */
  readonly cost?: number;
  /** US dollars that it would have cost more without the cache; less than nothing where writing to it was the most. */
  readonly saved?: number;
}

export const noUsage: Usage = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 };

export function addUsage(a: Usage, b: Usage): Usage {
  return {
    input: a.input + b.input,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite: a.cacheWrite + b.cacheWrite,
    output: a.output + b.output,
    ...((a.cost ?? b.cost) !== undefined && { cost: (a.cost ?? 0) + (b.cost ?? 0) }),
    ...((a.saved ?? b.saved) !== undefined && { saved: (a.saved ?? 0) + (b.saved ?? 0) }),
  };
}

/** All that was sent, cached or not. */
export function inputTokens({ input, cacheRead, cacheWrite }: Usage): number {
  return input + cacheRead + cacheWrite;
}

/** Whether anything has to be paid: also for what was stopped before its first word. */
export function isSpent(usage: Usage): boolean {
  return inputTokens(usage) + usage.output > 0;
}

/** The content as blocks: a plain string is short for one text block. */
export function blocksOf(message: Message): readonly ContentBlock[] {
  return typeof message.content === 'string' ? [{ type: 'text', text: message.content }] : message.content;
}

/** The tool calls in some content. */
export function callsIn(blocks: readonly ContentBlock[]): readonly ToolUseBlock[] {
  return blocks.filter((block) => block.type === 'tool_use');
}

export function textsIn(
  blocks: readonly { readonly type: string; readonly text?: string }[],
): readonly string[] {
  return blocks.flatMap(({ type, text }) => (type === 'text' && text !== undefined ? [text] : []));
}

/** The ids of the tool calls that failed. */
export function failedCalls(messages: readonly Message[]): ReadonlySet<string> {
  const results = messages.flatMap(blocksOf).filter((block) => block.type === 'tool_result');
  return new Set(results.flatMap(({ is_error, tool_use_id }) => (is_error ? [tool_use_id] : [])));
}

/** Whether a message answers tool calls: then it belongs to the turn that made them. */
export function hasResults(message: Message): boolean {
  return blocksOf(message).some((block) => block.type === 'tool_result');
}

/** What a tool returned, as text; of anything else only what kind it is. */
export function resultText({ content = '' }: ToolResultBlock): string {
  if (typeof content === 'string') return content;
  return content.map((part) => (part.type === 'text' ? part.text : `[${part.type}]`)).join('\n');
}

export function withContent(message: Message, content: readonly ContentBlock[]): Message {
  // The type allows system messages among the others; we never write any.
  return message.role === 'system' ? message : { ...message, content: [...content] };
}

/** Where the turns of a history begin: at the user's own messages, never at tool results. */
export function turnStarts(history: readonly Message[]): readonly number[] {
  return history.flatMap((message, index) =>
    message.role === 'user' && !hasResults(message) ? [index] : [],
  );
}

/** Instead of the user's words, where there are none: the API refuses empty text. */
export const noWords = '(The person sent no words.)';

/** What the user wrote; what was attached stands before it. */
export function ownWords(content: Message['content']): string {
  const words =
    textsIn(blocksOf({ role: 'user', content }))
      .at(-1)
      ?.trim() ?? '';
  return words === noWords ? '' : words;
}

/** What Claude said in a turn, as it is remembered: each round is a paragraph of its own. */
export function answerText(messages: readonly Message[]): string {
  return messages
    .filter(({ role }) => role === 'assistant')
    .map((message) => textsIn(blocksOf(message)).join(''))
    .filter((text) => text.trim() !== '')
    .join('\n\n');
}
