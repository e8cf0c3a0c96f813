import { ModelError, windowExceeded } from '../errors';
import type { Message } from '../messages';
import type { Model, ModelEvent, Random, Wait } from '../ports';
import { toGuestMessages, type GuestThoughts } from './guestMessages';
import { toRequest, type ModelSettings, type Prompt } from './prompt';
import { recover, type Recovery } from './recover';
import { planRetry } from './retry';

/** What others ask of Claude through VS Code: its own agent, and other extensions. They run the tools themselves. */
export interface GuestRequest extends Pick<Prompt, 'system' | 'tools'>, ModelSettings {
  readonly messages: readonly Message[];
}

export interface GuestOptions {
  readonly model: Model;
  readonly thoughts: GuestThoughts;
  readonly wait: Wait;
  readonly random: Random;
}

/**
 * Answers a guest, who can neither be shown that we wait nor send back what Claude thought. Asks again as long as
 * nothing of an answer was passed on; after that an error is theirs, and so is a request that is too long.
 */
export async function* guestAnswer(
  request: GuestRequest,
  { model, thoughts, wait, random }: GuestOptions,
  signal: AbortSignal,
): AsyncGenerator<ModelEvent, void> {
  const tried: Recovery['remedy'][] = [];
  let prompt = toPrompt(request, thoughts);
  let failures = 0;
  for (;;) {
    let hasBegun = false;
    try {
      for await (const event of model.stream(toRequest(prompt, request, '5m'), signal)) {
        if (event.type === 'answer') {
          if (event.answer.stopReason === 'model_context_window_exceeded') throw windowExceeded();
          thoughts.keep(event.answer.content);
        }
        hasBegun ||= event.type !== 'spent';
        yield event;
      }
      return;
    } catch (error) {
      if (hasBegun || signal.aborted || !(error instanceof ModelError)) throw error;
      const recovery = error.kind === 'bad-request' ? recover(prompt, error, tried) : undefined;
      if (recovery) {
        tried.push(recovery.remedy);
        ({ prompt } = recovery);
        continue;
      }
      failures++;
      const delayMs = planRetry(error, failures, random);
      if (delayMs === undefined) throw error;
      await wait(delayMs, signal);
      signal.throwIfAborted();
    }
  }
}

function toPrompt({ system, tools, messages }: GuestRequest, thoughts: GuestThoughts): Prompt {
  const turn = toGuestMessages(messages, thoughts).map((message) => ({ message }));
  return { system, tools, history: [], facts: undefined, turn, flattened: 0 };
}
