/** Runs the unit tests: plain mocha on Node. */
import { runWithSqlite } from '../support/nodeWithSqlite';
import { resultFile } from '../support/results';
import { runMocha, testFilesBelow } from '../support/runMocha';
import { runMain } from '../support/setupError';

runMain(async () => {
  const status = runWithSqlite(__filename);
  if (status !== undefined) return status;
  const { failed } = await runMocha({
    files: testFilesBelow(__dirname),
    resultFile: resultFile('unit'),
    timeoutMs: 60_000,
  });
  return failed === 0 ? 0 : 1;
});
