import type { Locator, Page } from 'playwright-core';
import { appears, atMost, vanishes } from './appears';
import type { ChatPanel } from './chatPanel';

/** Before 1.139 an answered card stays in the answer, without its buttons. */
const waiting =
  '.chat-confirmation-widget-container:visible:has(.chat-confirmation-widget-buttons .monaco-button:visible)';

/** VS Code's card that asks before a tool runs. A hidden copy of it stands in the answer: only what is seen counts. */
export class ConfirmationCard {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** The card that waits for an answer: above the input or, before 1.139, in the last answer. */
  get shown(): Locator {
    return this.#places.locator(waiting);
  }

  /** Waits for the card that says this, and gives all it says; VS Code renders blanks of code as no-break spaces. */
  async asks(about: string | RegExp): Promise<string> {
    const card = this.#places
      .filter({ has: this.#page.locator(waiting) })
      .filter({ hasText: about })
      .first();
    await card.waitFor();
    // Code in it is drawn a little later than the rest.
    for (const code of await card.locator('.interactive-result-code-block:visible').all()) {
      await appears(code.locator('.view-line').filter({ hasText: /\S/ }).first());
    }
    return (await card.innerText()).replaceAll('\u00a0', ' ');
  }

  /** Presses a button of the card by its label, such as `Skip`, also where VS Code puts it into a menu. */
  async press(label: string): Promise<void> {
    const button = this.#button(label);
    await this.shown.first().waitFor();
    await this.#answer(async () => {
      if (await button.isVisible()) return button.click();
      return this.#choose(new RegExp(`^${label}( Once)?$`));
    });
  }

  /** Allows this one call, wherever VS Code puts that choice: its default may be the whole session. */
  async allowOnce(): Promise<void> {
    await this.press('Allow');
  }

  /** Follows a link in the text of the card. Before 1.139 a short text, too, is cut off and lies below its Show More. */
  async follow(link: string): Promise<void> {
    const more = this.shown.first().getByText('Show More', { exact: true });
    if (await more.isVisible()) await more.click();
    await this.shown.first().getByText(link).click();
  }

  async #choose(label: RegExp): Promise<void> {
    const choice = this.#page.locator('.monaco-menu').getByText(label).first();
    // A menu of VS Code closes as the focus moves,
    await atMost(
      3,
      `The choice ${label.source}`,
      () => this.shown.getByRole('button', { name: 'More Actions...' }).click(),
      () => appears(choice, 10_000),
    );
    // and ignores a click that comes right after it opened.
    await atMost(
      3,
      `The end of the menu with ${label.source}`,
      () => choice.click(),
      () => vanishes(choice, 3000),
    );
  }

  /** Waits for the end of the very card that is answered: the next one may be there at once. */
  async #answer(act: () => Promise<void>): Promise<void> {
    const buttons = await this.shown.locator('.monaco-button:visible').first().elementHandle();
    await act();
    await buttons?.waitForElementState('hidden');
  }

  /** Presses in each card, as it comes, what is said to what it says, until the answer is complete. */
  async answerEach(panel: ChatPanel, answer: (said: string) => Promise<string>): Promise<void> {
    const finished = panel.finished({ timeout: 240_000 }).then(() => 'finished' as const);
    let last = '';
    for (;;) {
      const asked = this.shown.first().waitFor({ timeout: 0 });
      // Whoever comes first; a window that is closed meanwhile has nothing to say.
      if ((await Promise.race([finished, asked.catch(() => 'finished' as const)])) === 'finished') return;
      last = await this.#saysAfter(last);
      await this.press(await answer(last));
    }
  }

  /** VS Code draws code in an editor that it used before: for a moment the next card shows the code of the last one. */
  async #saysAfter(last: string): Promise<string> {
    for (let looks = 0; looks < 50; looks++) {
      const said = await this.asks(/./);
      if (said !== last) return said;
      await this.#page.waitForTimeout(100);
    }
    return last;
  }

  async gone(): Promise<void> {
    await this.shown.first().waitFor({ state: 'detached' });
  }

  get #places(): Locator {
    return this.#page.locator(
      '.chat-tool-confirmation-carousel, .interactive-list .monaco-list-row[data-last-element="true"]',
    );
  }

  #button(label: string | RegExp): Locator {
    const text = typeof label === 'string' ? new RegExp(`^${label}( Once)?$`) : label;
    return this.shown.locator('.monaco-button').filter({ hasText: text }).first();
  }
}
