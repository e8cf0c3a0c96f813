import type Anthropic from '@anthropic-ai/sdk';
import { noUsage } from '../../src/core/messages';
import type { Model, ModelAnswer, ModelEvent, ModelRequest } from '../../src/core/ports';

/** One request's worth of script: events in order, an error to throw, or a function that decides on the request. */
export type Step =
  | readonly (ModelEvent | Error)[]
  | ((request: ModelRequest, signal: AbortSignal) => AsyncIterable<ModelEvent>);

export interface ScriptedModel extends Model {
  /** A copy of each request as it was sent. */
  readonly requests: readonly ModelRequest[];
}

/** A model that follows a script, one step per request. Asking for more than the script holds is an error. */
export function scriptedModel(...steps: readonly Step[]): ScriptedModel {
  const requests: ModelRequest[] = [];
  return {
    requests,
    async *stream(request, signal) {
      const step = steps[requests.length];
      requests.push(structuredClone(request));
      if (!step) throw new Error(`The script has no step ${requests.length}`);
      if (typeof step === 'function') yield* step(request, signal);
      else yield* play(step, signal);
    },
  };
}

export function text(value: string): Anthropic.TextBlock {
  return { type: 'text', text: value, citations: null };
}

export function thinking(value: string): Anthropic.ThinkingBlock {
  return { type: 'thinking', thinking: value, signature: `signed:${value}` };
}

export function toolUse(id: string, name: string, input: unknown = {}): Anthropic.ToolUseBlock {
  return { type: 'tool_use', id, name, input, caller: { type: 'direct' } };
}

export function textDelta(value: string): ModelEvent {
  return { type: 'text-delta', text: value };
}

export function answer(
  content: readonly Anthropic.ContentBlock[],
  stopReason: ModelAnswer['stopReason'] = 'end_turn',
  rest: Partial<ModelAnswer> = {},
): ModelEvent {
  return {
    type: 'answer',
    answer: { id: 'msg', model: 'scripted', content, stopReason, usage: noUsage, ...rest },
  };
}

/** A whole answer in words, streamed in one piece. */
export function says(value: string): Step {
  return [textDelta(value), answer([text(value)])];
}

/** A whole answer that asks for tools. */
export function calls(...content: readonly Anthropic.ContentBlock[]): Step {
  return [answer(content, 'tool_use')];
}

async function* play(
  events: readonly (ModelEvent | Error)[],
  signal: AbortSignal,
): AsyncGenerator<ModelEvent> {
  for (const event of events) {
    signal.throwIfAborted();
    if (event instanceof Error) throw event;
    yield event;
  }
}
