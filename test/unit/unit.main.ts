/** Runs the unit tests: plain mocha on Node. */
import { resultFile } from '../support/results';
import { runMocha, testFilesBelow } from '../support/runMocha';
import { runMain } from '../support/setupError';

runMain(async () => {
  const { failed } = await runMocha({
    files: testFilesBelow(__dirname),
    resultFile: resultFile('unit'),
    timeoutMs: 60_000,
  });
  return failed === 0 ? 0 : 1;
});
