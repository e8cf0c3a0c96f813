import assert from 'node:assert/strict';
import { reply, text, toolUse } from '../support/claude/script';
import { MemoryView } from '../support/window/memoryView';
import { withWindow } from '../support/window/withWindow';

/** One story: each test goes on where the one before it ended. */
describe('a new person without a key', () => {
  const { standIn, window } = withWindow({ key: '' });

  /** In the Memory view, while there is nothing to see. */
  const setKey = () => new MemoryView(window.page).pane.getByRole('button', { name: 'Set API Key' });
  const isDone = (step: string) =>
    window.page.locator(`[data-done-step-id$="#${step}"][aria-checked="true"]`).first();
  const press = (button: string) =>
    window.page
      .locator('.gettingStartedContainer')
      .getByRole('button', { name: button, exact: true })
      .click();

  it('P2: is told what to do, with a button, and not by an error of VS Code', async () => {
    assert.equal(await window.panel.ask('hello'), 'Claude needs an API key. Set one, then ask again.');
    await window.panel.button('Set API Key').waitFor();
    assert.equal(await window.panel.lastAnswer.locator('.chat-error-widget, .codicon-error').count(), 0);
    assert.deepEqual(standIn.journal.messages, []);
    await window.screenshot('without-key');
  });

  it('P2: is led from the walkthrough through a key to an answer and what is remembered of it', async () => {
    const { page, panel, workbench } = window;
    // The pictures of a walkthrough need the room of an ordinary screen.
    await page.setViewportSize({ width: 1720, height: 900 });
    await workbench.startCommand('Welcome: Open Walkthrough...');
    await page.getByRole('option', { name: /Get Started with Claude Assistant/ }).click();
    await page.getByText('Set your API key').first().waitFor();
    await window.screenshot('walkthrough-key');
    for (const step of ['key', 'ask', 'memory']) assert.equal(await isDone(step).count(), 0);

    await press('Set API Key');
    await workbench.answerInputBox('sk-ant-typed');
    await isDone('key').waitFor();

    standIn.script(
      reply(toolUse('read_file', { path: 'README.md' })),
      reply(text('A small shop: a catalogue, discounts and orders.')),
    );
    await page.getByText('Ask your first question').first().click();
    await window.screenshot('walkthrough-ask');
    await panel.sendSuggested('What is this workspace about?', () => press('Ask About This Workspace'));
    await panel.lastAnswer.getByText('A small shop').waitFor();
    await panel.finished();
    await isDone('ask').waitFor();

    await page.getByText('See what it remembers').first().click();
    await window.screenshot('walkthrough-memory');
    await press('Show Memory');
    await new MemoryView(page).row('What is this').waitFor();
    await isDone('memory').waitFor();
    await page.getByText('Choose how much is remembered').first().click();
    await window.screenshot('walkthrough-limits');
  });

  it('P2: who removes the key finds the button in the view, sets one with that of an answer, and gets an answer', async () => {
    await window.panel.ask('/clear');
    await window.workbench.runCommand('Assistant: Remove API Key');
    await setKey().waitFor();
    await window.panel.ask('hello');
    standIn.script(reply(text('Now I can answer.')));
    await window.panel.button('Set API Key').click();
    await window.workbench.answerInputBox('sk-ant-typed');
    await window.workbench.notification('The API key is set.').waitFor();
    await setKey().waitFor({ state: 'detached' });
    assert.equal(await window.panel.ask('hello again'), 'Now I can answer.');
    assert.equal(standIn.journal.messages.length, 1);
  });
});
