import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { reply, text, toolUse } from '../support/claude/script';
import { until } from '../support/until';
import { screenshotInBothThemes } from '../support/window/bothThemes';
import { ChangesView } from '../support/window/changesView';
import { ConfirmationCard } from '../support/window/confirmationCard';
import { withDrivenWindow } from '../support/window/withWindow';

const edit = (path: string, old_text: string, new_text: string) =>
  toolUse('edit_file', { path, edits: [{ old_text, new_text }] });

describe('changes by Claude in the panel', () => {
  const { standIn, vscode, window } = withDrivenWindow({
    settings: {
      'window.autoDetectColorScheme': true,
      'assistant.permissionMode': 'edits',
    },
  });
  const path = (name: string) => join(vscode.workplace.folder, name);
  const file = (name: string) => readFileSync(path(name), 'utf8');
  const pictures = (name: string) => screenshotInBothThemes(window, name);

  const ask = async (words: string, ...change: [string, string, string]) => {
    const read = toolUse('read_file', { path: change[0] });
    standIn.script(reply(read), reply(edit(...change)), reply(text('Done.')));
    await window.panel.ask(words);
  };

  /** Ten changes in three files. */
  const prices = [
    reply(
      edit('src/orders.ts', 'freeDeliveryFrom = 5000', 'freeDeliveryFrom = 6000'),
      edit('src/orders.ts', '/** What the customer pays, in cents. */', '/** What the customer pays. */'),
      edit(
        'src/orders.ts',
        'const total = applyDiscount(discounted, order.code);',
        'const total = discounted;',
      ),
      edit('src/catalogue.ts', 'priceInCents: 590', 'priceInCents: 690'),
      edit('src/catalogue.ts', 'priceInCents: 690', 'priceInCents: 790'),
    ),
    reply(
      edit('src/catalogue.ts', 'export function findItem', '/** By its id. */\nexport function findItem'),
      edit('src/catalogue.ts', 'There is no item', 'We do not sell'),
      toolUse('create_file', { path: 'src/price.ts', content: 'export const price = 1;\n' }),
      edit('src/price.ts', 'price = 1', 'price = 2'),
      edit('src/orders.ts', 'freeDeliveryFrom = 6000', 'freeDeliveryFrom = 7000'),
    ),
    reply(text('Prices are raised.')),
  ];

  it('§7: Keep All Changes, and a button that erases plans, say so where there is nothing to do it to', async () => {
    const { host, workbench } = window;
    await workbench.runCommand('Assistant: Keep All Changes');
    await workbench.notification('There is nothing left to review').waitFor();
    await host.execute('assistant.erasePlans');
    await workbench.notification('There is no plan.').waitFor();
    await host.execute('notifications.clearAll');
  });

  it('C1, C2, C3, C4, R1: ten edits run without a card, and are judged hunk by hunk, over a reload and a kill -9', async () => {
    const { panel, page, host, workbench } = window;
    const view = new ChangesView(page);
    /** The first of so many, each of one line, in an editor of its own: where a peek goes when its hunk is judged is VS Code's. */
    const openHunk = async (name: string, count: number) => {
      await workbench.closeEditors();
      await workbench.openFile(name);
      await view.gutterShows(count);
      // VS Code opens a file again where it was left, and goes on from there.
      await window.host.execute('cursorTop');
      await window.host.execute('editor.action.dirtydiff.next');
      await view.peek.getByText(`1 of ${count} changes`).waitFor();
    };
    const [orders, catalogue] = [file('src/orders.ts'), file('src/catalogue.ts')];
    standIn.script(...prices);
    await panel.send('raise the prices');
    const cards: string[] = [];
    await new ConfirmationCard(page).answerEach(panel, async (said) => {
      cards.push(said);
      return 'Allow';
    });
    assert.deepEqual(cards, []);
    assert.match(await panel.answerText(), /Prices are raised\.[^]*3 files, \+7 −5/);
    await panel.lastAnswer.getByRole('button', { name: 'Review Changes' }).click();
    await page.getByRole('tab', { name: /raise the prices · changes by Claude/ }).waitFor();
    await host.execute('workbench.view.scm');
    await view.row('orders.ts').waitFor();
    await pictures('changes-review');
    await view.row('raise the prices · +7 −5').waitFor();
    assert.deepEqual(await view.files(), ['catalogue.ts', 'orders.ts', 'price.ts']);

    // One hunk in the editor is undone, one kept,
    await openHunk('src/orders.ts', 3);
    await pictures('changes-peek');
    await view.pressInPeek('Undo');
    await until(() => file('src/orders.ts').includes('freeDeliveryFrom = 5000'));
    await view.row('raise the prices · +6 −4').waitFor();
    await openHunk('src/orders.ts', 2);
    await view.pressInPeek('Keep');
    await view.row('raise the prices · +5 −3').waitFor();

    // the extension host is killed, and the window reloaded: all else is still to be judged.
    const next = await window.replaceHost(() => window.host.kill());
    await view.row('raise the prices · +5 −3').waitFor();
    await window.replaceHost(() => next.execute('workbench.action.reloadWindow').catch(() => undefined));
    await window.host.execute('workbench.view.scm');
    await view.row('raise the prices · +5 −3').waitFor();

    await openHunk('src/catalogue.ts', 3);
    await view.pressInPeek('Undo');
    await until(() => file('src/catalogue.ts').includes('priceInCents: 590'));
    await view.press('price.ts', 'Undo');
    await until(() => !existsSync(path('src/price.ts')));
    await view.press('raise the prices', 'Keep All of This Turn');
    await view.row('raise the prices').waitFor({ state: 'detached' });
    assert.equal(
      file('src/orders.ts'),
      orders
        .replace('/** What the customer pays, in cents. */', '/** What the customer pays. */')
        .replace('const total = applyDiscount(discounted, order.code);', 'const total = discounted;'),
    );
    assert.equal(
      file('src/catalogue.ts'),
      catalogue
        .replace('export function findItem', '/** By its id. */\nexport function findItem')
        .replace('There is no item', 'We do not sell'),
    );
  });

  it('C2: a review has Keep and Undo of what it shows in its title, of its turn or of all', async () => {
    const { panel, page, host, workbench } = window;
    const view = new ChangesView(page);
    const review = page.getByRole('tab', { name: /changes by Claude/i });
    const discounts = file('src/discounts.ts');
    await host.execute('workbench.view.scm');
    await ask('name the tea', 'src/catalogue.ts', 'Green tea', 'Black tea');
    await ask('spell it out', 'src/discounts.ts', 'Percent off', 'Per cent off');
    await panel.lastAnswer.getByRole('button', { name: 'Review Changes' }).click();
    await workbench.pressInTitle('Undo All of This Turn');
    await view.row('spell it out').waitFor({ state: 'detached' });
    await review.waitFor({ state: 'detached' });
    assert.equal(file('src/discounts.ts'), discounts);
    await view.row('name the tea').waitFor();

    await ask('spell it out again', 'src/discounts.ts', 'Percent off', 'Per cent off');
    await workbench.runCommand('Assistant: Review Changes');
    await review.waitFor();
    await workbench.pressInTitle('Keep All Changes');
    await view.row('name the tea').waitFor({ state: 'detached' });
    await review.waitFor({ state: 'detached' });
    assert.match(file('src/discounts.ts') + file('src/catalogue.ts'), /Per cent off[^]*Black tea/);
  });

  it('C2: a review shows what is still to be judged, and not what was kept of another turn', async () => {
    const { page, host, workbench } = window;
    const view = new ChangesView(page);
    const removed = page.locator('.multiDiffEntry .line-delete');
    await host.execute('workbench.view.scm');
    await ask('name the honey', 'src/catalogue.ts', 'Forest honey', 'Wood honey');
    await ask('name the interface', 'src/catalogue.ts', 'readonly id', 'readonly key');
    await view.press('name the interface', 'Keep All of This Turn');
    await view.row('name the interface').waitFor({ state: 'detached' });
    await workbench.runCommand('Assistant: Review Changes');
    await removed.filter({ hasText: 'Forest honey' }).first().waitFor();
    await window.screenshot('changes-review-kept');
    assert.equal(await removed.filter({ hasText: 'readonly id' }).count(), 0);
    await workbench.pressInTitle('Undo All of This Turn');
    await view.row('name the honey').waitFor({ state: 'detached' });
    assert.match(file('src/catalogue.ts'), /readonly key[^]*Forest honey/);
  });

  it('C2, C3: a review closes when nothing is left in it to judge, whatever its turn was asked', async () => {
    const { panel, page, workbench } = window;
    const review = page.getByRole('tab', { name: /changes by Claude/i });
    const catalogue = file('src/catalogue.ts');
    await ask('Changes by Claude are fine', 'src/catalogue.ts', 'Black tea', 'White tea');
    await panel.lastAnswer.getByRole('button', { name: 'Review Changes' }).click();
    await workbench.pressInTitle('Undo All of This Turn');
    await review.waitFor({ state: 'detached' });
    assert.equal(file('src/catalogue.ts'), catalogue);

    await ask('sell more tea', 'src/catalogue.ts', 'Black tea', 'White tea');
    await workbench.runCommand('Assistant: Review Changes');
    await workbench.runCommand('Assistant: Undo All Changes');
    await workbench.pressInDialog('Undo All');
    await review.waitFor({ state: 'detached' });
  });

  it('C2: a review closes, too, when its files are judged one by one in the list', async () => {
    const { panel, page, host } = window;
    const view = new ChangesView(page);
    await host.execute('workbench.view.scm');
    await ask('deliver sooner', 'src/orders.ts', 'freeDeliveryFrom = 5000', 'freeDeliveryFrom = 4500');
    await panel.lastAnswer.getByRole('button', { name: 'Review Changes' }).click();
    const review = page.getByRole('tab', { name: /deliver sooner · changes by Claude/ });
    await review.waitFor();
    await view.press('orders.ts', 'Undo');
    await view.row('deliver sooner').waitFor({ state: 'detached' });
    await review.waitFor({ state: 'detached' });
  });

  it('C2, C4: a review that VS Code opens again after a reload shows nothing, and is closed; the next one shows all', async () => {
    const { workbench, page, host } = window;
    await ask('deliver for less', 'src/orders.ts', 'freeDeliveryFrom = 5000', 'freeDeliveryFrom = 4000');
    const review = () => window.page.getByRole('tab', { name: /changes by Claude/i });
    await workbench.runCommand('Assistant: Review Changes');
    await review().waitFor();
    await page.getByText('freeDeliveryFrom = 4000').first().waitFor();
    await window.replaceHost(() => host.execute('workbench.action.reloadWindow').catch(() => undefined));
    await review().waitFor({ state: 'detached' });
    await window.workbench.runCommand('Assistant: Review Changes');
    await window.page.getByText('freeDeliveryFrom = 4000').first().waitFor();
    await window.workbench.pressInTitle('Undo All of This Turn');
    await review().waitFor({ state: 'detached' });
  });

  it('C4: two windows on one folder agree on what is still to be judged', async () => {
    standIn.script(reply(edit('README.md', 'A very small shop', 'A small shop')), reply(text('Done.')));
    await window.panel.ask('make it smaller');
    await window.host.execute('workbench.view.scm');
    const second = await vscode.openWindow();
    await second.host.execute('workbench.view.scm');
    const [here, there] = [new ChangesView(window.page), new ChangesView(second.page)];
    await here.row('README.md').waitFor();
    await there.press('README.md', 'Keep');
    await there.row('README.md').waitFor({ state: 'detached' });
    await here.row('README.md').waitFor({ state: 'detached' });
    await second.page.close();
  });
});
