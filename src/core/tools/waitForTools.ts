import type { Clock, Wait } from '../ports';

/** VS Code registers this one last among its own tools, once it knows the person's shell. */
const slowestTool = 'run_in_terminal';
const startTimeoutMs = 3_000;
const wantedTimeoutMs = 5_000;
const pollMs = 50;

export interface AwaitedTools {
  /** Names of all tools that are there by now. */
  readonly names: () => readonly string[];
  /** Names of those that the request cannot do without. */
  readonly wanted: readonly string[];
}

/**
 * VS Code's own tools arrive some time after a window has opened, and nobody is told when. A request that was sent
 * without them would not only lack them: tools are the start of the prompt, so that the next request would find nothing
 * in the cache (L9). So the first requests wait for them, but only within a few seconds of the start: where they never
 * come, nobody waits later. A turn that a question interrupted is bound to its tools, also those that start with the
 * request, so that the person's answer waits for them by itself.
 */
export function createToolWait(options: {
  readonly clock: Clock;
  readonly wait: Wait;
}): (awaited: AwaitedTools, signal: AbortSignal) => Promise<void> {
  const { clock, wait } = options;
  const startedAt = clock();
  return async ({ names, wanted }, signal) => {
    const askedAt = clock();
    const isWithin = (timeoutMs: number, since: number) => {
      const age = clock() - since;
      return age >= 0 && age < timeoutMs;
    };
    const wantedNow = () => [
      ...(isWithin(startTimeoutMs, startedAt) ? [slowestTool] : []),
      ...(isWithin(wantedTimeoutMs, askedAt) ? wanted : []),
    ];
    const isMissing = (all: readonly string[]) => {
      const there = new Set(all.length > 0 ? names() : []);
      return all.some((name) => !there.has(name));
    };
    while (!signal.aborted && isMissing(wantedNow())) await wait(pollMs, signal);
  };
}
