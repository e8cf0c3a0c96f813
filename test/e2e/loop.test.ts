import assert from 'node:assert/strict';
import {
  apiError,
  deltas,
  gate,
  reply,
  streamError,
  text,
  thinking,
  toolUse,
} from '../support/claude/script';
import { withWindow } from '../support/window/withWindow';

describe('a turn in the panel', () => {
  const { standIn, window } = withWindow({ settings: { 'assistant.maxRounds': 2 } });

  // The first one: nobody has asked anything in this profile.
  it('P1: the first message on a fresh profile is answered without Copilot and without signing in, as the text streams in', async () => {
    const rest = gate();
    standIn.script(reply(text('Hello from ', rest, 'Claude.')));
    await window.panel.send('hello');
    await window.panel.lastAnswer.getByText('Hello from').waitFor();
    assert.doesNotMatch(await window.panel.answerText(), /Claude\./);
    rest.open();
    await window.panel.finished();
    assert.equal(await window.panel.answerText(), 'Hello from Claude.');
    await window.screenshot('first-answer');
  });

  it('F1, L6: stops while the text streams, keeps what was shown, and goes on from there', async () => {
    const { panel } = window;
    standIn.script(reply(text('The first part. ', gate(), 'Never shown.')), reply(text('I had begun.')));
    await panel.send('tell me something long');
    await panel.lastAnswer.getByText('The first part.').waitFor();
    await panel.stop();
    await panel.finished();
    const stopped = standIn.journal.messages[0]!;
    await stopped.ended;
    assert.equal(stopped.outcome.state, 'aborted');

    assert.equal(await panel.ask('what did you say'), 'I had begun.');
    assert.match(
      JSON.stringify(standIn.journal.messages[1]!.body),
      /The first part\.[^]*Stopped by the person/,
    );
    await window.screenshot('stopped');
  });

  it('F8, L7: says that it waits when Claude is overloaded, and answers once', async () => {
    const { panel } = window;
    const overloaded = apiError(529, { retryAfter: 1 });
    standIn.script(overloaded, overloaded, reply(text('Here I am.')));
    await panel.send('are you there');
    await panel
      .progress(/overloaded.*Asking again in/)
      .first()
      .waitFor();
    await window.screenshot('overloaded');
    await panel.finished();
    assert.match(await panel.answerText(), /Here I am\.$/);
    assert.equal(standIn.journal.messages.length, 3);
  });

  it('F11, L7: goes on in one piece when the stream broke in mid-sentence', async () => {
    const { panel } = window;
    const thought = thinking('A closer look. And another one.');
    standIn.script(
      reply(thought, text('Half a sen'), streamError()),
      reply(thought, text('Half a sentence and the rest.')),
    );
    const shown = await panel.ask('say it whole');
    await window.screenshot('broken-off');
    assert.match(shown, /^Half a sentence and the rest\.$/m);
  });

  it('F9, L8: names a rejected key, with the button that helps', async () => {
    const { panel } = window;
    standIn.script(apiError(401, { message: 'invalid x-api-key' }));
    await panel.send('hello');
    await panel.finished();
    await panel.lastAnswer
      .getByText('Claude rejected the API key. Set a valid one, then ask again.')
      .waitFor();
    await panel.button('Set API Key').waitFor();
    await window.screenshot('rejected-key');
  });

  it('L5, P7: stops at the round limit and goes on with Continue', async () => {
    const { panel } = window;
    standIn.script(
      reply(toolUse('list_directory', { path: '.' })),
      reply(toolUse('list_directory', { path: 'src' })),
      reply(text('Both are listed.')),
    );
    await panel.send('list everything');
    await panel.finished();
    assert.match(await panel.answerText(), /Stopped after 2 tool rounds/);
    await panel.followUp('Continue').waitFor();
    await window.screenshot('round-limit');
    await panel.followUp('Continue').click();
    await panel.lastAnswer.getByText('Both are listed.').waitFor();
    assert.match(JSON.stringify(standIn.journal.messages[2]!.body), /limit of 2 tool rounds/);
  });

  it('L14, P7: holds a message that would pass the budget, and Continue sends it, this once', async () => {
    const { panel } = window;
    const held = /Not sent: this can take \$0\.\d+ or more, and one turn may take \$0\.0010/;
    await window.changeSettings({ 'assistant.budget.turn': 0.001 });
    try {
      await panel.send('say it');
      await panel.finished();
      assert.match(await panel.answerText(), held);
      await panel.followUp('Continue').waitFor();
      await window.screenshot('over-budget');
      // The same words again are no Continue.
      await panel.send('say it');
      await panel.finished();
      assert.match(await panel.answerText(), held);
      assert.equal(standIn.journal.messages.length, 0);
      standIn.script(reply(toolUse('list_directory', { path: '.' })));
      await panel.followUp('Continue').click();
      await panel.lastAnswer.getByText('Stopped after $').waitFor();
      await panel.finished();
      standIn.script(reply(text('Said.')));
      await panel.followUp('Continue').click();
      await panel.lastAnswer.getByText('Said.').waitFor();
      await panel.finished();
      assert.match(
        JSON.stringify(standIn.journal.messages[1]!.body),
        /say it[^]*Stopped by the person's budget/,
      );
      assert.doesNotMatch(JSON.stringify(standIn.journal.messages[0]!.body), /beyond the budget/);
      await panel.send('and again');
      await panel.finished();
      assert.match(await panel.answerText(), held);
      assert.equal(standIn.journal.messages.length, 2);
    } finally {
      await window.changeSettings({});
    }
  });

  it('F13, L1: shows an answer that is too long for one part whole, and opens it as a document', async () => {
    const { panel, page } = window;
    // Few and long: each paragraph is laid out by itself.
    const paragraph = `${'All work and no play makes a long answer. '.repeat(100)}\n\n`;
    standIn.script(reply(deltas(26, paragraph), text('This is the end.')));
    await panel.send('write a novel');
    await panel.finished();
    await panel.lastAnswer.getByText('This is the end.').waitFor();
    await window.screenshot('long-answer');
    await panel.button('Open Whole Answer').last().click();
    await page.locator('.tab').filter({ hasText: 'All work and no play' }).waitFor();
  });

  it('L6: makes room for a message that is sent while it runs, and keeps what was done', async () => {
    const { panel } = window;
    const hold = gate();
    standIn.script(
      reply(text('Looking. ', hold), toolUse('list_directory', { path: '.' })),
      reply(text('On to the new one.')),
    );
    await panel.send('look at everything');
    await hold.reached;
    await panel.type('never mind, do this');
    await panel.pending.waitFor();
    hold.open();
    await panel.lastAnswer.getByText('On to the new one.').waitFor();
    const sent = JSON.stringify(standIn.journal.messages[1]!.body);
    assert.match(sent, /tool_result[^]*Interrupted by a new message[^]*never mind, do this/);
  });
});
