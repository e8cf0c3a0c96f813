import { asModelError, ModelError } from '../errors';
import { addUsage, noUsage, type Usage } from '../messages';
import type { Model, ModelAnswer, ModelEvent, ModelRequest, Random, Wait } from '../ports';
import type { AgentEvent } from './events';

/** What differs between those who ask. `State` is what a request is made of, `Output` what they pass on. */
export interface AskOptions<State, Output> {
  readonly model: Model;
  readonly wait: Wait;
  readonly random: Random;
  readonly toRequest: (state: State) => ModelRequest;
  /** What may be accepted where this request was refused; undefined when only waiting may help. */
  readonly recover: (state: State, error: ModelError) => Recovery<State> | undefined;
  /** How long to wait before the same is sent again; undefined when that would not help. */
  readonly retryDelay?: typeof planRetry;
  /** Somebody else's turn has come: then nothing is sent again. */
  readonly yieldRequested?: () => boolean;
  /** Throws for an answer that is as good as none. */
  readonly check?: (answer: ModelAnswer) => void;
  readonly report: (event: AskEvent<State>) => Iterable<Output>;
}

export interface Recovery<State> {
  readonly state: State;
  readonly notice?: string | undefined;
  readonly droppedTurns?: number;
}

export type AskEvent<State> =
  | Extract<ModelEvent, { readonly text: string }>
  | {
      readonly type: 'attempt-end';
      readonly state: State;
      readonly answer?: ModelAnswer;
      readonly usage: Usage;
    }
  | ({ readonly type: 'recovery' } & Recovery<State>)
  | Omit<Extract<AgentEvent, { type: 'retry-wait' }>, 'isMidText'>;

export type AskOutcome<State> = (
  | { readonly type: 'answer'; readonly answer: ModelAnswer }
  | { readonly type: 'cancelled' }
  | { readonly type: 'failed'; readonly error: ModelError }
) & {
  /** What was asked last. */
  readonly state: State;
  /** What all attempts took together. */
  readonly usage: Usage;
};

/**
 * Gets one complete answer. No tool runs before an answer is complete, so sending again is always safe here: after a
 * wait when Claude was busy or the connection broke, with less when the request was refused.
 */
export async function* askModel<State, Output>(
  given: State,
  options: AskOptions<State, Output>,
  signal: AbortSignal,
): AsyncGenerator<Output, AskOutcome<State>> {
  const {
    model,
    recover,
    report,
    check = refuseFullWindow,
    retryDelay = planRetry,
    yieldRequested,
  } = options;
  let state = given;
  let usage = noUsage;
  let failures = 0;
  for (;;) {
    let answer: ModelAnswer | undefined;
    let error = new ModelError('dropped', 'The stream ended without an answer.', { isRetryable: true });
    let spent = noUsage;
    try {
      for await (const event of model.stream(options.toRequest(state), signal)) {
        if (event.type === 'answer') ({ answer } = event);
        else if (event.type === 'spent') spent = event.usage;
        else yield* report(event);
      }
      if (answer) {
        spent = answer.usage;
        check(answer);
      }
    } catch (thrown) {
      answer = undefined;
      error = asModelError(thrown);
    }
    usage = addUsage(usage, spent);
    yield* report({ type: 'attempt-end', state, usage: spent, ...(answer && { answer }) });
    if (answer) return { type: 'answer', answer, state, usage };
    if (signal.aborted) return { type: 'cancelled', state, usage };
    const recovery = recover(state, error);
    if (recovery) {
      ({ state } = recovery);
      yield* report({ type: 'recovery', ...recovery });
      continue;
    }
    failures++;
    const delayMs = retryDelay(error, failures, options.random);
    if (delayMs === undefined) return { type: 'failed', error, state, usage };
    yield* report({ type: 'retry-wait', error, delayMs, attempt: failures });
    await options.wait(delayMs, signal, yieldRequested);
    if (signal.aborted || yieldRequested?.() === true) return { type: 'cancelled', state, usage };
  }
}

function refuseFullWindow({ stopReason }: ModelAnswer): void {
  if (stopReason === 'model_context_window_exceeded')
    throw new ModelError('too-long', 'The model ran out of its context window.');
}

const maxRetries = 4;
const firstDelayMs = 1_000;
const maxDelayMs = 30_000;
/** Nobody watches a panel that waits longer than this; saying when to come back is kinder. */
const maxRetryAfterMs = 120_000;

/** The usual delays. `failures` counts those of this answer, 1 for the first. */
export function planRetry(error: ModelError, failures: number, random: Random): number | undefined {
  if (!error.isRetryable || failures > retriesFor(error)) return undefined;
  if (error.retryAfterMs) return error.retryAfterMs > maxRetryAfterMs ? undefined : error.retryAfterMs;
  const backOffMs = Math.min(firstDelayMs * 2 ** (failures - 1), maxDelayMs);
  // Jitter keeps many windows that were turned away together from coming back together.
  return Math.round(backOffMs * (1 - random() / 4));
}

/** A stall was minutes of silence already, and an unreachable address rarely comes back within seconds. */
function retriesFor({ kind }: ModelError): number {
  if (kind === 'stalled') return 1;
  return kind === 'unreachable' ? 2 : maxRetries;
}
