import assert from 'node:assert/strict';
import { reply, text, toolUse } from '../support/claude/script';
import { MemoryView } from '../support/window/memoryView';
import { withWindow } from '../support/window/withWindow';

describe('the first steps of a new person', () => {
  const { standIn, window } = withWindow({ key: '' });

  before(async () => {
    // The pictures of a walkthrough need the room of an ordinary screen.
    await window.page.setViewportSize({ width: 1720, height: 900 });
  });

  const isDone = (step: string) =>
    window.page.locator(`[data-done-step-id$="#${step}"][aria-checked="true"]`).first();
  const press = (button: string) =>
    window.page
      .locator('.gettingStartedContainer')
      .getByRole('button', { name: button, exact: true })
      .click();

  it('P2: lead from the walkthrough through a key to an answer and what is remembered of it', async () => {
    const { page, panel, workbench } = window;
    await panel.ready();
    await workbench.startCommand('Welcome: Open Walkthrough...');
    await page.getByRole('option', { name: /Get Started with Claude Assistant/ }).click();
    await page.getByText('Set your API key').first().waitFor();
    await window.screenshot('walkthrough-key');
    assert.equal(await isDone('key').count(), 0);

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
    await page.getByText('Choose how much and how long').first().click();
    await window.screenshot('walkthrough-limits');
  });
});
