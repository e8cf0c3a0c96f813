import assert from 'node:assert/strict';
import { gate, reply, text } from '../support/claude/script';
import { startStandIn, type StandIn } from '../support/claude/standIn';
import { openWindow, type VsCodeWindow } from '../support/window/vscodeWindow';

describe('the first message on a fresh profile', () => {
  let standIn: StandIn;
  let window: VsCodeWindow;

  before(async () => {
    standIn = await startStandIn();
    window = await openWindow({ env: { ANTHROPIC_BASE_URL: standIn.url, ANTHROPIC_API_KEY: 'sk-ant-e2e' } });
  });
  after(async () => {
    await window?.close();
    await standIn?.close();
  });

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
