import { ModelError } from '../errors';
import type { Model, ModelAnswer, Random, Wait } from '../ports';
import type { Translate } from '../translate';
import type { AgentEvent } from './events';
import { toRequest, type ModelSettings, type Prompt } from './prompt';
import { recover, type Recovery } from './recover';
import { planRetry } from './retry';
import { ShownText } from './shownText';

export interface RequestOptions {
  readonly model: Model;
  readonly settings: ModelSettings;
  readonly wait: Wait;
  readonly random: Random;
  readonly translate: Translate;
}

/** `prompt` is the one that was answered: it may hold less than the one given. `shown` is text on screen. */
export type AnswerOutcome =
  | { readonly type: 'answer'; readonly answer: ModelAnswer; readonly prompt: Prompt }
  | { readonly type: 'cancelled'; readonly shown: string; readonly prompt: Prompt }
  | { readonly type: 'failed'; readonly shown: string; readonly prompt: Prompt; readonly error: ModelError };

/**
 * Gets one complete answer. No tool runs before an answer is complete, so sending again is always safe here: after a
 * wait when Claude was busy or the connection broke, with less when the prompt was refused.
 */
export async function* requestAnswer(
  given: Prompt,
  options: RequestOptions,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, AnswerOutcome> {
  const { random, wait, translate } = options;
  const shown = new ShownText();
  const tried: Recovery['remedy'][] = [];
  let prompt = given;
  let failures = 0;
  for (;;) {
    const result = yield* requestOnce(prompt, options, shown, signal);
    if (result.type === 'answer') return { ...result, prompt };
    if (signal.aborted) return { type: 'cancelled', shown: shown.text, prompt };
    const { error } = result;
    const recovery = recover(prompt, error, tried, translate);
    if (recovery) {
      const { notice, droppedTurns } = recovery;
      if (notice) yield { type: 'notice', text: notice, ...(droppedTurns && { droppedTurns }) };
      tried.push(recovery.remedy);
      prompt = recovery.prompt;
    } else {
      failures++;
      const delayMs = planRetry(error, failures, random);
      if (delayMs === undefined) return { type: 'failed', shown: shown.text, prompt, error };
      yield { type: 'retry-wait', error, delayMs, attempt: failures };
      await wait(delayMs, signal);
      if (signal.aborted) return { type: 'cancelled', shown: shown.text, prompt };
    }
    shown.startAgain();
  }
}

type Attempt =
  | { readonly type: 'answer'; readonly answer: ModelAnswer }
  | { readonly type: 'error'; readonly error: ModelError };

async function* requestOnce(
  prompt: Prompt,
  { model, settings, translate }: RequestOptions,
  shown: ShownText,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, Attempt> {
  let answer: ModelAnswer | undefined;
  try {
    for await (const event of model.stream(toRequest(prompt, settings), signal)) {
      if (event.type === 'answer') answer = event.answer;
      else if (event.type === 'thinking-delta') yield event;
      else yield* show(shown.add(event.text), translate);
    }
  } catch (error) {
    return { type: 'error', error: toModelError(error) };
  }
  if (!answer) {
    const error = new ModelError('dropped', 'The stream ended without an answer.', { isRetryable: true });
    return { type: 'error', error };
  }
  if (answer.stopReason === 'model_context_window_exceeded') {
    return { type: 'error', error: new ModelError('too-long', 'The model ran out of its context window.') };
  }
  yield* show(shown.finish(), translate);
  return { type: 'answer', answer };
}

function* show(piece: ReturnType<ShownText['add']>, translate: Translate): Generator<AgentEvent> {
  if (piece.startsOver)
    yield { type: 'notice', text: translate('The answer broke off; Claude answers again:') };
  if (piece.text !== '') yield { type: 'text-delta', text: piece.text };
}

function toModelError(error: unknown): ModelError {
  if (error instanceof ModelError) return error;
  return new ModelError('unexpected', error instanceof Error ? error.message : String(error), {
    cause: error,
  });
}
