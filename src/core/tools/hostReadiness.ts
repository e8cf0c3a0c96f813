import type { Clock, Wait } from '../ports';

/** VS Code registers this one last among its own tools, once it knows the person's shell. */
const lastToCome = 'run_in_terminal';
const patienceMs = 3_000;
const lookAgainMs = 50;

/**
 * VS Code's own tools arrive some time after a window has opened. A request that was sent without them would not only
 * lack them: tools are the start of the prompt, so that the next request would find nothing in the cache (L9). So the
 * first requests wait for them, but only within a few seconds of the start: where they never come, nobody waits later.
 */
export function createHostReadiness(options: {
  readonly toolNames: () => readonly string[];
  readonly clock: Clock;
  readonly wait: Wait;
}): (signal: AbortSignal) => Promise<void> {
  const startedAt = options.clock();
  return async (signal) => {
    const mayWait = () => {
      const age = options.clock() - startedAt;
      return age >= 0 && age < patienceMs && !signal.aborted;
    };
    while (!options.toolNames().includes(lastToCome) && mayWait()) await options.wait(lookAgainMs, signal);
  };
}
