import type { Locator, Page } from 'playwright-core';
import { appears, atMost, pressOver, vanishes } from './appears';

const ledgerLink = 'a[data-href^="command:assistant.showLedger"]';

/** 1.110 has the steps of an answer, and no list of its references. */
export const showsReferences = process.env['VSCODE_HOST_VERSION'] !== '1.110.0';

/** The chat panel, as a person uses it. */
export class ChatPanel {
  readonly #page: Page;

  constructor(page: Page) {
    this.#page = page;
  }

  /** The last answer, complete or not. */
  get lastAnswer(): Locator {
    return this.#lastRow.locator('.interactive-response');
  }

  /** Our models have arrived: before that, VS Code itself refuses a message. In Restricted Mode it does not say. */
  async ready(): Promise<void> {
    const named = this.#inputPart.filter({ hasText: 'Claude' });
    // VS Code 1.110 may hide the name of the model behind a menu when the panel is narrow.
    const hidden = this.#inputPart.locator('.codicon-toolbar-more');
    const restricted = this.#page.locator('.part.statusbar').getByText('Restricted Mode');
    await named.or(hidden).or(restricted).first().waitFor();
    await this.#input.waitFor();
  }

  /** Goes on in a new thread, with the button above the panel. */
  async newChat(): Promise<void> {
    // A window that was just opened has one, and may still be putting it there.
    if ((await this.#rows.count()) === 0) return;
    const button = this.#page.locator('.part.auxiliarybar').getByRole('button', { name: /^New Chat/ });
    // The button is VS Code's own, and does nothing while the chat before it is still opening.
    await atMost(
      3,
      'A new chat',
      () => button.first().click(),
      () => vanishes(this.#rows.first(), 20_000),
    );
  }

  /** Types a message to `@assistant` and sends it; does not wait for the answer. */
  async send(message: string, participant = 'assistant'): Promise<void> {
    await this.ready();
    await this.#sending(() => this.type(message, participant));
  }

  /** Sends what something else has put into the input. */
  async sendSuggested(message: string, suggest: () => Promise<void>): Promise<void> {
    await this.#sending(async () => {
      await suggest();
      const suggested = this.#input.filter({ hasText: message.slice(-20) });
      await suggested.waitFor();
      await this.#enter(suggested);
    });
  }

  /** Types at the end of what something else has put into the input. */
  async typeOn(suggested: string, more: string): Promise<void> {
    await this.#input.filter({ hasText: suggested }).waitFor();
    await this.#editContext.focus();
    await this.#page.keyboard.press('ControlOrMeta+End');
    await this.#page.keyboard.insertText(more);
  }

  /** One try: a message that is lost after Enter is a fault. */
  async #sending(act: () => Promise<void>): Promise<void> {
    const last = await this.#lastIndex();
    await act();
    // Not the message itself: an answer that is tall and comes at once leaves no room for it.
    await this.#row(last + 2)
      .locator('.interactive-response')
      .waitFor();
  }

  /** Types a message to `@assistant` and presses Enter, whatever comes of it then. */
  async type(message: string, participant = 'assistant'): Promise<void> {
    // Enter is ignored until the editor has taken in what was typed, from its start to its end.
    const typed = this.#input.filter({ hasText: `@${participant}` }).filter({ hasText: message.slice(-20) });
    await atMost(
      3,
      `The message “${message}” in the input`,
      async () => {
        // An input that comes back with its window is emptied once more, in the midst of the typing.
        await this.#editContext.focus();
        await this.#page.keyboard.press('ControlOrMeta+A');
        await this.#page.keyboard.press('Delete');
        // At once: VS Code looks for suggestions at every key.
        await this.#page.keyboard.insertText(`@${participant} ${message}`);
      },
      () => appears(typed, 20_000),
    );
    await this.#enter(typed);
  }

