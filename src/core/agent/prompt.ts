import type { CacheTtl } from '../cacheTtl';
import { blocksOf, callsIn, withContent, type ContentBlock, type Message, type TextBlock } from '../messages';
import type { Effort, ModelRequest } from '../ports';
import type { Tool } from '../tools/tool';
import { markForCache } from './promptCache';
import { isToolSearch, type TurnMessage } from './turnMessages';

/** All that goes into one request. It only grows at the end, unless a request was refused for its length or a part. */
export interface Prompt {
  readonly system: readonly TextBlock[];
  readonly tools: readonly Tool[];
  readonly history: readonly Message[];
  /** Sent with the newest message only, so that everything before it stays cached. */
  readonly context: string | undefined;
  readonly turn: readonly TurnMessage[];
  /** How many messages of the turn are sent as plain text; see `flattenRounds`. */
  readonly flattened: number;
}

export interface ModelSettings {
  readonly modelId: string;
  readonly maxOutputTokens?: number | undefined;
  readonly effort?: Effort | undefined;
}

export function toRequest(prompt: Prompt, settings: ModelSettings, systemTtl: CacheTtl): ModelRequest {
  const messages = sentMessages(prompt);
  return {
    model: settings.modelId,
    ...(settings.maxOutputTokens !== undefined && { maxOutputTokens: settings.maxOutputTokens }),
    ...(settings.effort !== undefined && { effort: settings.effort }),
    tools: prompt.tools.length > 0 ? toApiTools(prompt.tools) : retiredTools(messages),
    ...markForCache(prompt.system, messages, prompt.history.length, systemTtl),
  };
}

/** The order in which tools are sent. VS Code lists them in any order, and a changed order would invalidate the whole cache. */
export function inSendingOrder(tools: readonly Tool[]): readonly Tool[] {
  return tools.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** All messages as they are sent. The API names what it refuses by its place here. */
export function sentMessages(prompt: Prompt): readonly Message[] {
  return [...prompt.history, ...sentTurn(prompt)];
}

/** The turn as it is sent. */
export function sentTurn({ turn, context, flattened }: Prompt): readonly Message[] {
  const newest = turn.findIndex(({ isEarlier }) => !isEarlier);
  const messages = turn.map(({ message }, index) =>
    index === newest ? withContext(message, context) : message,
  );
  return flattened === 0
    ? messages
    : [...flattenRounds(messages.slice(0, flattened)), ...messages.slice(flattened)];
}

function toApiTools(tools: readonly Tool[]): ModelRequest['tools'] {
  const sent = inSendingOrder(tools).map(toApiTool);
  // Last: the API names a tool that it refuses by its place.
  return tools.some(({ deferral }) => deferral) ? [...sent, toolSearch] : sent;
}

function toApiTool({ name, description, inputSchema: { required, ...schema }, deferral }: Tool) {
  return {
    name,
    description,
    input_schema: { ...schema, ...(required && { required: [...required] }) },
    ...(deferral && { defer_loading: true }),
  };
}

const toolSearch = { type: 'tool_search_tool_bm25_20251119', name: 'tool_search_tool_bm25' } as const;

/** Of tools of others, an endpoint without tool search gets this many (L15): Claude chooses worse among more. */
export const mostForeign = 100;

/** All in sight from the start, as far as there is room; those that the user attached come first. */
export function withoutDeferral(tools: readonly Tool[]): readonly Tool[] {
  const deferred = inSendingOrder(tools.filter(({ deferral }) => deferral));
  const first = [
    ...deferred.filter(({ deferral }) => deferral === 'attached'),
    ...deferred.filter(({ deferral }) => deferral === 'other'),
  ].slice(0, mostForeign);
  return [...tools.filter(({ deferral }) => !deferral), ...first.map(loaded)];
}

function loaded(tool: Tool): Tool {
  const { deferral: _, ...rest } = tool;
  return rest;
}

/** The API refuses a history with tool calls when no tools are defined, also when there are none any more. */
function retiredTools(messages: readonly Message[]): ModelRequest['tools'] {
  const used = messages.flatMap((message) => callsIn(blocksOf(message)).map(({ name }) => name));
  return [...new Set(used)]
    .toSorted()
    .map((name) => ({ name, description: 'Not available any more.', input_schema: { type: 'object' } }));
}

/** Before the user's own words, but after results: those must come first. */
function withContext(message: Message, context: string | undefined): Message {
  if (!context?.trim()) return message;
  const blocks = blocksOf(message);
  const results = blocks.filter((block) => block.type === 'tool_result');
  const others = blocks.filter((block) => block.type !== 'tool_result');
  return withContent(message, [...results, { type: 'text', text: context }, ...others]);
}

/**
 * Tool rounds as plain text. With thinking on, some models go on with open rounds only if the thinking before each
 * call is there; when that cannot be sent back, this is the only way left to keep the work done.
 */
function flattenRounds(messages: readonly Message[]): Message[] {
  const names = new Map<string, string>();
  return messages.map((message) =>
    withContent(
      message,
      blocksOf(message).flatMap((block) => flatten(block, names)),
    ),
  );
}

function flatten(block: ContentBlock, names: Map<string, string>): readonly ContentBlock[] {
  if (block.type === 'tool_use') {
    names.set(block.id, block.name);
    return [{ type: 'text', text: `[Called ${block.name} with ${JSON.stringify(block.input)}]` }];
  }
  if (isToolSearch(block)) return [];
  if (block.type !== 'tool_result') return [block];
  const heading = `[${block.is_error ? 'Error' : 'Result'} of ${names.get(block.tool_use_id) ?? 'a call'}]`;
  if (typeof block.content !== 'object')
    return [{ type: 'text', text: `${heading}\n${block.content ?? ''}` }];
  const content = block.content.filter((part) => part.type === 'text' || part.type === 'image');
  return [{ type: 'text', text: heading }, ...content];
}
