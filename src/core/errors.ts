/** Told to the model as an `is_error` result: says what to try next. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
}

/** A button that can stand below a sentence for the person. */
export type Remedy = 'set-api-key' | 'choose-model' | 'open-settings' | 'retry' | 'continue' | 'show-log';

/** Told to the person in one sentence: says what they can do. */
export class UserError extends Error {
  override readonly name = 'UserError';
  readonly remedy: Remedy | undefined;

  constructor(message: string, options: ErrorOptions & { readonly remedy?: Remedy } = {}) {
    super(message, options);
    this.remedy = options.remedy;
  }
}

export type ModelErrorKind =
  | 'no-key'
  | 'rejected-key'
  | 'forbidden'
  | 'no-credit'
  | 'unknown-model'
  | 'unreachable'
  | 'not-claude'
  | 'rate-limited'
  | 'overloaded'
  | 'server-error'
  | 'dropped'
  | 'stalled'
  | 'too-long'
  | 'too-large'
  | 'bad-request'
  /** Not Claude's doing: a bug of ours, with the exception as its cause. */
  | 'unexpected';

/** A request to Claude that did not end in an answer. `message` is the API's own words, never the key. */
export class ModelError extends Error {
  override readonly name = 'ModelError';
  readonly kind: ModelErrorKind;
  readonly isRetryable: boolean;
  readonly retryAfterMs: number | undefined;
  readonly requestId: string | undefined;
  /** Of the HTTP response, when there was one. */
  readonly status: number | undefined;
  /** Where somebody else than Claude answered: what they said, as plain text; empty when it was nothing readable. */
  readonly foreignWords: string | undefined;

  constructor(
    kind: ModelErrorKind,
    message: string,
    options: ErrorOptions & {
      readonly isRetryable?: boolean;
      readonly retryAfterMs?: number | undefined;
      readonly requestId?: string | undefined;
      readonly status?: number | undefined;
      readonly foreignWords?: string | undefined;
    } = {},
  ) {
    super(message, options);
    this.kind = kind;
    this.isRetryable = options.isRetryable ?? false;
    this.retryAfterMs = options.retryAfterMs;
    this.requestId = options.requestId;
    this.status = options.status;
    this.foreignWords = options.foreignWords;
  }
}

/** An answer that stopped because there was no room for more. */
export function windowExceeded(): ModelError {
  return new ModelError('too-long', 'The model ran out of its context window.');
}

/** Whatever was thrown while Claude was asked. */
export function asModelError(error: unknown): ModelError {
  if (error instanceof ModelError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new ModelError('unexpected', message, { cause: error });
}
