import type { Locator, Page } from 'playwright-core';

const ledgerLink = 'a[data-href^="command:assistant.showLedger"]';

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
    await this.#page
      .locator('.part.auxiliarybar')
      .getByRole('button', { name: /^New Chat/ })
      .first()
      .click();
    await this.#rows.first().waitFor({ state: 'detached' });
  }

  /** Types a message to `@assistant` and sends it; does not wait for the answer. */
  async send(message: string, participant = 'assistant'): Promise<void> {
    await this.ready();
    await this.#untilSent(() => this.type(message, participant));
  }

  /** Sends what something else has put into the input; puts it there again if it vanishes. */
  async sendSuggested(message: string, suggest: () => Promise<void>): Promise<void> {
    await this.#untilSent(async () => {
      await suggest();
      await this.#inputPart.filter({ hasText: message }).waitFor();
      await this.#input.click();
      await this.#page.keyboard.press('Enter');
    });
  }

  async #untilSent(act: () => Promise<void>): Promise<void> {
    const last = await this.#lastIndex();
    const sent = this.#row(last + 1).locator('.interactive-request');
    // A panel that is just coming back with its window may lose what was typed, or ignore Enter.
    for (let tries = 0; tries < 3; tries++) {
      await act();
      if (await appears(sent, 10_000)) break;
    }
    await sent.waitFor();
    await this.#row(last + 2)
      .locator('.interactive-response')
      .waitFor();
  }

  /** Types a message to `@assistant` and presses Enter, whatever comes of it. */
  async type(message: string, participant = 'assistant'): Promise<void> {
    await this.#input.click();
    await this.#page.keyboard.press('ControlOrMeta+A');
    await this.#page.keyboard.press('Delete');
    await this.#page.keyboard.type(`@${participant} ${message}`);
    // Enter is ignored until the editor has taken in what was typed.
    await this.#input.filter({ hasText: message.slice(-20) }).waitFor();
    await this.#page.keyboard.press('Escape');
    await this.#page.keyboard.press('Enter');
  }

  /** Puts a PNG on the clipboard and pastes it with the keyboard. */
  async pasteImage(bytes: Uint8Array): Promise<void> {
    await this.ready();
    const before = await this.#attachments.count();
    await this.#input.click();
    await this.#page.evaluate(async (base64) => {
      const image = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      const blob = new Blob([image], { type: 'image/png' });
      await navigator.clipboard.write([new ClipboardItem({ 'image/png': blob })]);
    }, Buffer.from(bytes).toString('base64'));
    await this.#page.keyboard.press('ControlOrMeta+V');
    await this.#attachments.nth(before).waitFor();
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
    await this.#lastRow.locator('.interactive-response:not(.chat-response-loading)').waitFor({ timeout });
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

  /** A button below the last answer. */
  button(title: string): Locator {
    return this.lastAnswer.getByRole('button', { name: title, exact: true });
  }

  /** A message that waits for the running turn to make room. */
  get pending(): Locator {
    return this.#page.locator('.interactive-request.pending-request');
  }

  /** A suggested next message. */
  followUp(label: string): Locator {
    return this.#page.locator('.interactive-input-followups').getByText(label, { exact: true });
  }

  /** VS Code's own Retry below the last answer. */
  async retry(): Promise<void> {
    await this.lastAnswer.hover();
    await this.button('Retry').click();
  }

  /** Edits an earlier message where it stands and sends it again. */
  async edit(message: string, next: string): Promise<void> {
    const editor = this.#page.locator('.chat-edit-input-container .interactive-input-editor .view-lines');
    await this.#scrollTo(message);
    // The list may move away below the click.
    do await this.#request(message).locator('.clickable').first().click();
    while (!(await appears(editor)));
    await this.#page.keyboard.press('ControlOrMeta+A');
    await this.#page.keyboard.type(`@assistant ${next}`);
    await editor.filter({ hasText: next }).waitFor();
    // Not Escape, which asks whether to discard the edit.
    await this.#page.keyboard.press('Enter');
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
    const request = this.#request(message);
    await request.hover();
    await button(request).first().click();
    await request.waitFor({ state: 'detached' });
  }

  /** Goes on in another thread that shows what stands before this message. */
  async fork(message: string): Promise<void> {
    const request = this.#request(message);
    await request.hover();
    await request.getByRole('button', { name: /^Fork conversation/i }).click();
    await request.waitFor({ state: 'detached' });
  }

  /** What is far above is not there until somebody scrolls. */
  async #scrollTo(message: string): Promise<void> {
    await this.lastAnswer.hover();
    while ((await this.#request(message).count()) === 0) await this.#page.mouse.wheel(0, -200);
  }

  #request(message: string): Locator {
    return this.#rows.locator('.interactive-request').filter({ hasText: message }).first();
  }

  /** A line of progress in the last answer. */
  progress(text: string | RegExp): Locator {
    return this.lastAnswer.locator('.progress-container, .chat-thinking-item').filter({ hasText: text });
  }

  async stop(): Promise<void> {
    await this.#page.keyboard.press('Control+Escape');
  }

  get #inputPart(): Locator {
    return this.#page.locator('.interactive-input-part');
  }

  get #input(): Locator {
    return this.#inputPart.locator('.interactive-input-editor .view-lines').first();
  }

  /** The list keeps only the rows in view; each knows its place in the whole. */
  get #rows(): Locator {
    return this.#page.locator('.interactive-list .monaco-list-row');
  }

  get #lastRow(): Locator {
    return this.#page.locator('.interactive-list .monaco-list-row[data-last-element="true"]');
  }

  #row(index: number): Locator {
    return this.#page.locator(`.interactive-list .monaco-list-row[data-index="${index}"]`);
  }

  async #lastIndex(): Promise<number> {
    const indexes = await this.#rows.evaluateAll((rows) =>
      rows.map((row) => Number(row.getAttribute('data-index'))),
    );
    return Math.max(-1, ...indexes);
  }
}

async function appears(locator: Locator, timeout = 3000): Promise<boolean> {
  return locator.waitFor({ timeout }).then(
    () => true,
    () => false,
  );
}
