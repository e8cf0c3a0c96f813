/** Runs seeds one after another until one fails, and prints it: `node seeds.main.js FIRST COUNT`. */
import { runWithSqlite } from '../support/nodeWithSqlite';
import { runMain } from '../support/setupError';

runMain(async () => {
  const status = runWithSqlite(__filename);
  if (status !== undefined) return status;
  // Only now: a Node without SQLite could not even load them.
  const { lives } = await import('./lives');
  const [first = 1, count = 300] = process.argv.slice(2).map(Number);
  for (let seed = first; seed < first + count; seed++) {
    for (const life of lives) {
      const { failure } = await life(seed);
      if (failure === undefined) continue;
      console.log(`${seed - first + 1}: ${failure.split('\n')[0]}`);
      return 1;
    }
  }
  return 0;
});
