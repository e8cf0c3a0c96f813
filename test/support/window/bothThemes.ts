import type { Page } from 'playwright-core';

/** The same picture in the light and the dark theme; the window has to follow the colours of the system. */
export async function screenshotInBothThemes(
  { page, screenshot }: { readonly page: Page; readonly screenshot: (name: string) => Promise<void> },
  name: string,
): Promise<void> {
  await screenshot(`${name}-light`);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.locator('.monaco-workbench.vs-dark').waitFor();
  await screenshot(`${name}-dark`);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.locator('.monaco-workbench.vs').waitFor();
}
