import type { Page } from 'playwright-core';

/** Pictures in several themes are for looking at, and show nothing to a test: only where somebody asks for them. */
export const takesPictures = Boolean(process.env['TEST_PICTURES']);

/** The same picture in the light and the dark theme; the window has to follow the colours of the system. */
export async function screenshotInBothThemes(
  { page, screenshot }: { readonly page: Page; readonly screenshot: (name: string) => Promise<void> },
  name: string,
): Promise<void> {
  if (!takesPictures) return;
  await screenshot(`${name}-light`);
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.locator('.monaco-workbench.vs-dark').waitFor();
  await screenshot(`${name}-dark`);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.locator('.monaco-workbench.vs').waitFor();
}

/** The same with the themes of high contrast; the window has to follow those of the system, too. */
export async function screenshotInAllThemes(
  { page, screenshot }: { readonly page: Page; readonly screenshot: (name: string) => Promise<void> },
  name: string,
): Promise<void> {
  if (!takesPictures) return;
  const themes = [
    ['vs', 'light', 'none'],
    ['vs-dark', 'dark', 'none'],
    ['hc-black', 'dark', 'active'],
    ['hc-light', 'light', 'active'],
  ] as const;
  for (const [theme, colorScheme, forcedColors] of themes) {
    await page.emulateMedia({ colorScheme, forcedColors });
    await page.locator(`.monaco-workbench.${theme}`).waitFor();
    await screenshot(`${name}-${theme}`);
  }
  await page.emulateMedia({ colorScheme: 'light', forcedColors: 'none' });
}
