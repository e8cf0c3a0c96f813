import { channel } from 'node:diagnostics_channel';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { projectRoot } from '../projectPaths';

/** Each bundled test file has its own copy of this module: what they share goes through the process. */
const failures = channel('claude-assistant:test-failed');

interface Failure {
  readonly title: string;
  readonly looks: Promise<void>[];
}

/** Prints what stands in all open windows and keeps a picture of each: CI gives us only words. */
export async function showFailure(title: string): Promise<void> {
  const failure: Failure = { title, looks: [] };
  failures.publish(failure);
  await Promise.all(failure.looks);
}

/** Twice what is usual: a machine that others use as well may leave us without a core for long. */
const patienceMs = 60_000;

/** Reloads the page when VS Code itself asks for that, as a person would, and looks at it whenever a test fails. */
export async function watchPage(page: Page): Promise<void> {
  page.setDefaultTimeout(patienceMs);
  const look = (message: unknown): void => {
    const { title, looks } = message as Failure;
    looks.push(
      lookAt(page, title).catch((error: unknown) => console.log(`      (no look: ${String(error)})`)),
    );
  };
  failures.subscribe(look);
  page.once('close', () => failures.unsubscribe(look));
  await page.addLocatorHandler(page.locator(dialog).filter({ hasText: mustReload }), async (box) => {
    console.log(`    ↻ reloaded, as VS Code asked: ${oneLine(await box.innerText())}`);
    await page.reload();
  });
}

const dialog = '.monaco-dialog-box';

/** On a machine that is busy enough, a window does not find its server in time. */
const mustReload = /requires a reload of this page|Please reload the window/;

async function lookAt(page: Page, title: string): Promise<void> {
  const name = title.replaceAll(/[^\w]+/g, '-').slice(0, 80);
  await page.screenshot({
    path: join(projectRoot, 'dist/test/screenshots', `failed-${name}.png`),
    timeout: 5000,
  });
  const lastRow = '.interactive-list .monaco-list-row[data-last-element="true"]';
  const input = '.interactive-input-part .view-lines';
  const shown = page.locator([dialog, '.notification-list-item-message', lastRow, input].join());
  for (const text of await shown.allInnerTexts()) console.log(`      | ${oneLine(text)}`);
  // A dialog that was left open would fail all that follows.
  if (await page.locator(dialog).first().isVisible()) await page.reload();
}

function oneLine(text: string): string {
  return text.trim().replaceAll(/\s+/g, ' ').slice(0, 500);
}
