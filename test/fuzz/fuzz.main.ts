/** `npm run fuzz`: hostile input at every door. `FUZZ_CASES`, `FUZZ_SEED`, `FUZZ_TARGET` and `FUZZ_PATH` choose. */
import { runWithSqlite } from '../support/nodeWithSqlite';
import { runMain, SetupError } from '../support/setupError';
import type { FuzzTarget } from './target';

/** So many cases at a time: each batch has a seed of its own, which is all that is needed to run it again. */
const batch = 500;

runMain(async () => {
  const status = runWithSqlite(__filename);
  if (status !== undefined) return status;
  const cases = Number(process.env['FUZZ_CASES'] ?? 100_000);
  const seed = Number(process.env['FUZZ_SEED'] ?? Date.now() % 1_000_000_000);
  const only = process.env['FUZZ_TARGET'];
  const path = process.env['FUZZ_PATH'];
  // Only now: a Node without SQLite could not even load them.
  const { openTargets } = await import('./targets');
  const targets = (await openTargets()).filter(({ name }) => only === undefined || name === only);
  if (targets.length === 0) throw new SetupError(`There is no target ${only}.`);
  const shares = targets.reduce((sum, { share }) => sum + (typeof share === 'number' ? share : 0), 0);
  const partOf = ({ share }: FuzzTarget) => (typeof share === 'number' ? share / shares : 1 / 5);
  console.log(`${cases} cases, seed ${seed}`);
  let failures = 0;
  try {
    for (const target of targets) {
      const wanted = path === undefined ? Math.ceil(cases * partOf(target)) : 1;
      const startedAt = Date.now();
      let done = 0;
      for (let number = 0; done < wanted; number++) {
        const options = { cases: Math.min(batch, wanted - done), seed: seed + number * batch, path };
        const { cases: ran, failure } = await target.run(options);
        done += ran;
        if (!failure) continue;
        failures++;
        const again = `FUZZ_TARGET='${target.name}' FUZZ_SEED=${failure.seed} FUZZ_PATH=${failure.path} npm run fuzz`;
        console.error(`${target.name} fails. Again with: ${again}\n${failure.report}`);
        break;
      }
      console.log(
        `${target.name.padEnd(12)} ${done} cases in ${((Date.now() - startedAt) / 1000).toFixed(0)} s`,
      );
    }
  } finally {
    for (const target of targets) await target.close?.();
  }
  console.log(failures === 0 ? 'All held.' : `${failures} of ${targets.length} failed.`);
  return failures === 0 ? 0 : 1;
});
