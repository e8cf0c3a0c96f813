import { ModelError } from '../core/errors';

type Fetch = typeof fetch;

/**
 * Ends a response whose body goes silent: the SDK's own timeout covers the wait for headers only. Bytes are counted,
 * not events, because pings keep a long, silent thought alive and never reach anybody.
 */
export function watchIdle(innerFetch: Fetch, idleTimeoutMs: number): Fetch {
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
