import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { blocksOf, type Message } from '../../src/core/messages';
import { reply, text, thinking, toolUse } from '../support/claude/script';
import { withWindow } from '../support/window/withWindow';

const asksForOrder = (options?: readonly string[]) =>
  reply(
    thinking('The id is missing.'),
    text('I can look that up. '),
    toolUse('ask_user', { param: 'order_id', question: 'Which order is it?', options }, { id: 'toolu_ask' }),
  );

describe('a question in the panel', () => {
  const { standIn, window } = withWindow();

  beforeEach(() => window.panel.ask('/clear'));
  afterEach(() => assert.equal(standIn.remaining, 0));

  const sent = (): readonly Message[] =>
    (standIn.journal.messages.at(-1)!.body as { messages: Message[] }).messages;
  /** The results in the newest message, by the tool use that they belong to. */
  const results = () =>
    Object.fromEntries(
      blocksOf(sent().at(-1)!).flatMap((block) =>
        block.type === 'tool_result' ? [[block.tool_use_id, block.content]] : [],
      ),
    );

  /** The question is dismissed and waits for the next message. */
  async function leaveOpen(): Promise<void> {
    const { panel, card } = window;
    await panel.send('I want to check my order');
    await card.asks('Which order is it?');
    await card.dismiss();
    await panel.finished();
  }

  it('M16: is answered in VS Code’s own card, and the same turn goes on', async () => {
    const { panel, card } = window;
    standIn.script(asksForOrder(['O-1', 'O-2']), reply(text('Order O-2 was shipped.')));
    await panel.send('I want to check my order');
    await card.asks('Which order is it?');
    await window.screenshot('question-card');
    await card.choose('O-2');
    await panel.lastAnswer.getByText('Order O-2 was shipped.').waitFor();
    await panel.finished();
    assert.deepEqual(results(), { toolu_ask: 'O-2' });
    await window.screenshot('question-answered');
  });

  it('M17, P7: dismissed, it becomes the answer of the turn, and its options become buttons', async () => {
    const { panel } = window;
    standIn.script(asksForOrder(['O-1', 'O-2']), reply(text('Order O-1 was lost.')));
    await leaveOpen();
    assert.match(await panel.answerText(), /Which order is it\?$/);
    await panel.followUp('O-1').waitFor();
    await window.screenshot('question-options');
    await panel.followUp('O-1').click();
    await panel.lastAnswer.getByText('Order O-1 was lost.').waitFor();
    assert.deepEqual(results(), { toolu_ask: 'O-1' });
  });

  it('M17, S6: runs no command of ours because an option is called like one', async () => {
    const { panel } = window;
    standIn.script(asksForOrder(['/clear', 'O-1']), reply(text('That is no order.')));
    await leaveOpen();
    await panel.followUp('/clear').click();
    await panel.lastAnswer.getByText('That is no order.').waitFor();
    assert.deepEqual(results(), { toolu_ask: '“/clear”' });
  });

  it('M16: waits through a reload, and the plan goes on with the same tool use', async () => {
    const { panel, card } = window;
    standIn.script(
      reply(
        thinking('Both at once.'),
        toolUse('remember', { name: 'topic', value: 'orders' }, { id: 'toolu_topic' }),
        toolUse('ask_user', { param: 'order_id', question: 'Which order is it?' }, { id: 'toolu_ask' }),
      ),
      reply(text('Order O-3 is on its way.')),
    );
    await panel.send('I want to check my order');
    await card.asks('Which order is it?');
    await window.reload();
    assert.match(await panel.ask("It's O-3"), /Order O-3 is on its way\./);
    assert.deepEqual(results(), { toolu_topic: 'Remembered topic.', toolu_ask: "It's O-3" });
    assert.match(JSON.stringify(sent()), /"type":"thinking"/);
  });

  it('M17: another message while the card is open is the answer, whatever it says', async () => {
    const { panel, card } = window;
    standIn.script(asksForOrder(), reply(text('It is noon.')));
    await panel.send('I want to check my order');
    await card.asks('Which order is it?');
    await panel.type('never mind, what time is it?');
    await panel.lastAnswer.getByText('It is noon.').waitFor();
    assert.deepEqual(results(), { toolu_ask: 'never mind, what time is it?' });
    assert.match(await panel.ask('/memory'), /2 of at most 10 turns/);
    assert.doesNotMatch(await panel.answerText(), /order_id/);
  });

  it('M17: ends with /clear', async () => {
    const { panel } = window;
    standIn.script(asksForOrder(), reply(text('Hello.')));
    await leaveOpen();
    assert.match(await panel.ask('/memory'), /waiting for your next message: Which order is it\?/);
    assert.match(await panel.ask('/clear'), /Erased 1 turn: Claude no longer knows/);
    await panel.ask('O-4');
    assert.deepEqual([sent().length, results()], [1, {}]);
  });

  it('M2, M17: ends with its conversation when that expires', async () => {
    const { panel } = window;
    standIn.script(asksForOrder(), reply(text('Hello.')));
    await leaveOpen();
    await window.changeSettings({ 'assistant.conversationTimeout': 1 });
    // The timeout itself: real time has to pass.
    await sleep(1100);
    assert.match(await panel.ask('/memory'), /Nothing is remembered/);
    await window.changeSettings({});
    await panel.ask('O-5');
    assert.deepEqual([sent().length, results()], [1, {}]);
  });
});
