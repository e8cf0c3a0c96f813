import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { reply, text, toolUse } from '../support/claude/script';
import { screenshotInBothThemes } from '../support/window/bothThemes';
import { ConfirmationCard } from '../support/window/confirmationCard';
import { resultsOf } from '../support/window/sentMessages';
import { withWindow } from '../support/window/withWindow';

/** Lists of goods are checked by the extension `shop-tools`, at once; TypeScript is waited for in the host tests. */
describe('problems after a change in the panel', () => {
  const { standIn, window } = withWindow({ settings: { 'window.autoDetectColorScheme': true } });

  it('L13: Claude gets the problems that its edit brought, the panel counts them, and they are mended in the same turn', async () => {
    const { page, panel } = window;
    const card = new ConfirmationCard(page);
    writeFileSync(join(window.folder, 'goods.stock'), 'no honey\ntea\n');
    // By then somebody reports on lists.
    await panel.send('good morning', 'clerk');
    await panel.lastAnswer.getByText('The clerk says hello.', { exact: true }).waitFor();
    await panel.newChat();
    await window.workbench.openFile('goods.stock');
    await page.locator('.squiggly-error').first().waitFor();
    const edit = (old_text: string, new_text: string) =>
      toolUse('edit_file', { path: 'goods.stock', edits: [{ old_text, new_text }] });
    standIn.script(
      reply(edit('tea', 'no bread\nno tea')),
      reply(edit('no bread\nno tea', 'bread\ntea')),
      reply(text('Done.')),
    );
    await panel.send('add bread');
    await card.asks('Edit goods.stock?');
    await card.allowOnce();
    await panel.lastAnswer.getByText('2 new problems in goods.stock').waitFor();
    await card.asks('Edit goods.stock?');
    await screenshotInBothThemes(window, 'new-problems');
    await card.allowOnce();
    await panel.finished();
    const [first, second] = resultsOf(standIn.journal.messages.at(-1)!).slice(-2);
    assert.match(
      first!.text,
      /^Edited goods\.stock\.[^]*\n\nNew problems in goods\.stock since the change:\n(goods\.stock:\d:1 error: There is no (bread|tea)(\n|$)){2}$/,
    );
    assert.match(second!.text, /^Edited/);
    assert.doesNotMatch(second!.text, /New problems/);

    // What is mended is among the steps; what is left stands above the answer.
    standIn.script(reply(edit('bread', 'no bread')), reply(text('Left so.')));
    await panel.send('break it again');
    await card.asks('Edit goods.stock?');
    await card.allowOnce();
    await panel.finished();
    assert.match(await panel.answerText(), /1 new problem in goods\.stock[^]*Left so\./);
    await screenshotInBothThemes(window, 'new-problem-left');
  });
});
