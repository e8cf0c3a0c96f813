import { APIError } from '@anthropic-ai/sdk/core/error';
import { Stream } from '@anthropic-ai/sdk/core/streaming';
import { ModelError } from '../core/errors';
import type { ModelEvent } from '../core/ports';
import { isObject, type JsonObject, parseJson } from '../core/text/json';

/** The events of a response, parsed. Not a generator: an answer has thousands of deltas, and each would wait in it. */
export async function readEvents(response: Response, take: (event: unknown) => void): Promise<void> {
  let isOurs = false;
  try {
    for await (const raw of Stream.rawEvents(response)) {
      isOurs = true;
      const event = parseEvent(raw, response.headers);
      if (event !== undefined) take(event);
      isOurs = false;
    }
  } catch (error) {
    if (isOurs || error instanceof ModelError) throw error;
    // From the socket, such as `TypeError: terminated`.
    throw new ModelError('dropped', error instanceof Error ? error.message : String(error), {
      isRetryable: true,
      cause: error,
    });
  }
}

/**
 * Undefined for what is to be ignored. The SDK ignores events without a name, and some gateways send no names at all:
 * here the type in the data counts, or else the name.
 */
function parseEvent(
  { event: name, data }: { readonly event: string | null; readonly data: string },
  headers: Headers,
): unknown {
  if (name === 'ping' || data === '' || data.trim() === '[DONE]') return undefined;
  const value = parseJson(data);
  const type = isObject(value) ? (value['type'] ?? name ?? impliedType(value)) : name;
  const event = isObject(value) && value['type'] !== type ? { ...value, type } : value;
  if (name === 'error' || type === 'error') {
    throw new APIError(undefined, isObject(event) ? event : undefined, data, headers);
  }
  // Neither JSON nor named: ignored.
  if (event === undefined && name !== null)
    throw new ModelError('not-claude', 'The stream is damaged: an event is no JSON.');
  return event;
}

/** Gateways report errors in the form of other models, without a type. */
function impliedType(value: JsonObject): 'error' | null {
  return value['error'] === undefined || value['error'] === null ? null : 'error';
}

export type Delta = Extract<ModelEvent, { readonly text: string }>;

/**
 * Between a stream of small deltas and its reader. The first one passes at once. After that, all that arrives together,
 * usually in one packet, passes as one: each delta would otherwise travel through every generator on its way to the
 * screen, which costs more than reading it from the network.
 */
export class DeltaQueue {
  readonly #waiting: { readonly type: Delta['type']; readonly pieces: string[] }[] = [];
  #end: { readonly error?: unknown } | undefined;
  #wake: (() => void) | undefined;

  push({ type, text }: Delta): void {
    const last = this.#waiting.at(-1);
    if (last?.type === type) last.pieces.push(text);
    else this.#waiting.push({ type, pieces: [text] });
    this.#wake?.();
  }

  /** Nothing follows. With an error, reading ends by throwing it. */
  end(end: { readonly error?: unknown } = {}): void {
    this.#end = end;
    this.#wake?.();
  }

  async *read(): AsyncGenerator<Delta, void> {
    for (let isFirst = true; ; isFirst = false) {
      if (this.#waiting.length === 0 && !this.#end) {
        await new Promise<void>((resolve) => (this.#wake = resolve));
        this.#wake = undefined;
      }
      // One turn of the event loop later everything that came with this delta is here too.
      if (!isFirst && !this.#end) await new Promise((resolve) => setTimeout(resolve, 0));
      for (const { type, pieces } of this.#waiting.splice(0)) yield { type, text: pieces.join('') };
      if (this.#end && this.#waiting.length === 0) break;
    }
    if ('error' in this.#end) throw this.#end.error;
  }
}

/**
 * Ends a response whose body goes silent: the SDK's own timeout covers the wait for headers only. Bytes are counted,
 * not events, because pings, which the SDK swallows, keep a long silent thought alive.
 */
export function watchIdle(innerFetch: typeof fetch, idleTimeoutMs: number): typeof fetch {
  return async (input, init) => {
    const response = await innerFetch(input, init);
    if (!response.body) return response;
    const { status, statusText, headers } = response;
    return new Response(watched(response.body, idleTimeoutMs), { status, statusText, headers });
  };
}

function watched(body: ReadableStream<Uint8Array>, idleTimeoutMs: number): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream({
    async pull(controller) {
      // Runs only while bytes are asked for, so a slow reader is not taken for a silent server.
      const timer = setTimeout(() => {
        const seconds = Math.round(idleTimeoutMs / 1000);
        const stalled = new ModelError('stalled', `No bytes for ${seconds} seconds.`, { isRetryable: true });
        controller.error(stalled);
        void reader.cancel(stalled).catch(() => undefined);
      }, idleTimeoutMs);
      try {
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      } finally {
        clearTimeout(timer);
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}
