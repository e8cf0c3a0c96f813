import type { ModelError } from '../errors';
import type { Random } from '../ports';

const maxRetries = 4;
const firstDelayMs = 1_000;
const maxDelayMs = 30_000;
/** Nobody watches a panel that waits longer than this; saying when to come back is kinder. */
const maxRetryAfterMs = 120_000;

/**
 * How long to wait before the request is sent again, or undefined when that would not help. `failures` counts those
 * of this very answer, 1 for the first.
 */
export function planRetry(error: ModelError, failures: number, random: Random): number | undefined {
  if (!error.isRetryable || failures > retriesFor(error)) return undefined;
  // What the server asks for counts, as long as it is a wait at all.
  if (error.retryAfterMs) return error.retryAfterMs > maxRetryAfterMs ? undefined : error.retryAfterMs;
  const backOffMs = Math.min(firstDelayMs * 2 ** (failures - 1), maxDelayMs);
  // Jitter keeps many windows that were turned away together from coming back together.
  return Math.round(backOffMs * (1 - random() / 4));
}

/** A stall was minutes of silence already, and an address nobody answers at is rarely a matter of seconds. */
function retriesFor({ kind }: ModelError): number {
  if (kind === 'stalled') return 1;
  return kind === 'unreachable' ? 2 : maxRetries;
}
