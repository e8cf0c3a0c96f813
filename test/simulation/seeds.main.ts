/** Runs seeds one after another until one fails, and prints it: `node seeds.main.js FIRST COUNT`. */
import { runWithSqlite } from '../support/nodeWithSqlite';
import { runMain } from '../support/setupError';
import { simulateChanges } from './changeLives';
import { simulateNotes } from './noteLives';
import { simulatePlans } from './planLives';
import { simulate } from './simulate';

runMain(async () => {
  const status = runWithSqlite(__filename);
  if (status !== undefined) return status;
  const [first = 1, count = 300] = process.argv.slice(2).map(Number);
  for (let seed = first; seed < first + count; seed++) {
    for (const life of [simulate, simulateChanges, simulateNotes, simulatePlans]) {
      const { failure } = await life(seed);
      if (failure === undefined) continue;
      console.log(`${seed - first + 1}: ${failure.split('\n')[0]}`);
      return 1;
    }
  }
  return 0;
});
