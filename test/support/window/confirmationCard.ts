import type { Locator, Page } from 'playwright-core';

/** VS Code's card that asks before a tool runs. A hidden copy of it stands in the answer: only what is seen counts. */
export class ConfirmationCard {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  get shown(): Locator {
    return this.#page.locator('.chat-confirmation-widget-container').filter({ visible: true });
  }

  /** Waits for the card that says this, and gives all it says; VS Code renders blanks of code as no-break spaces. */
  async asks(about: string | RegExp): Promise<string> {
    const card = this.#page
      .locator('.chat-tool-confirmation-carousel, .chat-confirmation-widget-container')
      .filter({ visible: true })
      .filter({ hasText: about })
      .first();
    await card.waitFor();
    return (await card.innerText()).replaceAll('\u00a0', ' ');
  }

  /** Presses a button of the card by its label, such as `Skip`. */
  async press(label: string): Promise<void> {
    await this.#button(label).click();
    await this.gone();
  }

  /** Allows this one call, wherever VS Code puts that choice: its default may be the whole session. */
  async allowOnce(): Promise<void> {
    const once = /^Allow( Once)?$/;
    if (await this.#button(once).isVisible()) return this.press('Allow');
    await this.shown.getByRole('button', { name: 'More Actions...' }).click();
    const choice = this.#page.locator('.monaco-menu').getByText(once).first();
    // A menu of VS Code ignores a click that comes right after it opened.
    do await choice.click();
    while (await staysVisible(choice));
    await this.gone();
  }

  async gone(): Promise<void> {
    await this.shown.first().waitFor({ state: 'detached' });
  }

  #button(label: string | RegExp): Locator {
    const text = typeof label === 'string' ? new RegExp(`^${label}( Once)?$`) : label;
    return this.shown.locator('.monaco-button').filter({ hasText: text }).first();
  }
}

async function staysVisible(locator: Locator): Promise<boolean> {
  const isGone = locator.waitFor({ state: 'detached', timeout: 1000 });
  return isGone.then(
    () => false,
    () => true,
  );
}
