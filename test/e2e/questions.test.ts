import assert from 'node:assert/strict';
import { blocksOf, type Message } from '../../src/core/messages';
import { reply, text, thinking, toolUse } from '../support/claude/script';
import { withWindow } from '../support/window/withWindow';

const asksForOrder = (options?: readonly string[], id = 'toolu_ask') =>
  reply(
    thinking('The id is missing.'),
    text('I can look that up. '),
    toolUse('ask_user', { param: 'order_id', question: 'Which order is it?', options }, { id }),
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

  it('M17, P7, S6: dismissed, it becomes the answer of the turn and its options become buttons, also one that is called like a command', async () => {
    const { panel, card } = window;
    standIn.script(
      asksForOrder(['/clear', 'O-1']),
      asksForOrder(['O-1', 'O-2'], 'toolu_again'),
      reply(text('Order O-1 was lost.')),
    );
    await leaveOpen();
    assert.match(await panel.answerText(), /Which order is it\?$/);
    await panel.followUp('O-1').waitFor();
    await window.screenshot('question-options');
    await panel.followUp('/clear').click();
    await card.asks('Which order is it?');
    assert.deepEqual(results(), { toolu_ask: '“/clear”' });
    await card.dismiss();
    await panel.finished();
    await panel.followUp('O-1').click();
    await panel.lastAnswer.getByText('Order O-1 was lost.').waitFor();
    assert.deepEqual(results(), { toolu_again: 'O-1' });
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
    await panel.button('Delete VS Code’s Chats…').waitFor();
    await panel.ask('O-4');
    assert.deepEqual([sent().length, results()], [1, {}]);
  });
});
