import { createPlans, type Plans } from '../../src/core/tools/plans/plans';
import { createPlanStore } from '../../src/storage/planTable';
import { inMemory, Sqlite } from '../../src/storage/sqlite';

export interface TestPlans {
  readonly plans: Plans;
  readonly sqlite: Sqlite;
}

/** The plans of one window on a database, in memory unless there is a file. */
export async function openPlans(clock: () => number = Date.now, file = inMemory): Promise<TestPlans> {
  const sqlite = await Sqlite.open(file);
  return { plans: createPlans({ store: createPlanStore(async () => sqlite), clock }), sqlite };
}

export const threeSteps = '# Prices\n\n- [ ] Raise them\n- [ ] Test them\n- [ ] Tell people\n';
