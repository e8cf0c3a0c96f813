import type { FrameLocator, Locator, Page } from 'playwright-core';
import { webviewIn } from './webview';

/** The usage page, as a person uses it. */
export class UsagePage {
  readonly #frame: FrameLocator;

  constructor(page: Page) {
    this.#frame = webviewIn(page);
  }

  /** One row for each answer, newest first. */
  get answers(): Locator {
    return this.#frame.locator('ol.answers details:not(.evicted) > summary');
  }

  /** Turns that were evicted between answers. */
  get evictions(): Locator {
    return this.#frame.locator('ol.answers details.evicted > summary');
  }

  button(name: string | RegExp): Locator {
    return this.#frame.getByRole('button', { name });
  }

  /** The whole table, by the heading of each column; evictions have one cell only. */
  async table(): Promise<readonly Readonly<Record<string, string>>[]> {
    await this.button('Table').click();
    await this.#frame.locator('.scroll:not(.breakdown) table').waitFor();
    const rows = await this.#frame
      .locator('.scroll:not(.breakdown) tr')
      .evaluateAll((all) =>
        all.map((row) => Array.from(row.querySelectorAll('th, td'), (cell) => cell.textContent ?? '')),
      );
    const [columns = [], ...others] = rows;
    return others.map((cells) =>
      Object.fromEntries(cells.map((text, index) => [columns[index] ?? String(index), text])),
    );
  }
}
