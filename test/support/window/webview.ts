import type { FrameLocator, Page } from 'playwright-core';

/** What a webview shows: VS Code puts it into a frame within a frame. `nth` counts those that are open. */
export function webviewIn(page: Page, nth = -1): FrameLocator {
  const outer = page.locator('iframe.webview.ready');
  return (nth < 0 ? outer.last() : outer.nth(nth)).contentFrame().frameLocator('#active-frame');
}
