/** For the model, as an `is_error` result: says what to try next. */
export class ToolError extends Error {
  override readonly name = 'ToolError';
}

/** A button below a sentence for the user. */
export type Remedy =
  | 'set-api-key'
  | 'choose-model'
  | 'open-settings'
  | 'retry'
  | 'continue'
  /** Beyond the budget, once: from where the turn stopped, or the same message again. */
  | 'continue-beyond'
  | 'retry-beyond'
  | 'show-log';

/** For the user, in one sentence: says what they can do. */
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
  /** It was not sent: an `OverBudget`. */
  | 'over-budget'
  /** A bug in the extension, with the exception as its cause. */
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
  /** What someone other than Claude answered, as plain text; empty when nothing was readable. */
  readonly gatewayMessage: string | undefined;

  constructor(
    kind: ModelErrorKind,
    message: string,
    options: ErrorOptions & Partial<Omit<ModelError, 'kind' | keyof Error>> = {},
  ) {
    super(message, options);
    this.kind = kind;
    this.isRetryable = options.isRetryable ?? false;
    this.retryAfterMs = options.retryAfterMs;
    this.requestId = options.requestId;
    this.status = options.status;
    this.gatewayMessage = options.gatewayMessage;
  }
}

/** Which limit a request would have passed, and by what. All in US dollars. */
export interface BudgetStop {
  readonly limit: 'turn' | 'day';
  readonly amount: number;
  /** What the turn has taken. */
  readonly spent: number;
  /** What was taken or is held today in this workspace; for the limit of the day. */
  readonly spentToday: number;
  /** What the request would have taken at least, had the cache nothing of it. */
  readonly next: number;
  /** The same with what the cache should have. */
  readonly likely: number;
}

/** A request that was not sent, since it would have passed a limit (L14). */
export class OverBudget extends ModelError {
  readonly stop: BudgetStop;

  constructor(stop: BudgetStop) {
    super('over-budget', 'This would have passed the budget of the person.');
    this.stop = stop;
  }
}

/** Whatever was thrown while Claude was asked. */
export function asModelError(error: unknown): ModelError {
  if (error instanceof ModelError) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new ModelError('unexpected', message, { cause: error });
}
