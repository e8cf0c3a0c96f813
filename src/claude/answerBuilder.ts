import type Anthropic from '@anthropic-ai/sdk';
import { ModelError } from '../core/errors';
import type { ModelAnswer, PromptChange } from '../core/ports';
import type { ReportedUsage } from '../core/price';
import { isObject, type JsonObject, parseJson } from '../core/text/json';
import type { Delta } from './eventStream';

/**
 * Puts an answer together from its stream events. The SDK's own accumulator parses a growing tool input again with
 * every piece and takes a broken one for a complete one; here pieces are only collected, and parsed once at the end.
 * Gateways write events in their own ways, so the form is checked here: unknown kinds are ignored, what is missing counts
 * as empty, and anything else that is malformed ends the stream as damaged.
 */
export class AnswerBuilder {
  /** In the order of arrival. */
  readonly #blocks: OpenBlock[] = [];
  /** The latest block of each index: some gateways give the same one to all. */
  readonly #byIndex = new Map<unknown, OpenBlock>();
  #message: JsonObject | undefined;
  #end: AnswerEnd = {};
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
        this.#addEnd(event);
        return undefined;
      case 'message_stop':
        this.#isComplete = true;
        return undefined;
      default:
        // The API may add kinds of events at any time.
        return undefined;
    }
  }

  /**
   * The answer, or undefined when the stream ended before it was complete. `isCompared`: the request has named the one
   * before it.
   */
  build(
    requestId: string | undefined,
    { isCompared = false } = {},
  ): (ModelAnswer & { readonly usage: ReportedUsage }) | undefined {
    const message = this.#message;
    if (!message || !this.#isComplete) return undefined;
    const stopReason = this.#end.stopReason ?? textOr(null, message['stop_reason']);
    const brokenToolUses: string[] = [];
    const content = this.#blocks.map((block) => closeBlock(block, stopReason, brokenToolUses));
    const { refusal } = this.#end;
    const promptChange = isCompared ? changeIn(message['diagnostics']) : undefined;
    return {
      id: textOr('', message['id']),
      model: textOr('', message['model']),
      content,
      stopReason,
      usage: this.#usage,
      ...(refusal !== undefined && { refusal }),
      ...(requestId !== undefined && { requestId }),
      ...(promptChange && { promptChange }),
      ...(brokenToolUses.length > 0 && { brokenToolUses }),
    };
  }

  /**
   * The usage of an incomplete answer, once the stream has reported that of the prompt. Output is paid for, but reported
   * only at the end: until then it is estimated by what has arrived.
   */
  get usageSoFar(): ReportedUsage | undefined {
    if (!this.#message || this.#end.usage) return this.#message && this.#usage;
    const arrived = this.#blocks.flatMap(({ pieces }) => pieces);
    const characters = arrived.reduce((sum, piece) => sum + piece.length, 0);
    const output = Math.max(this.#usage.output, Math.ceil(characters / charactersPerToken));
    return { ...this.#usage, output };
  }

  /** The counts at the end are totals, so they replace the first ones; a zero there only means that it was not counted. */
  get #usage(): ReportedUsage {
    const start = this.#message?.['usage'];
    const count = (name: string) => tokens(this.#end.usage, name) || tokens(start, name);
    const cacheWrite = count('cache_creation_input_tokens');
    // Only the first counts say how long things are kept.
    const lives = isObject(start) ? start['cache_creation'] : undefined;
    return {
      input: count('input_tokens'),
      cacheRead: count('cache_read_input_tokens'),
      cacheWrite,
      cacheWriteHour: Math.min(tokens(lives, 'ephemeral_1h_input_tokens'), cacheWrite),
      output: count('output_tokens'),
      webSearches: this.#end.webSearches ?? searchesIn(start),
    };
  }

  #addBlock({ index, content_block: raw }: JsonObject): void {
    const before = this.#byIndex.get(index);
    if (!this.#message || (before && !before.isClosed)) throw damaged('a block begins out of order');
    const block = { start: startOf(raw), pieces: [], citations: [], signature: '', isClosed: false };
    this.#blocks.push(block);
    this.#byIndex.set(index, block);
  }

  #blockOf({ index }: JsonObject): OpenBlock {
    const block = this.#byIndex.get(index);
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
        if (hasInput(block.start)) block.pieces.push(textOf(delta['partial_json'], 'partial_json'));
        return undefined;
      case 'citations_delta':
        if (isObject(delta['citation'])) block.citations.push(delta['citation']);
        return undefined;
      case 'signature_delta':
        block.signature += piece('signature', 'thinking');
        return undefined;
      default:
        return undefined;
    }
  }

  /** There may be several: the first says why it stopped, and each may add to what it took. */
  #addEnd({ delta: raw, usage }: JsonObject): void {
    const delta = raw === undefined && isObject(usage) ? {} : objectOf(raw, 'a delta');
    const details = delta['stop_details'];
    this.#end = {
      stopReason: this.#end.stopReason ?? textOr(undefined, delta['stop_reason'])?.slice(0, maxReasonChars),
      refusal: this.#end.refusal ?? textOr(undefined, isObject(details) ? details['explanation'] : undefined),
      usage: isObject(usage) ? { ...this.#end.usage, ...counted(usage) } : this.#end.usage,
      webSearches: searchesIn(usage) || this.#end.webSearches,
    };
  }
}

