import { APIConnectionError, APIConnectionTimeoutError, APIError } from '@anthropic-ai/sdk/core/error';
import { ModelError, type ModelErrorKind } from '../core/errors';
import { redact, redacting } from '../core/secrets/redact';
import { isObject, parseJson } from '../core/text/json';
import { gatewayMessage, rawMessage } from './gatewayMessage';

/** What is known of the response that an error is about. */
export interface ResponseInfo {
  readonly status?: number | undefined;
  readonly requestId?: string | undefined;
}

/** Whatever the SDK throws as a ModelError. `secrets` are removed from every message. */
export function toModelError(
  error: unknown,
  secrets: readonly string[],
  response: ResponseInfo = {},
): ModelError {
  if (error instanceof ModelError) return about(error, response);
  if (error instanceof APIConnectionError) return fromConnection(error, secrets);
  if (error instanceof APIError) return about(fromApi(error, secrets), response);
  // Not with its own message, which quotes the response.
  if (error instanceof SyntaxError) {
    return new ModelError('not-claude', 'The response is damaged: it is no JSON.', response);
  }
  return new ModelError('unexpected', redact(messageOf(error), secrets), { ...response, cause: error });
}

function about(error: ModelError, response: ResponseInfo): ModelError {
  return new ModelError(error.kind, error.message, {
    isRetryable: error.isRetryable,
    retryAfterMs: error.retryAfterMs,
    gatewayMessage: error.gatewayMessage,
    status: error.status ?? response.status,
    requestId: error.requestId ?? response.requestId,
    cause: error.cause,
  });
}

/** The id of the request, if it can be shown. */
export function requestIdIn(headers: Headers | undefined): string | undefined {
  const id = headers?.get('request-id') || headers?.get('x-request-id');
  return id && /^[\w.:=+/-]{1,100}$/.test(id) ? id : undefined;
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
  // A retry may help with a network, but not with a certificate.
  return new ModelError('unreachable', message, { isRetryable: !/CERT|SELF_SIGNED|TLS/.test(code) });
}

function fromApi(error: APIError, secrets: readonly string[]): ModelError {
  const clean = redacting(secrets);
  const own = apiErrorIn(error);
  const words = own ? undefined : gatewayMessage(bodyOf(error), clean);
  const kind = kindOf(error, own ?? { type: null, message: words ?? '' });
  const retryHint = error.headers?.get('x-should-retry');
  // Where the money is used up, the header says of any 429 that it passes.
  const isRetryable =
    kind !== 'no-credit' && (retryHint === 'true' || (retryableKinds.has(kind) && retryHint !== 'false'));
  // Cut only after removing secrets: half of one would not be found.
  const message = clean(own?.message ?? '').slice(0, maxChars) || words || describeStatus(error);
  return new ModelError(kind, message, {
    isRetryable,
    retryAfterMs: retryAfterMs(error.headers),
    requestId: requestIdIn(error.headers),
    status: error.status,
    gatewayMessage: words,
  });
}

const maxChars = 500;

const retryableKinds: ReadonlySet<ModelErrorKind> = new Set(['rate-limited', 'overloaded', 'server-error']);

interface ApiErrorBody {
  /** Claude's errors always have one. */
  readonly type: string | null;
  readonly message: string;
}

/** What the API itself said, also where a gateway has wrapped it; undefined when there is nothing of it. */
function apiErrorIn(error: APIError): ApiErrorBody | undefined {
  const direct = readError(error.error);
  const whole = direct?.message ?? rawMessage(bodyOf(error));
  const [json] = /\{\s*"type"\s*:\s*"error"[^]*\}/.exec(whole) ?? [];
  return (json === undefined ? undefined : readError(parseJson(json))) ?? direct;
}

function readError(body: unknown): ApiErrorBody | undefined {
  const { type, message } = isObject(body) && isObject(body['error']) ? body['error'] : {};
  return typeof type === 'string' && typeof message === 'string' ? { type, message } : undefined;
}

/** The body as JSON, or the text that it is: the SDK puts the status before it. */
function bodyOf({ error: body, message, status }: APIError): unknown {
  if (body !== undefined) return body;
  return message === `${status} status code (no body)` ? '' : message.replace(`${status} `, '');
}

/** By code and type where there is one; the message is read only where nothing else tells. */
function kindOf({ status, errorCode }: APIError, { type, message }: ApiErrorBody): ModelErrorKind {
  if (errorCode === 'enforced_spend_limit_reached' || usedUp.test(message)) return 'no-credit';
  if (status === 529 || type === 'overloaded_error') return 'overloaded';
  if (status !== undefined && status >= 500) return 'server-error';
  if (status === 408) return 'server-error';
  if (status === 413) return 'too-large';
  if (status === 429) return 'rate-limited';
  switch (type) {
    case null: {
      if (status === 401) return 'rejected-key';
      const kind = kindByMessage(message);
      if (kind !== 'bad-request') return kind;
      // Any proxy can answer 4xx. In the middle of a stream there is no status: until then it was Claude.
      return status === undefined ? 'server-error' : 'not-claude';
    }
    case 'authentication_error':
      return 'rejected-key';
    case 'billing_error':
      return 'no-credit';
    case 'permission_error':
      return 'forbidden';
    case 'not_found_error':
      // An address that is wrong in its path gets the same type of error, without a word about models.
      return /model/i.test(message) ? 'unknown-model' : 'not-claude';
    case 'rate_limit_error':
      return 'rate-limited';
    case 'api_error':
    case 'timeout_error':
    case 'conflict_error':
      return 'server-error';
    default:
      return kindByMessage(message);
  }
}

/** The limit of the tier, of the organization or of the workspace; gateways leave the code out. */
const usedUp = /credit balance is too low|reached your (?:specified )?(?:workspace )?API usage limits/i;

function kindByMessage(message: string): ModelErrorKind {
  if (
    /(?:prompt|input) is too long|exceeds? (?:the )?(?:maximum )?context (?:limit|length|window)/i.test(
      message,
    )
  ) {
    return 'too-long';
  }
  return 'bad-request';
}

function describeStatus({ status, headers }: APIError): string {
  return `Status ${status ?? 'unknown'}, ${headers?.get('content-type') ?? 'no content type'}`;
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

/** When several addresses were tried, the error has only a code. */
function messageOf(error: unknown): string {
  return error instanceof Error ? error.message || (codeOf(error) ?? error.name) : String(error);
}
