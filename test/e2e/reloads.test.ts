import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive } from '../../src/storage/processes';
import { gate, reply, text, thinking, toolUse, type Reply } from '../support/claude/script';
import { until } from '../support/until';
import { screenshotInBothThemes } from '../support/window/bothThemes';
import { ConfirmationCard } from '../support/window/confirmationCard';
import { MemoryView } from '../support/window/memoryView';
import { ownersOfRunning } from '../support/window/readDatabase';
import { resultsOf } from '../support/window/sentMessages';
import { inNewChats, talkIn } from '../support/window/talk';
import { withWindow } from '../support/window/withWindow';
import { isWritten } from '../support/window/writtenChats';

describe('what is sent after a reload, and in a new chat', () => {
  const { standIn, window } = withWindow({
    settings: { 'window.autoDetectColorScheme': true, 'chat.restoreLastPanelSession': true },
  });
  let card: ConfirmationCard;
  let view: MemoryView;
  const { ask, asking } = talkIn(standIn, window);

  inNewChats(window);
  before(() => {
    card = new ConfirmationCard(window.page);
    view = new MemoryView(window.page);
  });

  const screenshots = (name: string) => screenshotInBothThemes(window, name);

  /** Reloads the window in the middle of an answer, which VS Code then shows without what it would have carried. */
  async function reloadInMidTurn(question: string, ...rounds: readonly Reply[]): Promise<void> {
    standIn.reset();
    const held = gate();
    standIn.script(...rounds, reply(text('It says', held)));
    await window.panel.send(question);
    await held.reached;
    await isWritten(window, question);
    const [owner] = ownersOfRunning(window.workplace.dataFolder);
    assert.ok(owner);
    await window.reload();
    await window.panel.shows(question);
    // A busy VS Code ends the extension host of before only a while later, and until then its turn goes on.
    await until(async () => !(await isAlive(owner)));
    held.open();
  }

  it('M8, M13: after a reload in the middle of an answer, until that is taken back', async () => {
    await ask('bread');
    await reloadInMidTurn('butter', reply(toolUse('read_file', { path: 'README.md' })));
    assert.deepEqual(await ask('jam'), ['bread', 'butter']);
    await window.panel.restoreCheckpoint('butter');
    assert.deepEqual(await ask('honey'), ['bread']);
  });

  it('M13: after a Retry of what was asked again, because a reload came in its middle', async () => {
    await reloadInMidTurn('rain');
    assert.deepEqual(await ask('rain'), []);
    assert.deepEqual(await asking(() => window.panel.retry()), []);
    assert.deepEqual(await ask('snow'), ['rain']);
  });

  it('M13, M14: after a Retry that is the first thing after a reload, which offers to undo a change to a file, too', async () => {
    const path = join(window.folder, 'src/orders.ts');
    const original = readFileSync(path, 'utf8');
    const change = { old_text: 'applyDiscount(discounted, order.code)', new_text: 'discounted' };
    await ask('king');
    standIn.reset();
    standIn.script(
      reply(toolUse('read_file', { path: 'src/orders.ts' })),
      reply(toolUse('edit_file', { path: 'src/orders.ts', edits: [change] })),
      reply(text('The queen is done.')),
    );
    await window.panel.send('queen');
    await card.asks('Edit src/orders.ts?');
    await card.allowOnce();
    await window.panel.finished();
    assert.notEqual(readFileSync(path, 'utf8'), original);
    await isWritten(window, 'The queen is done.');
    await window.reload();
    await window.panel.shows('queen');
    const sent = await asking(async () => {
      await window.panel.retry();
      await card.asks('Undo the change to 1 file as well?');
      await card.press('Undo Changes');
    });
    assert.deepEqual(sent, ['king']);
    assert.equal(readFileSync(path, 'utf8'), original);
    assert.deepEqual(await ask('jack'), ['king', 'queen']);
  });

  it('M13, M14, M16: a reload that waits for nothing drops nothing, whatever VS Code still shows, and a question waits through it', async () => {
    await ask('cat');
    await ask('dog');
    standIn.reset();
    standIn.script(
      reply(
        thinking('Both at once.'),
        toolUse('remember', { name: 'topic', value: 'orders' }, { id: 'toolu_topic' }),
        toolUse('ask_user', { param: 'order_id', question: 'Which order is it?' }, { id: 'toolu_ask' }),
      ),
    );
    await window.panel.send('cow');
    await window.card.asks('Which order is it?');
    await window.reload();
    assert.deepEqual(await ask("It's O-3"), ['cat', 'dog', 'cow']);
    const [answered] = standIn.journal.messages;
    assert.deepEqual(
      resultsOf(answered!).map(({ id, text: said }) => [id, said]),
      [
        ['toolu_topic', 'Remembered topic.'],
        ['toolu_ask', "It's O-3"],
      ],
    );
    assert.match(answered!.bodyText, /"type":"thinking"/);
    const before = ['cat', 'dog', 'cow', "It's O-3"];
    assert.deepEqual(await ask('hen'), before);
    assert.deepEqual(await asking(() => window.panel.retry()), before);
  });

  it('M11: a new chat continues, says so once, and offers to start fresh', async () => {
    await ask('one');
    await window.panel.newChat();
    assert.deepEqual(await ask('two'), ['one']);
    assert.match(
      await window.panel.answerText(),
      /Continues a conversation of 1 turn, last active (just now|1 min ago)\.$/,
    );
    await window.panel.button('Start Fresh Conversation').waitFor();
    await screenshots('continues');
    await window.panel.button('Start Fresh Conversation').click();
    await window.workbench.notification(/A fresh conversation begins/).waitFor();
    assert.deepEqual(await ask('three'), ['two']);
    assert.doesNotMatch(await window.panel.answerText(), /Continues/);
  });

  it('M20: the first answer after an expiry says so, and continues what ended when asked to', async () => {
    await ask('iris');
    await window.changeSettings({ 'assistant.conversationTimeout': 1 });
    // The timeout itself: real time has to pass.
    await sleep(1100);
    assert.match(await window.panel.ask('/memory'), /Nothing is remembered/);
    await window.changeSettings({});
    // Who asks next may be in a window that has not seen it end.
    await window.reload();
    assert.deepEqual(await ask('rose'), []);
    assert.match(
      await window.panel.answerText(),
      /An older conversation of 1 turn ended (just now|1 min ago)\.$/,
    );
    await screenshots('ended');
    await window.panel.button('Continue It').click();
    await window.workbench.notification(/goes on: 1 turn came back/).waitFor();
    assert.deepEqual(await ask('lily'), ['iris', 'rose']);
  });

  it('M11: with a conversation for each thread, each sends what it shows, a fork too, and the view shows them all', async () => {
    await window.changeSettings({ 'assistant.conversationScope': 'thread' });
    await window.panel.newChat();
    assert.deepEqual(await ask('piano'), []);
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
    await view.statusItem.filter({ hasText: /0\/10( · \d+ %)?$/ }).waitFor();
    await view.pane.getByText('The current conversation is empty.').waitFor();
    await ask('tuba');
    await view.statusItem.filter({ hasText: '1/10 · ' }).waitFor();
    await view.said('tuba, current').waitFor();
    const conversations = (await view.spoken()).flatMap((row) => /^.* of 10 turns/.exec(row ?? '') ?? []);
    assert.deepEqual(conversations, [
      'tuba, current, 1 of 10 turns',
      'drum, 3 of 10 turns',
      'drum, 2 of 10 turns',
      'piano, 1 of 10 turns',
    ]);
    const status = await view.statusItem.locator('a').getAttribute('aria-label');
    assert.match(status ?? '', /1 of 10 turns.*3 other conversations are remembered/);
    await screenshots('threads');
  });

  it('M11, M20: Undo of Start Fresh means the chat that was left, whichever is open by then', async () => {
    await window.changeSettings({ 'assistant.conversationScope': 'thread' });
    await window.panel.newChat();
    await ask('fern');
    await window.workbench.runCommand('Assistant: Start Fresh Conversation');
    await window.panel.newChat();
    await ask('moss');
    await window.workbench.pressInNotification(/A fresh conversation begins/, 'Undo');
    await window.workbench.notification(/The earlier conversation goes on/).waitFor();
    assert.deepEqual(await ask('reed'), ['moss']);
  });
});
