import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { apiError, gate, reply, text, toolUse } from '../support/claude/script';
import { screenshotInBothThemes } from '../support/window/bothThemes';
import { ConfirmationCard } from '../support/window/confirmationCard';
import { inNewChats, talkIn } from '../support/window/talk';
import { withWindow } from '../support/window/withWindow';

describe('what the panel shows is what is sent', () => {
  const { standIn, window } = withWindow({ settings: { 'window.autoDetectColorScheme': true } });
  let card: ConfirmationCard;
  const { ask, asking } = talkIn(standIn, window);

  inNewChats(window);
  before(() => {
    card = new ConfirmationCard(window.page);
  });

  const screenshots = (name: string) => screenshotInBothThemes(window, name);

  async function stopAfterToolRound(question: string): Promise<void> {
    standIn.reset();
    const held = gate();
    standIn.script(reply(toolUse('read_file', { path: 'README.md' })), reply(text('It', held)));
    await window.panel.send(question);
    await held.reached;
    await window.panel.stop();
    await window.panel.finished();
    held.open();
  }

  it('M7, M13: after Retry: of a first message, again, of the same words, of what failed or was stopped, and in a second thread', async () => {
    const retry = () => asking(() => window.panel.retry());
    await ask('alone');
    assert.deepEqual(await retry(), []);
    assert.deepEqual(await ask('echo'), ['alone']);
    assert.deepEqual(await retry(), ['alone']);
    assert.deepEqual(await retry(), ['alone']);
    assert.deepEqual(await ask('echo'), ['alone', 'echo']);
    assert.deepEqual(await retry(), ['alone', 'echo']);

    standIn.reset();
    standIn.script(apiError(400));
    await window.panel.ask('candle');
    assert.deepEqual(await retry(), ['alone', 'echo', 'echo']);
    await stopAfterToolRound('heron');
    assert.deepEqual(await retry(), ['alone', 'echo', 'echo', 'candle']);

    await window.panel.newChat();
    const before = ['alone', 'echo', 'echo', 'candle', 'heron'];
    assert.deepEqual(await ask('stone'), before);
    assert.deepEqual(await retry(), before);
    assert.deepEqual(await ask('clay'), [...before, 'stone']);
  });

  it('M7, M13: after a message in the middle was sent again, as it is or edited, and after Restore Checkpoint, also above somebody else and above what was stopped', async () => {
    await ask('red');
    await ask('green');
    await ask('blue');
    assert.deepEqual(await asking(() => window.panel.edit('green', 'green')), ['red']);
    assert.deepEqual(await ask('black'), ['red', 'green']);
    assert.deepEqual(await asking(() => window.panel.edit('green', 'yellow')), ['red']);
    assert.deepEqual(await ask('white'), ['red', 'yellow']);

    await window.panel.restoreCheckpoint('yellow');
    assert.deepEqual(await ask('iron'), ['red']);
    await window.panel.send('good morning', 'clerk');
    // Not more: the gate of proposed API is closed here.
    await window.panel.lastAnswer.getByText('The clerk says hello.', { exact: true }).waitFor();
    assert.deepEqual(await ask('copper'), ['red', 'iron']);
    await window.panel.restoreCheckpoint('good morning');

    await stopAfterToolRound('elm');
    assert.deepEqual(await ask('ash'), ['red', 'iron', 'elm']);
    await window.panel.restoreCheckpoint('elm');
    assert.deepEqual(await ask('yew'), ['red', 'iron']);
  });

  it('M13: after Undo, and after a thread was started over', async () => {
    await window.changeSettings({ 'chat.checkpoints.enabled': false });
    await window.panel.newChat();
    await ask('spring');
    await ask('summer');
    await ask('autumn');
    await window.panel.undo('summer');
    assert.deepEqual(await ask('winter'), ['spring']);
    // VS Code 1.110 has no checkpoint above the first message.
    const hasCheckpoint = process.env['VSCODE_HOST_VERSION'] !== '1.110.0';
    await window.changeSettings({ 'chat.checkpoints.enabled': hasCheckpoint });
    await (hasCheckpoint ? window.panel.restoreCheckpoint('spring') : window.panel.undo('spring'));
    assert.deepEqual(await ask('moon'), []);
  });

  it('M13, L6: when a turn goes that changed a file, offers to undo that, tells Claude, and asks again after a Stop at the card', async () => {
    const path = join(window.folder, 'src/orders.ts');
    const file = () => readFileSync(path, 'utf8');
    const original = file();
    const question = 'Undo the change to 1 file as well?';
    const facts = () => standIn.journal.messages[0]!.bodyText;

    await ask('hello');
    await changing(() => window.panel.send('fix it'));
    assert.notEqual(file(), original);
    const undone = await asking(async () => {
      await window.panel.retry();
      assert.match(await card.asks(question), /src\/orders\.ts/);
      await screenshots('undo-card');
      await card.press('Undo Changes');
    });
    assert.deepEqual(undone, ['hello']);
    assert.equal(file(), original);
    assert.match(facts(), /Put back as they were before: [^.]*src\/orders\.ts/);
    await screenshots('undo-done');

    await changing(() => window.panel.retry());
    const changed = file();
    assert.notEqual(changed, original);
    const kept = await asking(async () => {
      await window.panel.edit('fix it', 'look at it');
      await card.asks(question);
      await card.press('Keep');
    });
    assert.deepEqual(kept, ['hello']);
    assert.equal(file(), changed);
    assert.match(facts(), /As those turns left them, or as the person did since: [^.]*src\/orders\.ts/);

    writeFileSync(path, original);
    await changing(() => window.panel.send('fix it now'));
    standIn.reset();
    await window.panel.restoreCheckpoint('fix it now');
    await window.panel.send('go on');
    await card.asks(question);
    await window.panel.stop();
    await card.gone();
    await window.panel.finished();
    assert.deepEqual(standIn.journal.messages, []);
    assert.equal(file(), changed);
    const afterStop = await asking(async () => {
      await window.panel.send('go on now');
      await card.asks(question);
      await card.press('Undo Changes');
    });
    assert.deepEqual(afterStop, ['hello', 'look at it']);
    assert.equal(file(), original);
  });

  /** Does what sends a message, which Claude answers with a change to a file. */
  async function changing(act: () => Promise<unknown>): Promise<void> {
    standIn.reset();
    const change = { old_text: 'applyDiscount(discounted, order.code)', new_text: 'discounted' };
    standIn.script(
      // Claude edits what it has read: the file may be another one than it was.
      reply(toolUse('read_file', { path: 'src/orders.ts' })),
      reply(toolUse('edit_file', { path: 'src/orders.ts', edits: [change] })),
      reply(text('Done.')),
    );
    await act();
    await card.asks('Edit src/orders.ts?');
    await card.allowOnce();
    await window.panel.finished();
  }
});
