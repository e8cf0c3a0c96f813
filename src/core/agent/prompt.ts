import { blocksOf, withContent, type Message, type TextBlock } from '../messages';
import type { Effort, ModelRequest } from '../ports';
import type { Tool } from '../tools/tool';
import type { CacheLife } from './cachePace';
import { flattenRounds } from './flattenRounds';
import { markForCache } from './promptCache';
import type { TurnMessage } from './turnMessages';

/** All that goes into one request. It only ever grows at the end, unless a request was refused for its length or a part. */
export interface Prompt {
  readonly system: readonly TextBlock[];
  readonly tools: readonly Tool[];
  readonly history: readonly Message[];
  /** Facts of the moment. They stand with the newest message, so that everything before it stays cached. */
  readonly facts: string | undefined;
  readonly turn: readonly TurnMessage[];
  /** So many messages of the turn are sent as plain words; see `flattenRounds`. */
  readonly flattened: number;
}

export interface ModelSettings {
  readonly modelId: string;
  readonly maxOutputTokens?: number | undefined;
  readonly effort?: Effort | undefined;
}

export function toRequest(prompt: Prompt, settings: ModelSettings, systemLife: CacheLife): ModelRequest {
  const messages = sentMessages(prompt);
  return {
    model: settings.modelId,
    ...(settings.maxOutputTokens !== undefined && { maxOutputTokens: settings.maxOutputTokens }),
    ...(settings.effort !== undefined && { effort: settings.effort }),
    tools: prompt.tools.length > 0 ? toApiTools(prompt.tools) : retiredTools(messages),
    ...markForCache(prompt.system, messages, prompt.history.length, systemLife),
  };
}

/** The order in which tools are sent. Hosts list theirs in any order, and a changed one would cost the whole cache. */
export function inSendingOrder(tools: readonly Tool[]): readonly Tool[] {
  return tools.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** All messages as they go out. The API names what it refuses by its place here. */
export function sentMessages(prompt: Prompt): readonly Message[] {
  return [...prompt.history, ...sentTurn(prompt)];
}

/** The turn as it goes out. */
export function sentTurn({ turn, facts, flattened }: Prompt): readonly Message[] {
  const newest = turn.findIndex(({ isEarlier }) => !isEarlier);
  const messages = turn.map(({ message }, index) => (index === newest ? withFacts(message, facts) : message));
  return flattened === 0
    ? messages
    : [...flattenRounds(messages.slice(0, flattened)), ...messages.slice(flattened)];
}

function toApiTools(tools: readonly Tool[]): ModelRequest['tools'] {
  return inSendingOrder(tools).map(({ name, description, inputSchema: { required, ...schema } }) => ({
    name,
    description,
    input_schema: { ...schema, ...(required && { required: [...required] }) },
  }));
}

/** The API takes no history with tool calls unless tools are defined, also when there are none any more. */
function retiredTools(messages: readonly Message[]): ModelRequest['tools'] {
  const used = messages.flatMap((message) =>
    blocksOf(message).flatMap((block) => (block.type === 'tool_use' ? [block.name] : [])),
  );
  return [...new Set(used)]
    .toSorted()
    .map((name) => ({ name, description: 'Not available any more.', input_schema: { type: 'object' } }));
}

/** Before the person's own words, but after results: those must come first. */
function withFacts(message: Message, facts: string | undefined): Message {
  if (!facts?.trim()) return message;
  const blocks = blocksOf(message);
  const results = blocks.filter((block) => block.type === 'tool_result');
  const others = blocks.filter((block) => block.type !== 'tool_result');
  return withContent(message, [...results, { type: 'text', text: facts }, ...others]);
}
