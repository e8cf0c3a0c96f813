import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { png } from '../support/claude/sampleImages';
import { reply, text, toolUse } from '../support/claude/script';
import { appears, atMost } from '../support/window/appears';
import { sentTypes } from '../support/window/sentMessages';
import { withWindow } from '../support/window/withWindow';
import { isWritten } from '../support/window/writtenChats';

describe('an image file in a panel that takes no images', () => {
  const { standIn, window } = withWindow({ settings: { 'chat.restoreLastPanelSession': true } });

  /** By the way in which each is attached. */
  const names = ['editor', 'open', 'tab', 'one', 'two', 'chosen', 'added'].map((name) => `${name}.png`);

  before(async () => {
    for (const name of names) writeFileSync(join(window.folder, name), png(40, 30));
    writeFileSync(join(window.folder, 'broken.png'), png(40, 30).subarray(0, 40));
    await window.panel.ready();
  });

  const file = (name: string) =>
    window.page.locator('.explorer-folders-view').getByText(name, { exact: true });
  const ask = (about: Locator) => window.workbench.chooseInMenu(about, 'Ask About Image…');
  const isAttached = (name: string) => window.panel.attachment(`${name} (image)`).waitFor();
  const imagesSent = () =>
    sentTypes(standIn.journal).map((types) => types.filter((type) => type === 'image').length);

  it('F15, M5, M13, P3: reaches Claude from wherever it is attached, in all rounds and when it is edited', async () => {
    const { panel } = window;
    await attachOpened();
    await attachFromExplorer();
    await attachChosen();
    await panel.addContext('added.png');
    await window.screenshot('image-attached');
    standIn.script(
      reply(toolUse('remember', { name: 'colour', value: 'grey' })),
      reply(text('Grey squares.')),
      reply(text('They were grey.')),
      reply(text('Still grey squares.')),
    );
    const shown = await panel.ask('what are these');
    assert.match(shown, /broken\.png was left out: it is not a complete PNG[^]*Grey squares\.$/);
    assert.deepEqual(imagesSent(), [names.length, names.length]);

    // Later they are placeholders,
    assert.equal(await panel.ask('which colour were they'), 'They were grey.');
    assert.equal(imagesSent().at(-1), 0);
    assert.match(standIn.journal.messages.at(-1)!.bodyText, /\[Image sent: photo\]/);

    // until their message is edited, in this window or the next.
    await isWritten(window, 'They were grey.');
    await window.reload();
    await panel.shows('which colour were they');
    await panel.edit('what are these', 'what were those');
    await panel.lastAnswer.getByText('Still grey squares.').waitFor();
    assert.equal(imagesSent().at(-1), names.length);
  });

  /** From the menu on the image itself, from the palette, and from the menu on a tab. */
  async function attachOpened(): Promise<void> {
    const { page, workbench } = window;
    const tab = (name: string) => page.locator('.tabs-container').getByText(name);
    await workbench.openFile('editor.png');
    await ask(page.frameLocator('iframe.webview.ready').frameLocator('#active-frame').locator('img'));
    await isAttached('editor.png');
    await workbench.openFile('open.png');
    await tab('open.png').waitFor();
    await workbench.runCommand('Assistant: Ask About Image…');
    await isAttached('open.png');
    await workbench.openFile('tab.png');
    await ask(tab('tab.png'));
    await isAttached('tab.png');
  }

  /** Several at once, and nothing else that is selected. */
  async function attachFromExplorer(): Promise<void> {
    const { page, panel } = window;
    // When its editor opens, and that may be late, the Explorer selects it alone.
    await atMost(
      3,
      'The selection in the Explorer',
      async () => {
        await file('README.md').click();
        await page
          .getByRole('tab', { name: /README\.md/ })
          .first()
          .waitFor();
        for (const name of ['broken.png', 'two.png', 'one.png'])
          await file(name).click({ modifiers: ['ControlOrMeta'] });
      },
      () => appears(page.locator('.explorer-folders-view [aria-selected="true"]').nth(3)),
    );
    await ask(file('one.png'));
    for (const name of ['broken.png', 'two.png', 'one.png']) await isAttached(name);
    assert.equal(await panel.attachment('README.md (image)').count(), 0);
  }

  /** In a dialog, where none is open. */
  async function attachChosen(): Promise<void> {
    const { workbench } = window;
    await workbench.runCommand('View: Close All Editors');
    await workbench.startCommand('Assistant: Ask About Image…');
    await workbench.enterPath(join(window.folder, 'chosen.png'));
    await isAttached('chosen.png');
  }
});
