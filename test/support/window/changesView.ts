import type { Locator, Page } from 'playwright-core';
import { pressOver } from './appears';

/** `Changes by Claude` in Source Control, and its hunks in the editor, as a person uses them. */
export class ChangesView {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** Turns and files. */
  get rows(): Locator {
    return this.#page
      .locator('.scm-view .monaco-list-row')
      .filter({ hasNot: this.#page.locator('.scm-input') });
  }

  /** A turn by its words, or a file by its name. */
  row(text: string): Locator {
    return this.rows.filter({ hasText: text });
  }

  /** The files that are listed, top to bottom. */
  async files(): Promise<readonly string[]> {
    return this.rows.locator('.label-name').allInnerTexts();
  }

  /** Presses a button on a row; it shows while the mouse is there. */
  async press(row: string, button: string): Promise<void> {
    const place = this.row(row);
    await pressOver(place, place.getByRole('button', { name: button, exact: true }));
  }

  /** Waits until the gutter shows this many changed lines. */
  async gutterShows(lines: number): Promise<void> {
    const marks = this.#page.locator('.editor-instance .dirty-diff-glyph');
    await marks.nth(lines - 1).waitFor();
    await marks.nth(lines).waitFor({ state: 'detached' });
  }

  /** The hunk that is open in the editor. */
  get peek(): Locator {
    return this.#page.locator('.peekview-widget:visible');
  }

  async pressInPeek(button: 'Keep' | 'Undo'): Promise<void> {
    const icon = button === 'Keep' ? 'check' : 'discard';
    await this.peek.locator(`.action-label.codicon-${icon}`).click();
  }
}
