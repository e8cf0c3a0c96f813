import type { Locator, Page } from 'playwright-core';
import { appears, atMost, vanishes } from './appears';

/** What surrounds the chat panel: the command palette, input boxes and notifications. */
export class Workbench {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** Runs a command by its title in the palette, such as `Assistant: Show Log`. */
  async runCommand(title: string): Promise<void> {
    await this.startCommand(title);
    // The command may open an input box of its own, which is the same element.
    await this.#page.waitForFunction(() => {
      const input = document.querySelector<HTMLInputElement>('.quick-input-widget input');
      return !input?.checkVisibility() || !input.value.startsWith('>');
    });
  }

  /** The same for a command after which the window is gone. */
  async startCommand(title: string): Promise<void> {
    await this.#choose('F1', `>${title}`, title);
  }

  /** Opens a file by its path, as with the keyboard. */
  async openFile(path: string): Promise<void> {
    await this.#choose('ControlOrMeta+P', path, path.split('/').at(-1) ?? path);
  }

  /** Chooses an entry of a context menu. VS Code ignores a click that comes too soon, and closes it as the focus moves. */
  async chooseInMenu(place: Locator, entry: string): Promise<void> {
    const item = this.#page.getByRole('menuitem', { name: entry });
    let isClicked = false;
    await atMost(
      5,
      `The choice of ${entry} in the context menu`,
      async () => {
        if (!(await item.isVisible())) await place.click({ button: 'right' });
        isClicked =
          (await appears(item, 10_000)) &&
          (await item.click({ timeout: 3000 }).then(
            () => true,
            () => false,
          ));
      },
      async () => isClicked && vanishes(item),
    );
  }

  /** A window that is just opening does not know its keys yet. */
  async #open(key: string): Promise<void> {
    await atMost(
      10,
      `The list that ${key} opens`,
      () => this.#page.keyboard.press(key),
      () => appears(this.inputBox, 6000),
    );
  }

  /** Not with Enter: the first entry may be another one that fits, or still of the list before the typing. */
  async #choose(key: string, typed: string, entry: string): Promise<void> {
    const choice = this.options.filter({ has: this.#page.getByText(entry, { exact: true }) }).first();
    let isChosen = false;
    // The list closes when something else takes the focus, such as a chat that is still opening.
    await atMost(
      3,
      `The choice of ${entry}`,
      async () => {
        await this.#open(key);
        isChosen = await this.inputBox
          .fill(typed, { timeout: 10_000 })
          .then(() => Promise.race([choice.waitFor({ timeout: 30_000 }), this.#closedList()]))
          .then(() => choice.click({ timeout: 20_000 }))
          .then(
            () => true,
            () => false,
          );
      },
      async () => isChosen,
    );
  }

  async #closedList(): Promise<never> {
    await this.inputBox.waitFor({ state: 'hidden' });
    throw new Error('The list has closed.');
  }

  /** Presses a button in the title of the editor in front. */
  async pressInTitle(button: string): Promise<void> {
    const title = this.#page.locator('.editor-group-container.active .editor-actions');
    await title.getByRole('button', { name: button, exact: true }).click();
  }

  /** What the menu `…` in the title of the editor in front offers. */
  async offeredInTitle(): Promise<readonly string[]> {
    const title = this.#page.locator('.editor-group-container.active .editor-actions');
    const entries = this.#page.locator('.monaco-menu .action-menu-item');
    // A menu of VS Code closes as the focus moves.
    await atMost(
      3,
      'The menu in the title of the editor',
      () => title.getByRole('button', { name: 'More Actions...' }).click(),
      () => appears(entries.first(), 10_000),
    );
    const offered = await entries.allInnerTexts();
    await this.#page.keyboard.press('Escape');
    return offered.map((entry) => entry.trim());
  }

  /** The input box, or the input of a list, that is open. */
  get inputBox(): Locator {
    return this.#quickInput.locator('input:visible').first();
  }

  /** The entries of the list that is open. */
  get options(): Locator {
    return this.#quickInput.getByRole('option');
  }

  /** What the input box says against the present input. */
  get inputProblem(): Locator {
    return this.#quickInput.locator('.quick-input-message');
  }

  /** Answers the input box that is open. */
  async answerInputBox(text: string): Promise<void> {
    await this.inputBox.waitFor();
    await this.inputBox.fill(text);
    await this.inputBox.press('Enter');
  }

  /** Answers the dialog for a file, which is a list with a path to type when VS Code runs in a browser. */
  async enterPath(path: string): Promise<void> {
    // It fills in a path of its own until it lists what is there.
    await this.options.filter({ hasText: '..' }).first().waitFor();
    await this.answerInputBox(path);
  }

  /** Notifications that are shown now and hold this text: without a click, for some ten seconds. */
  notification(text: string | RegExp): Locator {
    return this.#page
      .locator('.notifications-toasts, .notifications-center')
      .locator('.notification-list-item')
      .filter({ hasText: text });
  }

  /** Shows all notifications that nobody has closed, those that have faded too. */
  async showNotifications(): Promise<void> {
    await this.runCommand('Notifications: Show Notifications');
  }

  async pressInNotification(text: string | RegExp, button: string): Promise<void> {
    if (!(await appears(this.notification(text), 10_000))) await this.showNotifications();
    await this.notification(text).getByRole('button', { name: button, exact: true }).click();
  }

  /** Waits for the dialog that says this, and gives all it says. */
  async dialogAsks(about: string | RegExp): Promise<string> {
    const dialog = this.#dialog.filter({ hasText: about });
    await dialog.waitFor();
    return dialog.innerText();
  }

  async pressInDialog(button: string): Promise<void> {
    await this.#dialog.getByRole('button', { name: button, exact: true }).click();
    await this.#dialog.waitFor({ state: 'detached' });
  }

  /** What was not saved is given up. */
  async closeEditors(): Promise<void> {
    await this.runCommand('View: Close All Editors');
    const question = this.#dialog.filter({ hasText: 'Do you want to save' });
    const empty = this.#page.locator('.editor-group-container.empty');
    await question.or(empty).first().waitFor();
    if (await question.isVisible()) await this.pressInDialog("Don't Save");
    await empty.waitFor();
  }

  /** Everything that is remembered and archived, notes included, if there is anything. */
  async deleteAllConversations(): Promise<void> {
    await this.runCommand('Assistant: Delete All Conversations…');
    const question = this.#dialog.filter({ hasText: 'Delete all conversations of this workspace?' });
    const nothing = this.notification('Nothing is remembered and nothing is archived');
    await question.or(nothing).first().waitFor();
    if (!(await question.isVisible())) return;
    const withNotes = this.#dialog.getByRole('button', { name: 'Delete All with Notes', exact: true });
    await this.pressInDialog((await withNotes.isVisible()) ? 'Delete All with Notes' : 'Delete All');
    await this.notification('All conversations of this workspace are erased.').waitFor();
  }

  get #dialog(): Locator {
    return this.#page.locator('.monaco-dialog-box');
  }

  /** Stays in Restricted Mode. VS Code asks in a window on a new folder or, from 1.139 on, takes that as given. */
  async doNotTrustFolder(): Promise<void> {
    const question = this.#dialog.filter({ hasText: 'Do you trust the authors' });
    const banner = this.#page.locator('.part.banner').getByText('Restricted Mode');
    await question.or(banner).first().waitFor();
    if (await question.isVisible()) await question.getByRole('button', { name: /^No,/ }).click();
    await banner.waitFor();
  }

  /** Says yes in the page on which VS Code explains what trust means. */
  async trustFolder(): Promise<void> {
    await this.runCommand('Workspaces: Manage Workspace Trust');
    await this.#page
      .locator('.workspace-trust-editor')
      .getByRole('button', { name: 'Trust', exact: true })
      .click();
    await this.#restricted.waitFor({ state: 'detached' });
    await this.runCommand('View: Close Editor');
  }

  get #restricted(): Locator {
    return this.#page.locator('.part.statusbar').getByText('Restricted Mode');
  }

  get #quickInput(): Locator {
    return this.#page.locator('.quick-input-widget');
  }
}
