import type Anthropic from '@anthropic-ai/sdk';

/** A request whose form has been checked. */
export type ClaudeRequest = Anthropic.MessageCreateParams;
export type Block = Anthropic.ContentBlockParam;

/** Content as blocks: a plain string is short for one text block. */
export function blocksOf(content: Anthropic.MessageParam['content']): readonly Block[] {
  return typeof content === 'string' ? [{ type: 'text', text: content }] : content;
}

export function systemBlocksOf(request: Pick<ClaudeRequest, 'system'>): readonly Anthropic.TextBlockParam[] {
  const { system } = request;
  if (system === undefined) return [];
  return typeof system === 'string' ? [{ type: 'text', text: system }] : system;
}

/** Tools that the client runs; the request's form allows no others. */
export function toolsOf(request: Pick<ClaudeRequest, 'tools'>): readonly Anthropic.Tool[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the shape has let only custom tools through.
  return (request.tools ?? []) as readonly Anthropic.Tool[];
}

/** The text of a message, without its other blocks. */
export function textOf(content: Anthropic.MessageParam['content']): string {
  return blocksOf(content)
    .filter((block) => block.type === 'text')
    .map((block) => block.text)
    .join('\n');
}
