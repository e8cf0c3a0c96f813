import type { Locator, Page } from 'playwright-core';
import { appears, atMost } from './appears';

/** The plan in the editor, as a person writes it. */
export class PlanEditor {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  get tab(): Locator {
    return this.#page.getByRole('tab', { name: /^Plan\.md/ });
  }

  /** It has changes that are not saved. */
  get unsaved(): Locator {
    return this.#page.locator('.tab.dirty').filter({ hasText: 'Plan.md' });
  }

  line(text: string | RegExp): Locator {
    return this.#editor.locator('.view-line').filter({ hasText: text });
  }

  /** Writes at the end, and saves nothing. */
  async add(text: string): Promise<void> {
    // VS Code may still be putting the focus somewhere else.
    await atMost(
      3,
      `“${text}” in the plan`,
      async () => {
        await this.#editor.locator('.native-edit-context').focus();
        await this.#page.keyboard.press('ControlOrMeta+End');
        await this.#page.keyboard.insertText(text);
      },
      () => appears(this.line(text.trim()), 10_000),
    );
  }

  async save(): Promise<void> {
    await this.#editor.locator('.native-edit-context').focus();
    await this.#page.keyboard.press('ControlOrMeta+S');
  }

  get #editor(): Locator {
    return this.#page.locator('.editor-group-container .editor-instance .monaco-editor').first();
  }
}
