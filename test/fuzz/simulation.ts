import { reportOf, simulate } from '../simulation/simulate';
import type { FuzzTarget } from './target';

/** Whole lives of a workspace, a seed each. */
export function simulationTarget(): FuzzTarget {
  return {
    name: 'simulation',
    share: 'a fifth more',
    async run({ cases, seed }) {
      for (let number = 0; number < cases; number++) {
        const life = await simulate(seed + number);
        if (life.failure === undefined) continue;
        const report = await reportOf(seed + number, life);
        return { cases: number + 1, failure: { seed: seed + number, path: '0', report } };
      }
      return { cases };
    },
  };
}
