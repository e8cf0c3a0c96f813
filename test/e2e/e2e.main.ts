/** Runs the end-to-end tests: the packed extension, installed as a person would, in the real chat panel. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { launchBrowserServer } from '../support/host/browser';
import { installHost } from '../support/host/installHost';
import { installPackage } from '../support/host/installPackage';
import { installUnpacked } from '../support/installUnpacked';
import { projectRoot } from '../support/projectPaths';
import { removeFolder } from '../support/removeFolder';
import { resultFile } from '../support/results';
import { runMocha, testFilesBelow } from '../support/runMocha';
import { runMain } from '../support/setupError';
import { installVsix, packVsix } from '../support/vsix';
import { showFailure } from '../support/window/watchPage';

runMain(async () => {
  const extensions = mkdtempSync(join(tmpdir(), 'claude-assistant-extensions-'));
  const browser = await launchBrowserServer();
  try {
    const { path } = packVsix();
    installVsix(installHost(), path, extensions);
    // Its tools, good and bad, are there in all windows: F16 holds in every one of them.
    installUnpacked(join(projectRoot, 'test/fixtures/extensions/shop-tools'), extensions);
    // What a test needs from the registry is there before its time runs.
    for (const server of ['mcp-everything', 'mcp-filesystem']) installPackage(server, 'MCP server');
    process.env['E2E_EXTENSIONS'] = extensions;
    process.env['WARM_BROWSER'] = browser.wsEndpoint();
    const { failed } = await runMocha({
      // Other folders with such tests may be named, as `npm run test:faults` does.
      files: [__dirname, ...process.argv.slice(2)].flatMap(testFilesBelow),
      resultFile: resultFile('e2e'),
      timeoutMs: 180_000,
      // On a shared machine a window can be starved for longer than any wait is sensible.
      triesAgain: true,
      onFailure: showFailure,
    });
    return failed === 0 ? 0 : 1;
  } finally {
    await browser.close();
    removeFolder(extensions);
  }
});