  /** Presses Enter, once, and waits until the input has given away what it holds. */
  async #enter(held: Locator): Promise<void> {
    // While there are suggestions, Enter would take one of them.
    await this.#editContext.press('Escape');
    await this.#suggestions.waitFor({ state: 'hidden' });
    await this.#editContext.press('Enter');
    if (await vanishes(held, 60_000)) return;
    throw new Error(`Enter sent nothing. The input still holds “${await held.innerText()}”.`);
  }

  /** Puts a PNG on the clipboard and pastes it with the keyboard. */
  async pasteImage(bytes: Uint8Array): Promise<void> {
    await this.ready();
    const before = await this.#attachments.count();
    await this.#page.evaluate(async (base64) => {
      const image = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      const blob = new Blob([image], { type: 'image/png' });
      await navigator.clipboard.write([new ClipboardItem({ 'image/png': blob })]);
    }, Buffer.from(bytes).toString('base64'));
    await this.#editContext.focus();
    await this.#page.keyboard.press('ControlOrMeta+V');
    // VS Code itself takes long over a large one.
    await this.#attachments.nth(before).waitFor({ timeout: 120_000 });
  }

  /** Attaches a file of the workspace as the button `+` below the input offers it. */
  async addContext(name: string): Promise<void> {
    await this.ready();
    const option = this.#page.locator('.quick-input-widget').getByRole('option', { name }).first();
    // The list is VS Code's own, and closes when something else takes the focus.
    await atMost(
      3,
      `${name} in the list of contexts`,
      async () => {
        await this.#inputPart
          .getByRole('button', { name: /Add Context/ })
          .first()
          .click();
        await this.#page.locator('.quick-input-widget input:visible').first().fill(name);
      },
      () => appears(option, 20_000),
    );
    await option.click();
    await this.attachment(name).waitFor();
  }

  /** Something that goes with the next message, by its name. */
  attachment(name: string): Locator {
    return this.#attachments.filter({ hasText: name });
  }

  get #attachments(): Locator {
    return this.#inputPart.locator('.chat-attached-context-attachment');
  }

  /** Sends a message and gives the complete answer as it stands in the panel. */
  async ask(message: string): Promise<string> {
    await this.send(message);
    await this.finished();
    return this.answerText();
  }

  /** Waits until the last answer is complete. */
  async finished({ timeout = 60_000 } = {}): Promise<void> {
    await this.#completeAnswer.waitFor({ timeout });
  }

  get #completeAnswer(): Locator {
    return this.#lastRow.locator('.interactive-response:not(.chat-response-loading)');
  }

  async answerText(): Promise<string> {
    return (
      await this.lastAnswer.locator(`.rendered-markdown:not(:has(${ledgerLink}))`).allInnerTexts()
    ).join('\n');
  }

  /** The link below the last answer that opens what was sent for it. */
  get whatWasSent(): Locator {
    return this.lastAnswer.locator(ledgerLink);
  }

  /** The files that the last answer lists as its references, each as one line. */
  async references(): Promise<readonly string[]> {
    const rows = this.lastAnswer.locator('.chat-used-context-list .monaco-list-row');
    await this.#unfoldSteps();
    const label = this.lastAnswer
      .locator('.chat-used-context-label:visible')
      .filter({ hasText: /Used \d+ reference/ });
    // VS Code loses a click while the steps still unfold.
    await atMost(
      3,
      'The list of references',
      () => label.click(),
      () => appears(rows.first(), 10_000),
    );
    const parts = (row: Locator) => row.locator('.label-name, .label-description').allInnerTexts();
    return Promise.all((await rows.all()).map(async (row) => (await parts(row)).join(' ').trim()));
  }

  /** From 1.139 on, VS Code folds what led to an answer, its references too, once the answer is complete. */
  async #unfoldSteps(): Promise<void> {
    const folded = this.lastAnswer.locator('details.completed-response-disclosure:not([open]) > summary');
    const reference = this.lastAnswer.getByText(/Used \d+ reference/);
    await folded
      .or(reference.and(this.#page.locator(':visible')))
      .first()
      .waitFor();
    if (await folded.isVisible()) await folded.click();
  }

  /** What the last answer took, in VS Code's own line below it. */
  async receipt(): Promise<string> {
    // It may show only while the mouse is over the answer, but it is there. A stopped answer gets it a moment later.
    const details = this.#lastRow.locator('.chat-footer-details').filter({ hasText: /\S/ });
    return (await details.textContent()) ?? '';
  }

  /** A button below the last answer. */
  button(title: string): Locator {
    return this.lastAnswer.getByRole('button', { name: title, exact: true });
  }

  /** A message that waits for the running turn to make room. */
  get pending(): Locator {
    return this.#page.locator('.interactive-request.pending-request');
  }

  /** A link in the last answer that runs a command. */
  link(title: string): Locator {
    return this.lastAnswer.locator('a[data-href^="command:"]').filter({ hasText: title });
  }

  /** A suggested next message. */
  followUp(label: string): Locator {
    return this.#page.locator('.interactive-input-followups').getByText(label, { exact: true });
  }

  /** VS Code's own Retry below the last answer. */
  async retry(): Promise<void> {
    await pressOver(this.lastAnswer, this.button('Retry'));
  }

  /** Edits an earlier message where it stands and sends it again. */
  async edit(message: string, next: string): Promise<void> {
    const editor = this.#page.locator('.chat-edit-input-container .interactive-input-editor .view-lines');
    // The list may move away below the click.
    await atMost(
      3,
      `The editor of “${message}”`,
      async () => (await this.#request(message)).locator('.clickable').first().click(),
      () => appears(editor, 10_000),
    );
    const typed = editor.filter({ hasText: '@assistant' }).filter({ hasText: next });
    // A suggestion of VS Code that comes late takes the place of what was typed when Enter meets it.
    await atMost(
      3,
      `The message “${next}” in place of “${message}”`,
      async () => {
        if (!(await typed.isVisible())) {
          await this.#page.keyboard.press('ControlOrMeta+A');
          await this.#page.keyboard.insertText(`@assistant ${next}`);
          await typed.waitFor();
        }
        // Without suggestions, Escape would ask whether to discard the edit.
        if (await this.#suggestions.isVisible()) await this.#page.keyboard.press('Escape');
        await this.#page.keyboard.press('Enter');
      },
      () => vanishes(editor, 20_000),
    );
  }

  get #suggestions(): Locator {
    return this.#page.locator('.suggest-widget.visible');
  }

  /** Takes back this message and all after it, with the checkpoint above it. */
  async restoreCheckpoint(message: string): Promise<void> {
    // VS Code 1.139 has other words for it above the first message.
    await this.#rewind(message, (request) => request.getByText(/^(Restore Checkpoint|Start Over)$/));
  }

  /** The same where checkpoints are switched off. */
  async undo(message: string): Promise<void> {
    await this.#rewind(message, (request) => request.getByRole('button', { name: 'Undo Requests' }));
  }

  async #rewind(message: string, button: (request: Locator) => Locator): Promise<void> {
    const request = await this.#request(message);
    await pressOver(request, button(request).first());
    await request.waitFor({ state: 'detached' });
  }

  /** Goes on in another thread that shows what stands before this message. */
  async fork(message: string): Promise<void> {
    await this.#rewind(message, (request) => request.getByRole('button', { name: /^Fork conversation/i }));
  }

  async hasRows(): Promise<boolean> {
    return (await this.#rows.count()) > 0;
  }

  /**
   * Gives a window that was reloaded time to bring its chat back. VS Code 1.110 can be typed in before, and loses what was
   * sent then; a chat that it had not written down yet stays away.
   */
  async comesBack(): Promise<void> {
    await appears(this.#rows.first(), 10_000);
  }

  /** Waits until the panel shows this message, for a window that brings its chat back after a reload. */
  async shows(message: string): Promise<void> {
    await this.#rows.locator('.interactive-request').filter({ hasText: message }).first().waitFor();
  }

  async #request(message: string): Promise<Locator> {
    return this.scrolledTo(this.#rows.locator('.interactive-request').filter({ hasText: message }).first());
  }

  /** What stands further up is not there before it comes into sight. */
  async scrolledTo(target: Locator): Promise<Locator> {
    const isInSight = async (part: Locator) => {
      if ((await part.count()) === 0) return false;
      const [own, whole] = [await part.first().boundingBox(), await this.#list.boundingBox()];
      return own !== null && whole !== null && own.y >= whole.y;
    };
    await this.#scrollUntil(-150, async () => (await isInSight(target)) || isInSight(this.#row(0)));
    return target;
  }

  async #scrollUntil(pixels: number, holds: () => Promise<boolean>): Promise<void> {
    for (let steps = 0; !(await holds()); steps++) {
      if (steps === 500) throw new Error('The list of messages has no end.');
      await this.#scroll(pixels);
    }
  }

  async #scroll(pixels: number): Promise<void> {
    await this.#list.hover();
    await this.#page.mouse.wheel(0, pixels);
    await this.#page.evaluate(() => new Promise(requestAnimationFrame));
  }

  /** A line of progress in the last answer. */
  progress(text: string | RegExp): Locator {
    return this.lastAnswer.locator('.progress-container, .chat-thinking-item').filter({ hasText: text });
  }

  /** Stops the turn that runs. */
  async stop(): Promise<void> {
    await this.#editContext.focus();
    await this.#page.keyboard.press('Control+Escape');
    await this.#completeAnswer.waitFor();
  }

  get #inputPart(): Locator {
    return this.#page.locator('.interactive-input-part');
  }

  get #input(): Locator {
    return this.#inputPart.locator('.interactive-input-editor .view-lines').first();
  }

  /** What takes the keys of the input. It is focused without the mouse, since a notification may lie over it. */
  get #editContext(): Locator {
    return this.#inputPart.locator('.interactive-input-editor .native-edit-context').first();
  }

  get #list(): Locator {
    return this.#page.locator('.interactive-list').first();
  }

  /** The list keeps only the rows in view; each knows its place in the whole. */
  get #rows(): Locator {
    return this.#rowsWith('');
  }

  get #lastRow(): Locator {
    return this.#rowsWith('[data-last-element="true"]');
  }

  #row(index: number): Locator {
    return this.#rowsWith(`[data-index="${index}"]`);
  }

  /** Not the rows of a list inside an answer, such as that of its references. */
  #rowsWith(attribute: string): Locator {
    return this.#page.locator(
      `.interactive-list .monaco-list-row${attribute}:has(.interactive-item-container)`,
    );
  }

  async #lastIndex(): Promise<number> {
    if ((await this.#rows.count()) === 0) return -1;
    await this.#scrollUntil(10_000, async () => (await this.#lastRow.count()) > 0);
    return Number(await this.#lastRow.getAttribute('data-index'));
  }
}
