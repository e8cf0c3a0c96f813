import assert from 'node:assert/strict';
import { reply, text } from '../support/claude/script';
import { withWindow } from '../support/window/withWindow';

describe('a person without a key', () => {
  const { standIn, window } = withWindow({ key: '' });

  it('P2: is told what to do, with a button, and not by an error of VS Code', async () => {
    assert.equal(await window.panel.ask('hello'), 'Claude needs an API key. Set one, then ask again.');
    await window.panel.button('Set API Key').waitFor();
    assert.equal(await window.panel.lastAnswer.locator('.chat-error-widget, .codicon-error').count(), 0);
    assert.deepEqual(standIn.journal.messages, []);
    await window.screenshot('without-key');
  });

  it('P2: sets the key with that button and gets an answer', async () => {
    await window.panel.ask('hello');
    standIn.script(reply(text('Now I can answer.')));
    await window.panel.button('Set API Key').click();
    await window.workbench.answerInputBox('sk-ant-typed');
    await window.workbench.notification('The API key is set.').waitFor();
    assert.equal(await window.panel.ask('hello again'), 'Now I can answer.');
    assert.equal(standIn.journal.messages.length, 1);
  });
});
