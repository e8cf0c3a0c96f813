import { ModelError } from '../errors';
import type { Model, Random, Wait } from '../ports';
import { planRetry } from './retry';

/**
 * A model that asks again by itself, for those who cannot show that it waits: VS Code's own agent and other extensions
 * behind the model provider. Once anything of an answer was passed on, an error is theirs.
 */
export function retryingModel(
  model: Model,
  options: { readonly wait: Wait; readonly random: Random },
): Model {
  return {
    async *stream(request, signal) {
      for (let failures = 1; ; failures++) {
        let hasBegun = false;
        try {
          for await (const event of model.stream(request, signal)) {
            hasBegun ||= event.type !== 'spent';
            yield event;
          }
          return;
        } catch (error) {
          const isOver = hasBegun || signal.aborted || !(error instanceof ModelError);
          const delayMs = isOver ? undefined : planRetry(error, failures, options.random);
          if (delayMs === undefined) throw error;
          await options.wait(delayMs, signal);
          signal.throwIfAborted();
        }
      }
    },
  };
}
