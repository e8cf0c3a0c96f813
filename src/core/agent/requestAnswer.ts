import * as l10n from '@vscode/l10n';
import { asModelError, ModelError, windowExceeded } from '../errors';
import { addUsage, noUsage, type Usage } from '../messages';
import type { Model, ModelAnswer, Random, Wait } from '../ports';
import type { CachePace } from './cachePace';
import { describeWait } from './describeEnd';
import type { AgentEvent } from './events';
import { toRequest, type ModelSettings, type Prompt } from './prompt';
import { contentSize, type PromptScale } from './promptSizes';
import { recover, type Recovery } from './recover';
import { planRetry } from './retry';
import { ShownText } from './shownText';
import { toInput } from './turnMessages';

/** Text that breaks off goes on after so short a wait as if nothing had happened. */
const seamlessMs = 3_000;

export interface RequestOptions {
  readonly model: Model;
  readonly settings: ModelSettings;
  readonly scale: PromptScale;
  readonly cachePace: CachePace;
  readonly wait: Wait;
  readonly random: Random;
}

export type AnswerOutcome = (
  | { readonly type: 'answer'; readonly answer: ModelAnswer }
  | { readonly type: 'cancelled' }
  | { readonly type: 'failed'; readonly error: ModelError }
) & {
  /** The prompt that was answered: it may hold less than the one given. */
  readonly prompt: Prompt;
  /** The text of this answer that is on screen. */
  readonly shown: string;
  /** What all tries took together. */
  readonly usage: Usage;
};

/**
 * Gets one complete answer. No tool runs before an answer is complete, so sending again is always safe here: after a
 * wait when Claude was busy or the connection broke, with less when the prompt was refused.
 */
export async function* requestAnswer(
  given: Prompt,
  options: RequestOptions,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, AnswerOutcome> {
  const { random, wait, scale, cachePace } = options;
  const shown = new ShownText();
  const tried: Recovery['remedy'][] = [];
  let prompt = given;
  let failures = 0;
  let usage = noUsage;
  for (;;) {
    const { usage: spent, ...result } = yield* requestOnce(prompt, options, shown, signal);
    usage = addUsage(usage, spent);
    const answerSize = result.type === 'answer' ? contentSize(toInput(result.answer.content)) : 0;
    yield { type: 'request-end', sizes: scale.sizesOf(prompt), answerSize, usage: spent };
    const soFar = { prompt, shown: shown.text, usage };
    if (result.type === 'answer') return { ...result, ...soFar };
    if (signal.aborted) return { type: 'cancelled', ...soFar };
    const { error } = result;
    const recovery = recover(prompt, error, tried);
    if (recovery) {
      const { notice, droppedTurns } = recovery;
      if (notice) yield { type: 'notice', text: notice, ...(droppedTurns && { droppedTurns }) };
      if (recovery.remedy === 'brief-cache') cachePace.refuseHour();
      tried.push(recovery.remedy);
      prompt = recovery.prompt;
    } else {
      failures++;
      const delayMs = planRetry(error, failures, random);
      if (delayMs === undefined) return { type: 'failed', error, ...soFar };
      const isMidText = shown.text !== '';
      if (isMidText && delayMs > seamlessMs) {
        yield { type: 'notice', text: describeWait(error, delayMs) };
        shown.tearApart();
      }
      yield { type: 'retry-wait', error, delayMs, attempt: failures, isMidText };
      await wait(delayMs, signal);
      if (signal.aborted) return { type: 'cancelled', ...soFar };
    }
    shown.startAgain();
  }
}

type Attempt = (
  | { readonly type: 'answer'; readonly answer: ModelAnswer }
  | { readonly type: 'error'; readonly error: ModelError }
) & { readonly usage: Usage };

async function* requestOnce(
  prompt: Prompt,
  { model, settings, cachePace }: RequestOptions,
  shown: ShownText,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, Attempt> {
  let answer: ModelAnswer | undefined;
  let usage = noUsage;
  try {
    const request = toRequest(prompt, settings, cachePace.lifeNow());
    for await (const event of model.stream(request, signal)) {
      if (event.type === 'answer') ({ answer } = event);
      else if (event.type === 'spent') ({ usage } = event);
      else if (event.type === 'thinking-delta') yield event;
      else yield* show(shown.add(event.text));
    }
    if (!answer)
      throw new ModelError('dropped', 'The stream ended without an answer.', { isRetryable: true });
    ({ usage } = answer);
    if (answer.stopReason === 'model_context_window_exceeded') throw windowExceeded();
  } catch (error) {
    return { type: 'error', error: asModelError(error), usage };
  }
  yield* show(shown.finish());
  return { type: 'answer', answer, usage };
}

function* show(piece: ReturnType<ShownText['add']>): Generator<AgentEvent> {
  if (piece.startsOver) yield { type: 'notice', text: l10n.t('The answer broke off; Claude answers again:') };
  if (piece.text !== '') yield { type: 'text-delta', text: piece.text };
}
