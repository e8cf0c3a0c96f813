import type { Locator, Page } from 'playwright-core';
import { appears, atMost, pressOver } from './appears';
import type { Workbench } from './workbench';

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

  /** Opens the first hunk of a file in a git repository, and waits until it is Claude's: git may know the lines earlier. */
  async openHunk(path: string, workbench: Workbench): Promise<void> {
    await atMost(
      5,
      'The hunk of Claude’s',
      async () => {
        await workbench.closeEditors();
        await workbench.openFile(path);
        await this.#page.locator('.editor-instance .dirty-diff-glyph').first().waitFor();
        await workbench.runCommand('Show Next Change');
      },
      () => appears(this.peek.locator('.action-label.codicon-check'), 5_000),
    );
  }

  async pressInPeek(button: 'Keep' | 'Undo'): Promise<void> {
    const icon = button === 'Keep' ? 'check' : 'discard';
    await this.peek.locator(`.action-label.codicon-${icon}`).click();
  }
}
