import { blocksOf, withContent, type Message, type TextBlock } from '../messages';
import type { Effort, ModelRequest } from '../ports';
import type { Tool } from '../tools/tool';
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
}

export interface ModelSettings {
  readonly modelId: string;
  readonly maxOutputTokens?: number | undefined;
  readonly effort?: Effort | undefined;
}

export function toRequest(prompt: Prompt, settings: ModelSettings): ModelRequest {
  const messages = [
    ...prompt.history,
    ...prompt.turn.map(({ message }, index) => (index === 0 ? withFacts(message, prompt.facts) : message)),
  ];
  return {
    model: settings.modelId,
    ...(settings.maxOutputTokens !== undefined && { maxOutputTokens: settings.maxOutputTokens }),
    ...(settings.effort !== undefined && { effort: settings.effort }),
    tools: toApiTools(prompt.tools),
    ...markForCache(prompt.system, messages, prompt.history.length),
  };
}

/** Sorted by name: hosts list their tools in any order, and a changed order would cost the whole cache. */
function toApiTools(tools: readonly Tool[]): ModelRequest['tools'] {
  return tools
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ name, description, inputSchema: { required, ...schema } }) => ({
      name,
      description,
      input_schema: { ...schema, ...(required && { required: [...required] }) },
    }));
}

/** Before the person's own words, but after results: those must come first. */
function withFacts(message: Message, facts: string | undefined): Message {
  if (!facts?.trim()) return message;
  const blocks = blocksOf(message);
  const results = blocks.filter((block) => block.type === 'tool_result');
  const others = blocks.filter((block) => block.type !== 'tool_result');
  return withContent(message, [...results, { type: 'text', text: facts }, ...others]);
}
