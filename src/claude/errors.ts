import { APIConnectionError, APIConnectionTimeoutError, APIError } from '@anthropic-ai/sdk/core/error';
import { ModelError, type ModelErrorKind } from '../core/errors';
import { redact } from '../core/redact';

/** Puts whatever the SDK throws into our words. `secrets` are cut out of every message. */
export function toModelError(error: unknown, secrets: readonly string[]): ModelError {
  if (error instanceof ModelError) return error;
  if (error instanceof APIConnectionError) return fromConnection(error, secrets);
  if (error instanceof APIError) return fromApi(error, secrets);
  const message = redact(messageOf(error), secrets);
  if (error instanceof SyntaxError) return new ModelError('not-claude', `The stream is damaged: ${message}`);
  // What is left comes from the socket, in the middle of the stream: `TypeError: terminated` and its like.
  return new ModelError('dropped', message, { isRetryable: true });
}

function fromConnection(error: APIConnectionError, secrets: readonly string[]): ModelError {
  const causes = causesOf(error);
  const ours = causes.find((cause) => cause instanceof ModelError);
  if (ours) return ours;
  if (error instanceof APIConnectionTimeoutError) {
    return new ModelError('stalled', 'No answer within the request timeout.', { isRetryable: true });
  }
  const message = redact(causes.map(messageOf).join(': '), secrets);
  const code = causes.map(codeOf).find((value) => value !== undefined) ?? '';
  if (/^(ECONNRESET|EPIPE|UND_ERR_SOCKET)$/.test(code)) {
    return new ModelError('dropped', message, { isRetryable: true });
  }
  // A certificate does not get better by asking again; a network may.
  return new ModelError('unreachable', message, { isRetryable: !/CERT|SELF_SIGNED|TLS/.test(code) });
}

function fromApi(error: APIError, secrets: readonly string[]): ModelError {
  const kind = kindOf(error);
  const retryHint = error.headers?.get('x-should-retry');
  const isRetryable = retryHint === 'true' || (retryableKinds.has(kind) && retryHint !== 'false');
  return new ModelError(kind, redact(apiWords(error), secrets), {
    isRetryable,
    retryAfterMs: retryAfterMs(error.headers),
    requestId: error.requestID ?? undefined,
  });
}

const retryableKinds: ReadonlySet<ModelErrorKind> = new Set(['rate-limited', 'overloaded', 'server-error']);

/** By code and type where there is one. Only for what the API tells in words alone are the words read. */
function kindOf(error: APIError): ModelErrorKind {
  if (error.errorCode === 'enforced_spend_limit_reached') return 'no-credit';
  if (error.status === 529 || error.type === 'overloaded_error') return 'overloaded';
  if (error.status !== undefined && error.status >= 500) return 'server-error';
  if (error.status === 408) return 'server-error';
  if (error.status === 413) return 'too-large';
  if (error.status === 429) return 'rate-limited';
  // Any proxy can answer 4xx; Claude's errors always have a type.
  if (error.type === null) return error.status === 401 ? 'rejected-key' : 'not-claude';
  switch (error.type) {
    case 'authentication_error':
      return 'rejected-key';
    case 'billing_error':
      return 'no-credit';
    case 'permission_error':
      return 'forbidden';
    case 'not_found_error':
      // An address that is wrong in its path gets the same type of error, without a word about models.
      return /model/i.test(error.apiMessage ?? '') ? 'unknown-model' : 'not-claude';
    case 'rate_limit_error':
      return 'rate-limited';
    case 'api_error':
    case 'timeout_error':
    case 'conflict_error':
      return 'server-error';
    default:
      return kindByWords(error.apiMessage ?? '');
  }
}

function kindByWords(message: string): ModelErrorKind {
  if (/credit balance is too low|reached your specified API usage limits/i.test(message)) return 'no-credit';
  if (/prompt is too long/i.test(message)) return 'too-long';
  return 'bad-request';
}

/** The API's own sentence; of anything else only that it came, since it may be a whole web page. */
function apiWords(error: APIError): string {
  if (error.apiMessage !== null) return error.apiMessage.slice(0, 500);
  const type = error.headers?.get('content-type') ?? 'no content type';
  return `Status ${error.status ?? 'unknown'}, ${type}`;
}

function retryAfterMs(headers: Headers | undefined): number | undefined {
  const ms = Number.parseFloat(headers?.get('retry-after-ms') ?? '');
  if (ms > 0) return ms;
  const after = headers?.get('retry-after') ?? '';
  const seconds = /^[\d.]+$/.test(after) ? Number.parseFloat(after) : (Date.parse(after) - Date.now()) / 1000;
  return seconds > 0 ? Math.round(seconds * 1000) : undefined;
}

function causesOf(error: unknown): readonly unknown[] {
  const causes: unknown[] = [];
  for (let cause = error; cause instanceof Error && causes.length < 5; { cause } = cause) causes.push(cause);
  return causes;
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
