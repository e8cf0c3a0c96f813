import assert from 'node:assert/strict';
import { reply, text } from '../support/claude/script';
import { MemoryView } from '../support/window/memoryView';
import { withWindow } from '../support/window/withWindow';

describe('a person without a key', () => {
  const { standIn, window } = withWindow({ key: '' });

  /** In the Memory view, while there is nothing to see. */
  const setKey = () => new MemoryView(window.page).pane.getByRole('button', { name: 'Set API Key' });

  it('P2: is told what to do, with a button, and not by an error of VS Code', async () => {
    assert.equal(await window.panel.ask('hello'), 'Claude needs an API key. Set one, then ask again.');
    await window.panel.button('Set API Key').waitFor();
    assert.equal(await window.panel.lastAnswer.locator('.chat-error-widget, .codicon-error').count(), 0);
    assert.deepEqual(standIn.journal.messages, []);
    await window.workbench.runCommand('Assistant: Show Memory');
    await setKey().waitFor();
    await window.screenshot('without-key');
  });

  it('P2: sets the key with that button and gets an answer', async () => {
    await window.panel.ask('hello');
    standIn.script(reply(text('Now I can answer.')));
    await window.panel.button('Set API Key').click();
    await window.workbench.answerInputBox('sk-ant-typed');
    await window.workbench.notification('The API key is set.').waitFor();
    await window.workbench.runCommand('Assistant: Show Memory');
    await setKey().waitFor({ state: 'detached' });
    assert.equal(await window.panel.ask('hello again'), 'Now I can answer.');
    assert.equal(standIn.journal.messages.length, 1);
  });
});
