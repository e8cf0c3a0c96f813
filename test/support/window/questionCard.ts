import type { Locator, Page } from 'playwright-core';
import { vanishes } from './appears';

/** VS Code's own question card above the chat input. */
export class QuestionCard {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** In VS Code 1.110 an answered card stays, marked as used. */
  get #card(): Locator {
    return this.#page
      .locator('.chat-question-carousel-container:not(.chat-question-carousel-used)')
      .filter({ visible: true });
  }

  /** Waits until this is asked. */
  async asks(question: string): Promise<void> {
    await this.#card.getByText(question).first().waitFor();
  }

  async choose(option: string): Promise<void> {
    await this.#card.getByRole('option', { name: option }).click();
    await this.#submit();
  }

  async answer(words: string): Promise<void> {
    await this.#card.locator('textarea, input').last().fill(words);
    await this.#submit();
  }

  async dismiss(): Promise<void> {
    await this.#card
      .getByRole('button', { name: /^(Skip all questions|Skip|Close)/ })
      .first()
      .click();
    await this.gone();
  }

  async gone(): Promise<void> {
    await this.#card.waitFor({ state: 'detached' });
  }

  async #submit(): Promise<void> {
    const button = this.#card.getByRole('button', { name: 'Submit' });
    // A choice may submit by itself. A click that still waited then would press the button of the next card.
    if (!(await vanishes(this.#card, 1000))) await button.click({ timeout: 3000 }).catch(() => undefined);
    await this.gone();
  }
}
