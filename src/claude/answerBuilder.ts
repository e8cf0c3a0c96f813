import type Anthropic from '@anthropic-ai/sdk';
import type { ModelAnswer, ModelEvent } from '../core/ports';

type Delta = Extract<ModelEvent, { readonly text: string }>;

/**
 * Puts an answer together from its stream events. The SDK's own accumulator parses a growing tool input again with
 * every piece and takes a broken one for a complete one; here pieces are only collected, and parsed once at the end.
 */
export class AnswerBuilder {
  readonly #blocks: OpenBlock[] = [];
  #message: Anthropic.Message | undefined;
  #delta: Anthropic.RawMessageDeltaEvent | undefined;
  #isComplete = false;

  /** Takes one event; returns what of it is to be shown at once. */
  add(event: Anthropic.RawMessageStreamEvent): Delta | undefined {
    switch (event.type) {
      case 'message_start':
        this.#message = event.message;
        return undefined;
      case 'content_block_start':
        this.#blocks[event.index] = {
          start: event.content_block,
          pieces: [],
          signature: '',
          isClosed: false,
        };
        return undefined;
      case 'content_block_delta':
        return this.#addDelta(event);
      case 'content_block_stop': {
        const block = this.#blocks[event.index];
        if (block) block.isClosed = true;
        return undefined;
      }
      case 'message_delta':
        this.#delta = event;
        return undefined;
      case 'message_stop':
        this.#isComplete = true;
        return undefined;
      default:
        // The API may add kinds of events at any time.
        return undefined;
    }
  }

  /** The answer, or undefined when the stream ended before it was complete. */
  build(requestId: string | undefined): ModelAnswer | undefined {
    const message = this.#message;
    if (!message || !this.#isComplete) return undefined;
    const brokenToolUses: string[] = [];
    const content = this.#blocks.map((block) => closeBlock(block, brokenToolUses));
    const { stop_reason: stopReason, stop_details: details } = this.#delta?.delta ?? message;
    const refusal = details?.explanation ?? undefined;
    return {
      id: message.id,
      model: message.model,
      content,
      stopReason,
      usage: toUsage(message.usage, this.#delta?.usage),
      ...(refusal !== undefined && { refusal }),
      ...(requestId !== undefined && { requestId }),
      ...(brokenToolUses.length > 0 && { brokenToolUses }),
    };
  }

  /** What the prompt took, once the stream has said so. */
  get usageSoFar(): ModelAnswer['usage'] | undefined {
    return this.#message && toUsage(this.#message.usage, this.#delta?.usage);
  }

  #addDelta({ index, delta }: Anthropic.RawContentBlockDeltaEvent): Delta | undefined {
    const block = this.#blocks[index];
    if (!block) return undefined;
    switch (delta.type) {
      case 'text_delta':
        block.pieces.push(delta.text);
        return delta.text === '' ? undefined : { type: 'text-delta', text: delta.text };
      case 'thinking_delta':
        block.pieces.push(delta.thinking);
        return delta.thinking === '' ? undefined : { type: 'thinking-delta', text: delta.thinking };
      case 'input_json_delta':
        block.pieces.push(delta.partial_json);
        return undefined;
      case 'signature_delta':
        block.signature += delta.signature;
        return undefined;
      default:
        return undefined;
    }
  }
}

interface OpenBlock {
  readonly start: Anthropic.ContentBlock;
  /** Text, thinking or JSON, as the kind of block has it. */
  readonly pieces: string[];
  signature: string;
  isClosed: boolean;
}

function closeBlock(
  { start, pieces, signature, isClosed }: OpenBlock,
  broken: string[],
): Anthropic.ContentBlock {
  const text = pieces.join('');
  switch (start.type) {
    case 'text':
      return { ...start, text: start.text + text };
    case 'thinking':
      return { ...start, thinking: start.thinking + text, signature: start.signature + signature };
    case 'tool_use': {
      const input = text === '' ? start.input : parseObject(text);
      if (isClosed && input !== undefined) return { ...start, input };
      broken.push(start.id);
      return { ...start, input: {} };
    }
    default:
      return start;
  }
}

function parseObject(json: string): object | undefined {
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** The counts in `message_delta` are totals, so they replace the first ones. */
function toUsage(start: Anthropic.Usage, end: Anthropic.MessageDeltaUsage | undefined): ModelAnswer['usage'] {
  return {
    input: end?.input_tokens ?? start.input_tokens,
    cacheRead: end?.cache_read_input_tokens ?? start.cache_read_input_tokens ?? 0,
    cacheWrite: end?.cache_creation_input_tokens ?? start.cache_creation_input_tokens ?? 0,
    output: end?.output_tokens ?? start.output_tokens,
  };
}
