/** Runs files of end-to-end tests, in a browser of their own: windows of one browser share its clipboard. */
import { launchBrowserServer } from '../support/host/browser';
import { resultFile } from '../support/results';
import { runMocha } from '../support/runMocha';
import { runMain } from '../support/setupError';
import { closeHandedOn } from '../support/window/handOn';
import { showFailure } from '../support/window/watchPage';

runMain(async () => {
  const [result = '', ...files] = process.argv.slice(2);
  const browser = await launchBrowserServer();
  try {
    process.env['WARM_BROWSER'] = browser.wsEndpoint();
    const { failed } = await runMocha({
      files,
      resultFile: resultFile(result),
      timeoutMs: 300_000,
      // On a shared machine a window can be starved for longer than any wait is sensible.
      triesAgain: true,
      onFailure: showFailure,
      onEnd: closeHandedOn,
    });
    return failed === 0 ? 0 : 1;
  } finally {
    await browser.close();
  }
});
