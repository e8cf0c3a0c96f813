import type { MemoryLimits } from '../../../src/core/conversation/view';

/** For processes that are killed, too: nothing is imported here that would have to tidy up. */
export const noLimits: MemoryLimits = {
  maxTurns: 0,
  timeoutSeconds: 0,
  eviction: 'oldest',
  tokenBudget: 0,
  whenFull: 'drop',
  archiveSize: 100,
};
