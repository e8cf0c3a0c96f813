import type { GatewayWay } from './gateway';
import { errorBody, errorTypeOf, type ApiErrorType } from './problem';
import type { ClaudeRequest } from './request';
import type { ServerToolUse, WebPage } from './serverTools';

/** One thing that the stand-in does in answer to a request. */
export type Reply =
  | {
      readonly kind: 'answer';
      readonly parts: readonly Part[];
      /** How a gateway in between changes it. */
      readonly gateway?: readonly GatewayWay[];
    }
  | {
      readonly kind: 'status';
      readonly status: number;
      readonly headers: Readonly<Record<string, string>>;
      readonly body: (requestId: string) => string;
    }
  | { readonly kind: 'bytes'; readonly chunks: readonly Uint8Array[]; readonly end: 'end' | 'drop' | 'stall' }
  | { readonly kind: 'hang-up' }
  | { readonly kind: 'silence' };

/** A reply, or what makes one from the request. It may wait, which holds back the response headers. */
export type Scripted = Reply | ((request: ClaudeRequest) => Reply | Promise<Reply>);

export type Part =
  | { readonly kind: 'text'; readonly pieces: readonly Piece[] }
  | { readonly kind: 'deltas'; readonly count: number; readonly piece: string }
  | { readonly kind: 'thinking'; readonly pieces: readonly string[] }
  | {
      readonly kind: 'tool-use';
      readonly name: string;
      readonly json: string;
      readonly id: string | undefined;
      readonly isCut: boolean;
    }
  | { readonly kind: 'cited-text'; readonly text: string; readonly sources: readonly WebPage[] }
  | { readonly kind: 'server-tool'; readonly use: ServerToolUse }
  | { readonly kind: 'foreign-block'; readonly block: Readonly<Record<string, unknown>> }
  | { readonly kind: 'event'; readonly name: string; readonly data: unknown }
  | { readonly kind: 'raw'; readonly bytes: string | Uint8Array }
  | { readonly kind: 'stop'; readonly reason: string | null; readonly details: StopDetails | null }
  | { readonly kind: 'break'; readonly how: 'drop' | 'end' | 'stall' }
  | Wait
  | Gate;

/** What a text block is made of: deltas, and places where it waits. */
export type Piece = string | Wait | Gate;

interface Wait {
  readonly kind: 'wait';
  readonly ms: number;
}

interface StopDetails {
  readonly type: 'refusal';
  readonly category: string | null;
  readonly explanation: string | null;
}

/** Holds a stream at a point until the test opens it. */
export interface Gate {
  readonly kind: 'gate';
  /** Settles when the stream has arrived here. */
  readonly reached: Promise<void>;
  readonly opened: Promise<void>;
  open(): void;
  arrive(): void;
}

/** An answer made of parts; it ends with `tool_use` if it uses tools, else with `end_turn`. None at all is an empty answer. */
export function reply(...parts: readonly Part[]): Reply {
  return { kind: 'answer', parts };
}

/** An answer as it comes through a gateway that has ways of its own. */
export function viaGateway(ways: readonly GatewayWay[], ...parts: readonly Part[]): Reply {
  return { kind: 'answer', parts, gateway: ways };
}

/** A text block, one delta a string; a gate in between holds the stream there. */
export function text(...pieces: readonly Piece[]): Part {
  return { kind: 'text', pieces };
}

/** A text block that arrives in small pieces, as Claude's does. */
export function words(whole: string): Part {
  return { kind: 'text', pieces: whole.match(/\S+\s*|\s+/g) ?? [] };
}

/** A text block of `count` equal deltas, written as fast as the client reads. */
export function deltas(count: number, piece = 'word '): Part {
  return { kind: 'deltas', count, piece };
}

/** A signed thinking block; left out when the request has thinking switched off. */
export function thinking(...pieces: readonly string[]): Part {
  return { kind: 'thinking', pieces };
}

export function toolUse(name: string, input: object = {}, options: { readonly id?: string } = {}): Part {
  return { kind: 'tool-use', name, json: JSON.stringify(input), id: options.id, isCut: false };
}

/** A tool use whose input stops in the middle: the block stays open. Ends with `max_tokens`, unless `drop()` or another stop follows. */
export function cutToolUse(name: string, partialJson: string, options: { readonly id?: string } = {}): Part {
  return { kind: 'tool-use', name, json: partialJson, id: options.id, isCut: true };
}

/** A text that cites these pages. */
export function cited(value: string, ...sources: readonly WebPage[]): Part {
  return { kind: 'cited-text', text: value, sources };
}

/** A search by the server, and what it found or why it failed. The request must have offered it. */
export function webSearch(query: string, found: readonly WebPage[] | string): Part {
  return { kind: 'server-tool', use: { tool: 'web_search', input: { query }, found } };
}

