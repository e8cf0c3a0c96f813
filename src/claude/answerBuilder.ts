import type Anthropic from '@anthropic-ai/sdk';
import { ModelError } from '../core/errors';
import { isObject, type JsonObject } from '../core/json';
import type { ModelAnswer, ModelEvent } from '../core/ports';
import type { ReportedUsage } from './pricing';

type Delta = Extract<ModelEvent, { readonly text: string }>;

/**
 * Puts an answer together from its stream events. The SDK's own accumulator parses a growing tool input again with
 * every piece and takes a broken one for a complete one; here pieces are only collected, and parsed once at the end.
 * The SDK hands on whatever JSON came over the wire, so its form is checked here: kinds that nobody knows yet are
 * passed over, and what has lost its form ends the stream as damaged.
 */
export class AnswerBuilder {
  /** By their index, in the order in which they came. */
  readonly #blocks = new Map<unknown, OpenBlock>();
  #message: JsonObject | undefined;
  #delta: JsonObject | undefined;
  #isComplete = false;

  /** Takes one event; returns what of it is to be shown at once. */
  add(raw: unknown): Delta | undefined {
    const event = objectOf(raw, 'an event');
    switch (event['type']) {
      case 'message_start':
        if (this.#message) throw damaged('it starts twice');
        this.#message = objectOf(event['message'], 'a message');
        return undefined;
      case 'content_block_start':
        this.#addBlock(event);
        return undefined;
      case 'content_block_delta':
        return this.#addDelta(event);
      case 'content_block_stop':
        this.#blockOf(event).isClosed = true;
        return undefined;
      case 'message_delta':
        objectOf(event['delta'], 'a delta');
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
  build(requestId: string | undefined): (ModelAnswer & { readonly usage: ReportedUsage }) | undefined {
    const message = this.#message;
    if (!message || !this.#isComplete) return undefined;
    const brokenToolUses: string[] = [];
    const content = [...this.#blocks.values()].map((block) => closeBlock(block, brokenToolUses));
    const { stop_reason: stopReason, stop_details: details } = objectOf(
      this.#delta?.['delta'] ?? message,
      'a delta',
    );
    const refusal = isObject(details) ? details['explanation'] : undefined;
    return {
      id: textOr('', message['id']),
      model: textOr('', message['model']),
      content,
      stopReason: textOr(null, stopReason),
      usage: this.#usage,
      ...(typeof refusal === 'string' && { refusal }),
      ...(requestId !== undefined && { requestId }),
      ...(brokenToolUses.length > 0 && { brokenToolUses }),
    };
  }

  /**
   * What an answer that does not become complete has taken, once the stream has said what the prompt took. What was
   * written is paid for, and told only at the end: until then it is estimated by what has arrived.
   */
  get usageSoFar(): ReportedUsage | undefined {
    if (!this.#message || this.#delta) return this.#message && this.#usage;
    const arrived = [...this.#blocks.values()].flatMap(({ pieces }) => pieces);
    const characters = arrived.reduce((sum, piece) => sum + piece.length, 0);
    const output = Math.max(this.#usage.output, Math.ceil(characters / charactersPerToken));
    return { ...this.#usage, output };
  }

  /** The counts in `message_delta` are totals, so they replace the first ones. */
  get #usage(): ReportedUsage {
    const [start, end] = [this.#message?.['usage'], this.#delta?.['usage']];
    const count = (name: string) => tokens(end, name) ?? tokens(start, name) ?? 0;
    const cacheWrite = count('cache_creation_input_tokens');
    // Only the first counts say how long things are kept.
    const lives = isObject(start) ? start['cache_creation'] : undefined;
    return {
      input: count('input_tokens'),
      cacheRead: count('cache_read_input_tokens'),
      cacheWrite,
      cacheWriteHour: Math.min(tokens(lives, 'ephemeral_1h_input_tokens') ?? 0, cacheWrite),
      output: count('output_tokens'),
    };
  }

  #addBlock({ index, content_block: raw }: JsonObject): void {
    if (!this.#message || this.#blocks.has(index)) throw damaged('a block begins out of order');
    this.#blocks.set(index, { start: startOf(raw), pieces: [], signature: '', isClosed: false });
  }

  #blockOf({ index }: JsonObject): OpenBlock {
    const block = this.#blocks.get(index);
    if (!block || block.isClosed) throw damaged('a block goes on that is not open');
    return block;
  }

  #addDelta(event: JsonObject): Delta | undefined {
    const block = this.#blockOf(event);
    const delta = objectOf(event['delta'], 'a delta');
    const piece = (name: string, kind: Anthropic.ContentBlock['type']): string => {
      if (block.start.type !== kind) throw damaged(`a piece of ${kind} stands in ${block.start.type}`);
      return textOf(delta[name], name);
    };
    switch (delta['type']) {
      case 'text_delta': {
        const text = piece('text', 'text');
        block.pieces.push(text);
        return text === '' ? undefined : { type: 'text-delta', text };
      }
      case 'thinking_delta': {
        const text = piece('thinking', 'thinking');
        block.pieces.push(text);
        return text === '' ? undefined : { type: 'thinking-delta', text };
      }
      case 'input_json_delta':
        // Blocks of server tools have an input too; we offer none, so nothing is made of it.
        if (block.start.type === 'tool_use') block.pieces.push(piece('partial_json', 'tool_use'));
        return undefined;
      case 'signature_delta':
        block.signature += piece('signature', 'thinking');
        return undefined;
      default:
        return undefined;
    }
  }
}

/** About, with the tokenizer of the newer models; thoughts are longer than the summary that arrives. */
const charactersPerToken = 3;

interface OpenBlock {
  readonly start: Anthropic.ContentBlock;
  /** Text, thinking or JSON, as the kind of block has it. */
  readonly pieces: string[];
  signature: string;
  isClosed: boolean;
}

/** A block as it begins, its form checked as far as anything is made of it. */
function startOf(raw: unknown): Anthropic.ContentBlock {
  const block = objectOf(raw, 'a block');
  switch (textOf(block['type'], 'type')) {
    case 'text':
      textOf(block['text'], 'text');
      break;
    case 'thinking':
      textOf(block['thinking'], 'thinking');
      textOf(block['signature'], 'signature');
      break;
    case 'redacted_thinking':
      textOf(block['data'], 'data');
      break;
    case 'tool_use':
      textOf(block['id'], 'id');
      textOf(block['name'], 'name');
      break;
    default:
      break;
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- all that is read of it has just been checked.
  return block as unknown as Anthropic.ContentBlock;
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
      const input = text === '' ? start.input : parseJson(text);
      if (isClosed && isObject(input)) return { ...start, input };
      broken.push(start.id);
      return { ...start, input: {} };
    }
    default:
      return start;
  }
}

function parseJson(json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return undefined;
  }
}

function objectOf(value: unknown, what: string): JsonObject {
  if (!isObject(value)) throw damaged(`${what} has no content`);
  return value;
}

function textOf(value: unknown, name: string): string {
  if (typeof value !== 'string') throw damaged(`${name} is no text`);
  return value;
}

function textOr<T>(fallback: T, value: unknown): string | T {
  return typeof value === 'string' ? value : fallback;
}

function tokens(usage: unknown, name: string): number | undefined {
  const count = isObject(usage) ? usage[name] : undefined;
  return typeof count === 'number' && count >= 0 ? count : undefined;
}

function damaged(how: string): ModelError {
  return new ModelError('not-claude', `The stream is damaged: ${how}.`);
}
