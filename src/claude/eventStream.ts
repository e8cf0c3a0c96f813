import { APIError } from '@anthropic-ai/sdk/core/error';
import { Stream } from '@anthropic-ai/sdk/core/streaming';
import { ModelError } from '../core/errors';
import { isObject, type JsonObject } from '../core/json';
import { parseJson } from './parseJson';

/**
 * The events of a response, parsed. The SDK passes over events without a name, and some gateways send no other: what
 * counts here is the type that the data has, or else the name.
 */
export async function* readEvents(response: Response): AsyncGenerator<unknown, void> {
  for await (const { event: name, data } of rawEvents(response)) {
    if (name === 'ping' || data === '' || data.trim() === '[DONE]') continue;
    const value = parseJson(data);
    const type = isObject(value) ? (value['type'] ?? name ?? untold(value)) : name;
    const event = isObject(value) ? { ...value, type } : value;
    if (name === 'error' || type === 'error') {
      throw new APIError(undefined, isObject(event) ? event : undefined, data, response.headers);
    }
    // Without a name it is nobody's event.
    if (event === undefined && name === null) continue;
    if (event === undefined)
      throw new ModelError('not-claude', 'The stream is damaged: an event is no JSON.');
    yield event;
  }
}

/** Gateways tell of what went wrong behind them in the form that other models have for it. */
function untold(value: JsonObject): 'error' | null {
  return value['error'] === undefined || value['error'] === null ? null : 'error';
}

/** Whatever goes wrong here comes from the socket: `TypeError: terminated` and its like. */
async function* rawEvents(response: Response): ReturnType<typeof Stream.rawEvents> {
  try {
    yield* Stream.rawEvents(response);
  } catch (error) {
    if (error instanceof ModelError) throw error;
    throw new ModelError('dropped', error instanceof Error ? error.message : String(error), {
      isRetryable: true,
      cause: error,
    });
  }
}