const maxReasonChars = 100;

interface AnswerEnd {
  readonly stopReason?: string | undefined;
  readonly refusal?: string | undefined;
  readonly usage?: JsonObject | undefined;
  readonly webSearches?: number | undefined;
}

/** Roughly, with the tokenizer of the newer models; thinking is longer than the summary that arrives. */
const charactersPerToken = 3;

interface OpenBlock {
  readonly start: Anthropic.ContentBlock;
  /** Text, thinking or JSON, depending on the kind of block. */
  readonly pieces: string[];
  /** Of a text: what it rests on. */
  readonly citations: JsonObject[];
  signature: string;
  isClosed: boolean;
}

/** A block as it begins. The form of all that we use of it is checked. */
function startOf(raw: unknown): Anthropic.ContentBlock {
  const block = objectOf(raw, 'a block');
  const begun = (): JsonObject => {
    switch (textOf(block['type'], 'type')) {
      case 'text':
        return { ...block, text: textOf(block['text'], 'text') };
      case 'thinking':
        return {
          ...block,
          thinking: textOf(block['thinking'], 'thinking'),
          signature: textOf(block['signature'], 'signature'),
        };
      case 'redacted_thinking':
        return { ...block, data: textOf(block['data'], 'data') };
      case 'tool_use':
        if (textOf(block['name'], 'name') === '') throw damaged('a call has no name');
        return { ...block, id: textOf(block['id'], 'id') };
      default:
        return block;
    }
  };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- all that is read of it has just been checked.
  return begun() as unknown as Anthropic.ContentBlock;
}

function closeBlock(
  { start, pieces, citations, signature, isClosed }: OpenBlock,
  stopReason: string | null,
  broken: string[],
): Anthropic.ContentBlock {
  const text = pieces.join('');
  switch (start.type) {
    case 'text':
      return {
        ...start,
        text: start.text + text,
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- who reads them checks them.
        ...(citations.length > 0 && { citations: citations as unknown as Anthropic.TextCitation[] }),
      };
    case 'server_tool_use': {
      const input = text === '' ? start.input : parseJson(text);
      return { ...start, input: isObject(input) ? input : {} };
    }
    case 'thinking':
      // A signature that comes in pieces replaces one that the block began with.
      return { ...start, thinking: start.thinking + text, signature: signature || start.signature };
    case 'tool_use': {
      const input = text === '' ? (start.input ?? {}) : parseJson(text);
      // A call that was cut off stays open, and the stop reason is another one then.
      const isWhole = isClosed || stopReason === 'tool_use';
      if (isWhole && isObject(input)) return { ...start, input };
      broken.push(start.id);
      return { ...start, input: {} };
    }
    default:
      return start;
  }
}

const changes: Readonly<Record<string, PromptChange>> = {
  model_changed: 'model',
  tools_changed: 'tools',
  system_changed: 'system',
  messages_changed: 'messages',
};

/** Nothing while the API is still comparing, or cannot compare. */
function changeIn(diagnostics: unknown): PromptChange | undefined {
  if (diagnostics === null) return 'none';
  const reason = isObject(diagnostics) ? diagnostics['cache_miss_reason'] : undefined;
  const type = isObject(reason) ? reason['type'] : undefined;
  return typeof type === 'string' && Object.hasOwn(changes, type) ? changes[type] : undefined;
}

function hasInput({ type }: Anthropic.ContentBlock): boolean {
  return type === 'tool_use' || type === 'server_tool_use';
}

function objectOf(value: unknown, what: string): JsonObject {
  if (!isObject(value)) throw damaged(`${what} has no content`);
  return value;
}

/** What is missing counts as empty. */
function textOf(value: unknown, name: string): string {
  if (value === undefined || value === null) return '';
  if (typeof value !== 'string') throw damaged(`${name} is no text`);
  return value;
}

function textOr<T>(fallback: T, value: unknown): string | T {
  return typeof value === 'string' ? value : fallback;
}

function tokens(usage: unknown, name: string): number {
  const count = isObject(usage) ? usage[name] : undefined;
  return isCount(count) ? Math.round(count) : 0;
}

/** They are paid for by the search. */
function searchesIn(usage: unknown): number {
  return tokens(isObject(usage) ? usage['server_tool_use'] : undefined, 'web_search_requests');
}

function counted(usage: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(usage).filter(([, count]) => isCount(count) && count > 0));
}

function isCount(count: unknown): count is number {
  return typeof count === 'number' && count >= 0 && count <= Number.MAX_SAFE_INTEGER;
}

function damaged(how: string): ModelError {
  return new ModelError('not-claude', `The stream is damaged: ${how}.`);
}
