import assert from 'node:assert/strict';
import { reply, text } from '../support/claude/script';
import { startStandIn, type StandIn } from '../support/claude/standIn';
import { MemoryView } from '../support/window/memoryView';
import { openWindow, type VsCodeWindow } from '../support/window/vscodeWindow';

describe('a person without a key', () => {
  let standIn: StandIn;
  let window: VsCodeWindow;

  before(async () => {
    standIn = await startStandIn();
    window = await openWindow({ env: { ANTHROPIC_BASE_URL: standIn.url } });
  });
  after(async () => {
    await window?.close();
    await standIn?.close();
  });

  /** In the Memory view, while there is nothing to see. */
  const setKey = () => new MemoryView(window.page).pane.getByRole('button', { name: 'Set API Key' });

  it('P2: is told what to do, with a button, and not by an error of VS Code', async () => {
    assert.equal(await window.panel.ask('hello'), 'Claude needs an API key. Set one, then ask again.');
    assert.equal(await window.panel.button('Set API Key').isVisible(), true);
    assert.equal(await window.panel.lastAnswer.locator('.chat-error-widget, .codicon-error').count(), 0);
    assert.deepEqual(standIn.journal.messages, []);
    await window.workbench.runCommand('Assistant: Show Memory');
    await setKey().waitFor();
    await window.screenshot('without-key');
  });

  it('P2: sets the key with that button and gets an answer', async () => {
    standIn.script(reply(text('Now I can answer.')));
    await window.panel.button('Set API Key').click();
    await window.typeIntoInputBox('sk-ant-typed');
    await setKey().waitFor({ state: 'detached' });
    assert.equal(await window.panel.ask('hello again'), 'Now I can answer.');
    assert.equal(standIn.journal.messages.length, 1);
  });
});
