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
}

export const noUsage: Usage = { input: 0, cacheRead: 0, cacheWrite: 0, output: 0 };

export function addUsage(a: Usage, b: Usage): Usage {
  return {
    input: a.input + b.input,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite: a.cacheWrite + b.cacheWrite,
    output: a.output + b.output,
    ...((a.cost ?? b.cost) !== undefined && { cost: (a.cost ?? 0) + (b.cost ?? 0) }),
  };
}

/** All that was sent, cached or not. */
export function inputTokens({ input, cacheRead, cacheWrite }: Usage): number {
  return input + cacheRead + cacheWrite;
}

/** Whether anything was taken at all: also what was stopped before its first word has to be paid. */
export function isSpent(usage: Usage): boolean {
  return inputTokens(usage) + usage.output > 0;
}

/** The content as blocks: a plain string is short for one text block. */
export function blocksOf(message: Message): readonly ContentBlock[] {
  return typeof message.content === 'string' ? [{ type: 'text', text: message.content }] : message.content;
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

/** Where the turns of a history begin: at the person's own messages, never at tool results. */
export function turnStarts(history: readonly Message[]): readonly number[] {
  return history.flatMap((message, index) =>
    message.role === 'user' && !hasResults(message) ? [index] : [],
  );
}

/** In place of the person's words, where there are none: the API takes no empty text. */
export const noWords = '(The person sent no words.)';

/** What the person wrote; what was attached stands before it. */
export function ownWords(content: Message['content']): string {
  const texts =
    typeof content === 'string'
      ? [content]
      : content.flatMap((block) => (block.type === 'text' ? [block.text] : []));
  const words = texts.at(-1)?.trim() ?? '';
  return words === noWords ? '' : words;
}
