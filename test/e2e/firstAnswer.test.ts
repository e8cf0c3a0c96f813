import assert from 'node:assert/strict';
import { gate, reply, text } from '../support/claude/script';
import { withWindow } from '../support/window/withWindow';

describe('the first message on a fresh profile', () => {
  const { standIn, window } = withWindow();

  it('P1: is answered without Copilot and without signing in, as the text streams in', async () => {
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
});
