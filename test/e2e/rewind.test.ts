import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gate, reply, text, toolUse } from '../support/claude/script';
import { until } from '../support/until';
import { screenshotInBothThemes } from '../support/window/bothThemes';
import { ConfirmationCard } from '../support/window/confirmationCard';
import { filesBelow } from '../support/window/filesBelow';
import { MemoryView } from '../support/window/memoryView';
import { historyOf } from '../support/window/sentMessages';
import { withWindow } from '../support/window/withWindow';

describe('what the panel shows is what is sent', () => {
  const { standIn, window } = withWindow({
    settings: { 'window.autoDetectColorScheme': true, 'chat.restoreLastPanelSession': true },
  });
  let card: ConfirmationCard;
  let view: MemoryView;
  let count = 0;

  before(async () => {
    card = new ConfirmationCard(window.page);
    view = new MemoryView(window.page);
    await window.panel.ready();
  });
  beforeEach(async () => {
    await window.changeSettings({});
    await window.panel.newChat();
    await window.panel.ask('/clear');
  });

  /** Does what sends a message, waits for its answer, and gives the questions that went along as history. */
  async function asking(act: () => Promise<unknown>): Promise<readonly string[]> {
    standIn.reset();
    const answer = `Answer ${++count}.`;
    standIn.script(reply(text(answer)));
    await act();
    const entry = await standIn.journal.next();
    await window.panel.lastAnswer.getByText(answer).waitFor();
    await window.panel.finished();
    return historyOf(entry).flatMap((line) => /^user: (.*)$/.exec(line)?.[1] ?? []);
  }
  const ask = (question: string) => asking(() => window.panel.send(question));

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
    await window.panel.lastAnswer.getByText('The clerk says hello.').waitFor();
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

  it('M13, M14: a reload right after the answer drops nothing, whatever VS Code still shows', async () => {
    await ask('cat');
    await ask('dog');
    await window.reload();
    assert.deepEqual(await ask('cow'), ['cat', 'dog']);
    assert.deepEqual(await ask('hen'), ['cat', 'dog', 'cow']);
    assert.deepEqual(await asking(() => window.panel.retry()), ['cat', 'dog', 'cow']);
  });

  it('M11: a new chat continues, says so once, and offers to start fresh', async () => {
    await ask('one');
    await ask('two');
    await window.panel.newChat();
    assert.deepEqual(await ask('three'), ['one', 'two']);
    assert.match(
      await window.panel.answerText(),
      /Continues a conversation of 2 turns, last active \d+ s ago\.$/,
    );
    await window.panel.button('Start Fresh').waitFor();
    await screenshots('continues');
    await window.panel.button('Start Fresh').click();
    await window.workbench.notification(/A fresh conversation begins/).waitFor();
    assert.deepEqual(await ask('four'), ['three']);
    assert.doesNotMatch(await window.panel.answerText(), /Continues/);
  });

  it('M20: the first answer after an expiry says so, and continues what ended when asked to', async () => {
    await ask('iris');
    await window.changeSettings({ 'assistant.conversationTimeout': 1 });
    while (!/Nothing is remembered/.test(await window.panel.ask('/memory')));
    await window.changeSettings({});
    assert.deepEqual(await ask('rose'), []);
    assert.match(await window.panel.answerText(), /An older conversation of 1 turn ended \d+ s ago\.$/);
    await screenshots('ended');
    await window.panel.button('Continue It').click();
    await window.workbench.notification(/goes on: 1 turn came back/).waitFor();
    assert.deepEqual(await ask('lily'), ['iris', 'rose']);
  });

  it('M11: with a conversation for each thread, each sends what it shows, a fork too, and the view shows them all', async () => {
    await window.changeSettings({ 'assistant.conversationScope': 'thread' });
    await window.panel.newChat();
    assert.deepEqual(await ask('piano'), []);
    await ask('violin');
    await ask('flute');
    await window.panel.newChat();
    assert.deepEqual(await ask('drum'), []);
    assert.deepEqual(await ask('harp'), ['drum']);
    await window.panel.fork('harp');
    assert.deepEqual(await ask('horn'), ['drum']);
    assert.deepEqual(await ask('lute'), ['drum', 'horn']);
    await window.workbench.runCommand('Assistant: Show Memory');
    await view.said('drum, current, 3 of 10 turns').waitFor();
    await view.statusItem.filter({ hasText: '3/10 · ' }).waitFor();

    await window.panel.newChat();
    await window.panel.ask('/clear');
    await view.statusItem.filter({ hasText: /0\/10$/ }).waitFor();
    await view.pane.getByText('Nothing is remembered of the current conversation.').waitFor();
    await ask('tuba');
    await view.statusItem.filter({ hasText: '1/10 · ' }).waitFor();
    await view.said('tuba, current').waitFor();
    const conversations = (await view.spoken()).flatMap((row) => /^.* of 10 turns/.exec(row ?? '') ?? []);
    assert.deepEqual(conversations, [
      'tuba, current, 1 of 10 turns',
      'drum, 3 of 10 turns',
      'drum, 2 of 10 turns',
      'piano, 3 of 10 turns',
    ]);
    const status = await view.statusItem.locator('a').getAttribute('aria-label');
    assert.match(status ?? '', /1 of 10 turns.*3 other conversations are remembered/);
    await screenshots('threads');
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
      standIn.script(reply(read), reply(edit), reply(text(`Done ${++count}.`)));
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

    it('M13, M14: offers it also after a reload', async () => {
      await written(`Done ${count}.`);
      await window.reload();
      const sent = await asking(async () => {
        await window.panel.retry();
        await card.asks(question);
        await card.press('Undo Changes');
      });
      assert.deepEqual(sent, ['hello']);
      assert.equal(file(), original);
    });

    /** VS Code has written this answer down, so that the panel shows it again after a reload. */
    async function written(answer: string): Promise<void> {
      const storage = join(window.workplace.dataFolder, 'data/User/workspaceStorage');
      const isThere = () =>
        filesBelow(storage).some(
          ({ path: name, content }) => name.includes('chatSessions') && content.includes(answer),
        );
      await until(isThere);
    }

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
