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

  it('M13: after Retry, once and again', async () => {
    await ask('first');
    await ask('second');
    assert.deepEqual(await asking(() => window.panel.retry()), ['first']);
    assert.deepEqual(await asking(() => window.panel.retry()), ['first']);
    assert.deepEqual(await ask('third'), ['first', 'second']);
  });

  it('M13: after a Retry of the first message of a thread', async () => {
    await ask('alone');
    assert.deepEqual(await asking(() => window.panel.retry()), []);
    assert.deepEqual(await ask('next'), ['alone']);
  });

  it('M13: after a Retry in a second thread', async () => {
    await ask('sand');
    await window.panel.newChat();
    assert.deepEqual(await ask('stone'), ['sand']);
    assert.deepEqual(await asking(() => window.panel.retry()), ['sand']);
    assert.deepEqual(await ask('clay'), ['sand', 'stone']);
  });

  it('M13: after the same message was sent again, and a Retry of that', async () => {
    await ask('echo');
    assert.deepEqual(await ask('echo'), ['echo']);
    assert.deepEqual(await asking(() => window.panel.retry()), ['echo']);
    assert.deepEqual(await ask('after'), ['echo', 'echo']);
  });

  it('M13: after a message in the middle was sent again as it is', async () => {
    await ask('tea');
    await ask('milk');
    await ask('sugar');
    assert.deepEqual(await asking(() => window.panel.edit('milk', 'milk')), ['tea']);
    assert.deepEqual(await ask('spoon'), ['tea', 'milk']);
  });

  it('M7, M13: after a Retry of what failed', async () => {
    await ask('lamp');
    standIn.reset();
    standIn.script(apiError(400));
    await window.panel.ask('candle');
    assert.deepEqual(await asking(() => window.panel.retry()), ['lamp']);
    assert.deepEqual(await ask('torch'), ['lamp', 'candle']);
  });

  it('M13: after an earlier message was edited and sent again', async () => {
    await ask('red');
    await ask('green');
    await ask('blue');
    assert.deepEqual(await asking(() => window.panel.edit('green', 'yellow')), ['red']);
    assert.deepEqual(await ask('black'), ['red', 'yellow']);
  });

  it('M13: after Restore Checkpoint', async () => {
    await ask('north');
    await ask('east');
    await ask('south');
    await window.panel.restoreCheckpoint('east');
    assert.deepEqual(await ask('west'), ['north']);
  });

  it('M13: after a thread was started over', async () => {
    // VS Code 1.110 has no checkpoint above the first message.
    const hasCheckpoint = process.env['VSCODE_HOST_VERSION'] !== '1.110.0';
    await window.changeSettings({ 'chat.checkpoints.enabled': hasCheckpoint });
    await window.panel.newChat();
    await ask('sun');
    await (hasCheckpoint ? window.panel.restoreCheckpoint('sun') : window.panel.undo('sun'));
    assert.deepEqual(await ask('moon'), []);
  });

  it('M13: after Undo', async () => {
    await window.changeSettings({ 'chat.checkpoints.enabled': false });
    await ask('spring');
    await ask('summer');
    await ask('autumn');
    await window.panel.undo('summer');
    assert.deepEqual(await ask('winter'), ['spring']);
  });

  it('M13: with somebody else in between', async () => {
    await ask('iron');
    await window.panel.send('good morning', 'clerk');
    // Not more: the gate of proposed API is closed here.
    await window.panel.lastAnswer.getByText('The clerk says hello.', { exact: true }).waitFor();
    assert.deepEqual(await ask('copper'), ['iron']);
    await window.panel.restoreCheckpoint('good morning');
    assert.deepEqual(await ask('silver'), ['iron']);
  });

  it('M7, M13: with a turn that was stopped after a tool round, then taken back', async () => {
    await ask('oak');
    standIn.reset();
    const held = gate();
    standIn.script(reply(toolUse('read_file', { path: 'README.md' })), reply(text('It', held)));
    await window.panel.send('elm');
    await held.reached;
    await window.panel.stop();
    await window.panel.finished();
    held.open();
    assert.deepEqual(await ask('ash'), ['oak', 'elm']);
    await window.panel.restoreCheckpoint('elm');
    assert.deepEqual(await ask('yew'), ['oak']);
  });

  it('M7, M13: after a Retry of what was stopped after a tool round', async () => {
    await ask('gull');
    standIn.reset();
    const held = gate();
    standIn.script(reply(toolUse('read_file', { path: 'README.md' })), reply(text('It', held)));
    await window.panel.send('heron');
    await held.reached;
    await window.panel.stop();
    await window.panel.finished();
    held.open();
    assert.deepEqual(await asking(() => window.panel.retry()), ['gull']);
    assert.deepEqual(await ask('swan'), ['gull', 'heron']);
  });

  describe('when a turn goes that changed a file', () => {
    const path = () => join(window.folder, 'src/orders.ts');
    const file = () => readFileSync(path(), 'utf8');
    const edit = toolUse('edit_file', {
      path: 'src/orders.ts',
      edits: [
        {
          old_text: '  const total = applyDiscount(discounted, order.code);\n',
          new_text: '  const total = discounted;\n',
        },
      ],
    });
    const question = 'Undo the change to 1 file as well?';
    let original: string;
    let changes = 0;

    beforeEach(async () => {
      original = file();
      await ask('hello');
      await changing(() => window.panel.send('fix it'));
      assert.notEqual(file(), original);
    });
    afterEach(() => writeFileSync(path(), original));

    async function changing(act: () => Promise<unknown>): Promise<void> {
      standIn.reset();
      // Claude edits what it has read: the file is another one since the test before.
      const read = toolUse('read_file', { path: 'src/orders.ts' });
      standIn.script(reply(read), reply(edit), reply(text(`Done ${++changes}.`)));
      await act();
      await card.asks('Edit src/orders.ts?');
      await card.allowOnce();
      await window.panel.finished();
    }

    const facts = () => standIn.journal.messages[0]!.bodyText;

    it('M13: offers to undo the change, puts the file back and tells Claude', async () => {
      const sent = await asking(async () => {
        await window.panel.retry();
        const said = await card.asks(question);
        assert.match(said, /src\/orders\.ts/);
        await screenshots('undo-card');
        await card.press('Undo Changes');
      });
      assert.deepEqual(sent, ['hello']);
      assert.equal(file(), original);
      assert.match(facts(), /Put back as they were before: [^.]*src\/orders\.ts/);
      await screenshots('undo-done');
    });

    it('M13: keeps the change when the person wants it, and tells Claude', async () => {
      const changed = file();
      const sent = await asking(async () => {
        await window.panel.edit('fix it', 'look at it');
        await card.asks(question);
        await card.press('Keep');
      });
      assert.deepEqual(sent, ['hello']);
      assert.equal(file(), changed);
      assert.match(facts(), /Still as those turns left them: [^.]*src\/orders\.ts/);
    });

    it('M13, L6: Stop at the card leaves all as it is, and the next message asks again', async () => {
      standIn.reset();
      await window.panel.restoreCheckpoint('fix it');
      await window.panel.send('go on');
      await card.asks(question);
      await window.panel.stop();
      await card.gone();
      await window.panel.finished();
      assert.deepEqual(standIn.journal.messages, []);
      const sent = await asking(async () => {
        await window.panel.send('go on now');
        await card.asks(question);
        await card.press('Undo Changes');
      });
      assert.deepEqual(sent, ['hello']);
      assert.equal(file(), original);
    });
  });
});
