import type { Locator, Page } from 'playwright-core';
import { pressOver } from './appears';

/** The Memory view, as a person uses it. */
export class MemoryView {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** The view with its title. */
  get pane(): Locator {
    return this.#page.locator('.part.sidebar');
  }

  get rows(): Locator {
    return this.#page.locator('.part.sidebar .customview-tree .monaco-list-row');
  }

  row(text: string | RegExp): Locator {
    return this.rows.filter({ hasText: text });
  }

  /** A row for which a screen reader says this. */
  said(words: string): Locator {
    return this.#page.locator(`.part.sidebar .customview-tree .monaco-list-row[aria-label*="${words}"]`);
  }

  /** What a screen reader says for the rows in view. */
  spoken(): Promise<readonly (string | null)[]> {
    return this.rows.evaluateAll((rows) => rows.map((row) => row.getAttribute('aria-label')));
  }

  /** Presses a button on a row; it shows while the mouse is there. */
  async press(row: Locator, button: string): Promise<void> {
    // Its name may end with the key that does the same.
    await pressOver(row, row.getByRole('button', { name: new RegExp(`^${button}( \\(.*)?$`) }));
  }

  /** Chooses from the context menu of a row, by keyboard. */
  async choose(row: string, entry: string): Promise<void> {
    await this.focusRow(row);
    await this.#page.keyboard.press('Shift+F10');
    const entries = this.#page.locator('.monaco-menu .action-item');
    await entries.filter({ hasText: entry }).waitFor();
    const chosen = this.#page.locator('.monaco-menu .action-item.focused').filter({ hasText: entry });
    for (let step = await entries.count(); step > 0 && !(await chosen.isVisible()); step--) {
      await this.#page.keyboard.press('ArrowDown');
    }
    await this.#page.keyboard.press('Enter');
  }

  /** Moves the focus of the keyboard to a row, from wherever it is in the list. */
  async focusRow(text: string): Promise<void> {
    // The command that shows the view focuses it a little later.
    await this.#page.locator('.part.sidebar .customview-tree .monaco-list:focus').waitFor();
    await this.#page.keyboard.press('Home');
    const focused = this.#page.locator('.part.sidebar .monaco-list-row.focused').filter({ hasText: text });
    for (let step = await this.rows.count(); step > 0 && !(await focused.isVisible()); step--) {
      await this.#page.keyboard.press('ArrowDown');
    }
    await focused.waitFor();
  }

  /** The item in the status bar. */
  get statusItem(): Locator {
    return this.#page.locator('.statusbar-item[id="claude-assistant.claude-assistant.assistant.memory"]');
  }
}
