import assert from 'node:assert/strict';
import { blocksOf, type Message } from '../../src/core/messages';
import { noise, png } from '../support/claude/sampleImages';
import { reply, text, toolUse } from '../support/claude/script';
import { withWindow } from '../support/window/withWindow';

describe('an image in the panel', () => {
  const { standIn, window } = withWindow();

  /** The types of all blocks that the person sent, request by request. */
  const sentTypes = () =>
    standIn.journal.messages.map(({ body }) =>
      (body as { messages: Message[] }).messages.flatMap((message) =>
        message.role === 'user' ? blocksOf(message).map(({ type }) => type) : [],
      ),
    );

  it('M5, P3: pasted, it reaches Claude as an image in all rounds, and as a placeholder later', async () => {
    const { panel } = window;
    standIn.script(
      reply(toolUse('remember', { name: 'colour', value: 'grey' })),
      reply(text('A grey square.')),
      reply(text('It was grey.')),
    );
    await panel.pasteImage(png(40, 30));
    assert.equal(await panel.ask('what is this'), 'A grey square.');
    assert.deepEqual(sentTypes(), [
      ['image', 'text'],
      ['image', 'text', 'tool_result'],
    ]);
    await window.screenshot('image-pasted');
    assert.equal(await panel.ask('which colour was it'), 'It was grey.');
    const body = JSON.stringify(standIn.journal.messages.at(-1)!.body);
    assert.match(body, /\[Image sent: photo\]/);
    assert.doesNotMatch(body, /"type":"image"/);
  });

  it('P3, F15: one of 12 MB reaches Claude scaled down by VS Code, and the turn goes on', async function () {
    this.timeout(300_000);
    const { panel } = window;
    const photo = noise(2000, 2000);
    assert.ok(photo.length > 12_000_000);
    standIn.script(reply(text('Noise.')), reply(text('Still fine.')));
    await panel.pasteImage(photo);
    // VS Code itself takes long over such an image.
    await panel.send('what is this');
    await panel.finished({ timeout: 200_000 });
    assert.equal(await panel.answerText(), 'Noise.');
    assert.deepEqual(sentTypes()[0]?.slice(-2), ['image', 'text']);
    assert.equal(await panel.ask('and now'), 'Still fine.');
  });
});