/** A search that the answer pauses in: its result comes with the next one. */
export function pausedSearch(query: string): Part {
  return { kind: 'server-tool', use: { tool: 'web_search', input: { query }, found: [], isPaused: true } };
}

/** A page that the server fetches, or why it could not. */
export function webFetch(url: string, page: WebPage | string): Part {
  return { kind: 'server-tool', use: { tool: 'web_fetch', input: { url }, found: page } };
}

/** A search among the deferred tools: the best five by how many of the words they have. */
export function toolSearch(query: string, error?: string): Part {
  return { kind: 'server-tool', use: { tool: 'tool_search_tool_bm25', input: { query }, found: error } };
}

/** A block of a type that nobody knows yet. */
export function foreignBlock(block: Readonly<Record<string, unknown>>): Part {
  return { kind: 'foreign-block', block };
}

/** Any event at all, for example one that nobody knows yet. */
export function event(name: string, data: unknown): Part {
  return { kind: 'event', name, data };
}

export function ping(): Part {
  return event('ping', { type: 'ping' });
}

/** The stream's own `error` event, after which it ends. */
export function streamError(type: ApiErrorType = 'overloaded_error', message = 'Overloaded'): Part {
  return { kind: 'event', name: 'error', data: JSON.parse(errorBody({ type, message })) as unknown };
}

/** Bytes that are no event. */
export function garbage(bytes: string | Uint8Array = '\u0000\u0001<<not an event>>\n\n'): Part {
  return { kind: 'raw', bytes };
}

/** How the answer ends, when it is not the usual way. */
export function stop(reason: string | null): Part {
  return { kind: 'stop', reason, details: null };
}

export function refusal(explanation: string | null = null, category: string | null = null): Part {
  return { kind: 'stop', reason: 'refusal', details: { type: 'refusal', category, explanation } };
}

/** Waits for real; for people who watch, not for tests. */
export function wait(ms: number): Wait {
  return { kind: 'wait', ms };
}

/** Resets the connection here. */
export function drop(): Part {
  return { kind: 'break', how: 'drop' };
}

/** Ends the response cleanly here, without `message_stop`. */
export function endEarly(): Part {
  return { kind: 'break', how: 'end' };
}

/** Sends nothing more and never ends. */
export function stall(): Part {
  return { kind: 'break', how: 'stall' };
}

export function gate(): Gate {
  let open!: () => void;
  let arrive!: () => void;
  const opened = new Promise<void>((resolve) => (open = resolve));
  const reached = new Promise<void>((resolve) => (arrive = resolve));
  return { kind: 'gate', reached, opened, open, arrive };
}

/** An error response with the API's own body. */
export function apiError(
  status: number,
  options: {
    readonly message?: string;
    readonly type?: ApiErrorType;
    readonly retryAfter?: number | string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly details?: Readonly<Record<string, unknown>>;
  } = {},
): Reply {
  const { message = 'Error', type = errorTypeOf(status), retryAfter, headers, details } = options;
  return {
    kind: 'status',
    status,
    headers: {
      'content-type': 'application/json',
      ...(retryAfter !== undefined && { 'retry-after': String(retryAfter) }),
      ...headers,
    },
    body: (requestId) => errorBody({ type, message, ...(details && { details }) }, requestId),
  };
}

/** What a proxy says instead of Claude. */
export function htmlPage(
  status = 200,
  html = '<!doctype html><title>Sign in</title><h1>Sign in</h1>',
): Reply {
  return { kind: 'status', status, headers: { 'content-type': 'text/html' }, body: () => html };
}

/** What a gateway says in its own form: JSON, or a text as it is. */
export function gatewayError(
  status: number,
  body: object | string,
  headers: Readonly<Record<string, string>> = {},
): Reply {
  const isText = typeof body === 'string';
  return {
    kind: 'status',
    status,
    headers: { 'content-type': isText ? 'text/plain' : 'application/json', ...headers },
    body: () => (isText ? body : JSON.stringify(body)),
  };
}

/** Sends the request on to another address, body and all. */
export function redirect(location: string, status: 307 | 308 = 307): Reply {
  return { kind: 'status', status, headers: { location }, body: () => '' };
}

/** An event stream of exactly these bytes, written piece by piece, whatever they are. */
export function rawStream(
  chunks: readonly Uint8Array[],
  end: 'end' | 'drop' | 'stall' = 'end',
): Extract<Reply, { kind: 'bytes' }> {
  return { kind: 'bytes', chunks, end };
}

/** Resets the connection before any header. */
export function hangUp(): Reply {
  return { kind: 'hang-up' };
}

/** Takes the request and never answers, not even with headers. */
export function silence(): Reply {
  return { kind: 'silence' };
}
