import { setTimeout as sleep } from 'node:timers/promises';

/** Looks again and again until it holds, for what tells nobody when it changes; mocha's own limit ends it. */
export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await holds())) await sleep(50);
}
