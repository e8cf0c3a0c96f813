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

/** A tool that the server runs. */
export type ServerTool = Exclude<
  Extract<Anthropic.ToolUnion, { type: `web_${string}` | `tool_search_${string}` }>,
  Anthropic.Tool
>;

/** Tools that the client runs. */
export function toolsOf(request: Pick<ClaudeRequest, 'tools'>): readonly Anthropic.Tool[] {
  return (request.tools ?? []).filter(isClientTool);
}

export function serverToolsOf(request: Pick<ClaudeRequest, 'tools'>): readonly ServerTool[] {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the shape lets no others through.
  return (request.tools ?? []).filter((tool) => !isClientTool(tool)) as readonly ServerTool[];
}

export function isClientTool(tool: Anthropic.ToolUnion): tool is Anthropic.Tool {
  return tool.type === undefined || tool.type === null || tool.type === 'custom';
}

/** The tools that Claude sees from the start: they are the beginning of the prompt. */
export function loadedTools(request: Pick<ClaudeRequest, 'tools'>): readonly Anthropic.ToolUnion[] {
  return (request.tools ?? []).filter((tool) => !isDeferred(tool));
}

export function isDeferred(tool: Anthropic.ToolUnion): boolean {
  return 'defer_loading' in tool && tool.defer_loading;
}

/** The text of a message, without its other blocks. */
export function textOf(content: Anthropic.MessageParam['content']): string {
  return blocksOf(content)
    .filter((block) => block.type === 'text')
    .map((block) => block.text)
    .join('\n');
}
