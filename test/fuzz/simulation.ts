import { lives } from '../simulation/lives';
import { reportOf } from '../simulation/simulate';
import type { FuzzTarget } from './target';

/** Whole lives of a workspace, of what Claude changed in it, of its notes and of its plans, a seed each. */
export function simulationTarget(): FuzzTarget {
  return {
    name: 'simulation',
    share: 'a fifth more',
    async run({ cases, seed }) {
      for (let number = 0; number < cases; number++) {
        for (const life of lives) {
          const run = await life(seed + number);
          if (run.failure === undefined) continue;
          const report = await reportOf(seed + number, run, life);
          return { cases: number + 1, failure: { seed: seed + number, path: '0', report } };
        }
      }
      return { cases };
    },
  };
}
