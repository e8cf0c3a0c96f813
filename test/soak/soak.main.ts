/** `npm run soak`: SOAK_TURNS turns (1,000) through one window with faults at random, the same for the same SOAK_SEED. */
import assert from 'node:assert/strict';
import { runWithSqlite } from '../support/nodeWithSqlite';
import { runMain } from '../support/setupError';
import { packVsix } from '../support/vsix';
import { errandKinds } from './errands';
import { runSoak } from './soak';
import { fates } from './turnPlan';

/** Live heap at the end of a stretch over its start: what a leak of a few KB a turn would exceed. */
const maxGrowth = 1.25;

runMain(async () => {
  const status = runWithSqlite(__filename);
  if (status !== undefined) return status;
  const turns = Number(process.env['SOAK_TURNS'] ?? 1000);
  const seed = Number(process.env['SOAK_SEED'] ?? 20_261_116);
  packVsix();
  const start = Date.now();
  const figures = await runSoak({
    turns,
    seed,
    onTurn: ({ turn, requests }) => {
      if (turn % 25 !== 0 && turn !== turns) return;
      const minutes = ((Date.now() - start) / 60_000).toFixed(1);
      console.log(`${turn} turns, ${requests} requests, none refused, none lost, ${minutes} min`);
    },
  });
  console.log(JSON.stringify({ ...figures.fates, errands: figures.errands }, undefined, 2));
  console.log(`$${figures.spent.toFixed(4)} charged and counted.`);
  const sizes = figures.tables.slice(0, 8).map(({ name, bytes }) => `${name} ${Math.round(bytes / 1024)} KB`);
  console.log(`The database: ${sizes.join(', ')}.`);
  for (const { turns: count, before, after } of figures.heaps) {
    const megabytes = [before, after].map((bytes) => (bytes / 2 ** 20).toFixed(1)).join(' → ');
    console.log(`Live heap over ${count} turns in one extension host: ${megabytes} MB`);
    assert.ok(after / before <= maxGrowth, 'The extension host grows with every turn.');
  }
  assert.ok(turns < 200 || figures.heaps.length > 0, 'The heap was never measured.');
  const missing = [
    ...fates.filter((fate) => figures.fates[fate] === undefined),
    ...errandKinds.filter((kind) => figures.errands[kind] === undefined),
  ];
  assert.deepEqual(turns < 1000 ? [] : missing, [], 'These never happened, so nothing is shown of them.');
  console.log(`Remembered at the end, as the model says: ${figures.remembered.length} turns.`);
  return 0;
});
