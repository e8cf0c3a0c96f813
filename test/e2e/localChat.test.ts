import assert from 'node:assert/strict';
import { png } from '../support/claude/sampleImages';
import { reply, text } from '../support/claude/script';
import { appears, atMost } from '../support/window/appears';
import { sentTypes } from '../support/window/sentMessages';
import { withWindow } from '../support/window/withWindow';

describe('Ask Assistant, where chats of another agent are to be had', () => {
  const { standIn, window } = withWindow({ extension: 'other-agent' });

  const inPanel = (selector: string) => window.page.locator('.part.auxiliarybar').locator(selector);
  const input = () => inPanel('.interactive-input-part');
  const mention = () => input().locator('.view-lines').filter({ hasText: '@assistant' });
  /** VS Code 1.110 has no room for a name in a narrow panel, and says whose chat it is in the empty input. */
  const agentPicker = () => input().getByRole('button', { name: /^(Local$|Set Session Target)/ });
  const isOfOtherAgent = () =>
    input().getByText('Other Agent', { exact: true }).or(input().getByText('Chat with other-agent')).first();

  async function answersHere(question: string): Promise<void> {
    standIn.script(reply(text(`An answer to ${question}`)));
    // What is typed before the input has the focus goes elsewhere.
    await input().locator('.native-edit-context:focus').waitFor();
    await window.page.keyboard.type(question);
    await input().locator('.view-lines').filter({ hasText: question }).waitFor();
    await window.page.keyboard.press('Enter');
    await inPanel('.interactive-response').getByText(`An answer to ${question}`).waitFor();
  }

  it('P2: leaves a chat of that agent in its editor and opens a Local one in the panel', async () => {
    const { panel, workbench, page } = window;
    await panel.ready();
    const isOld = process.env['VSCODE_HOST_VERSION'] === '1.110.0';
    await workbench.runCommand(isOld ? 'Chat: New Other Agent' : 'Chat: New Other Agent Session');
    const editor = page.locator('.part.editor .tab').filter({ hasText: 'Other Agent' });
    await editor.waitFor();
    await workbench.runCommand('Assistant: Ask Assistant');
    await mention().waitFor();
    assert.equal(await editor.count(), 1);
    await answersHere('the editor question');
    await workbench.runCommand('View: Close All Editors');
  });

  // VS Code 1.110 offers the panel to agents of its own only.
  if (process.env['VSCODE_HOST_VERSION'] !== '1.110.0') {
    it('P2: leaves the other agent for a Local chat where the panel itself is its', async () => {
      const { panel, workbench, page } = window;
      await panel.newChat();
      const choice = page.locator('.context-view').getByText('Other Agent').first();
      // While the new chat takes its place, the picker may still be that of the chat before, which offers other things,
      // or close at once.
      await atMost(
        5,
        'Other Agent in the picker of VS Code',
        async () => {
          await page.keyboard.press('Escape');
          await agentPicker().click();
        },
        () => appears(choice),
      );
      await choice.click();
      await isOfOtherAgent().waitFor();
      await window.screenshot('other-agent-in-panel');
      await workbench.runCommand('Assistant: Ask Assistant');
      await mention().waitFor();
      await isOfOtherAgent().waitFor({ state: 'detached' });
      await answersHere('the panel question');
    });
  }

  it('P2: with the keybinding in a Local chat, stays in it', async () => {
    standIn.script(reply(text('Hello.')));
    await window.panel.ask('hello');
    const before = await inPanel('.interactive-request').count();
    assert.ok(before > 0);
    await input().locator('.native-edit-context').first().focus();
    await window.page.keyboard.press('ControlOrMeta+A');
    await window.page.keyboard.press('Delete');
    await mention().waitFor({ state: 'detached' });
    await window.page.keyboard.press('Control+Alt+A');
    await mention().waitFor();
    assert.equal(await inPanel('.interactive-request').count(), before);
  });

  it('M5, P3: an image that is pasted reaches Claude, where that agent makes the panel take images', async () => {
    const { panel } = window;
    standIn.script(reply(text('A grey square.')));
    await panel.pasteImage(png(40, 30));
    assert.equal(await panel.ask('what is this'), 'A grey square.');
    assert.deepEqual(sentTypes(standIn.journal).at(-1)?.slice(-2), ['image', 'text']);
    await window.screenshot('image-pasted');
  });

  it('P2: says once that new chats are not Local by default, with a button that opens one', async () => {
    const { workbench } = window;
    const notice = /New chats in this VS Code belong to another agent/;
    assert.equal(await workbench.notification(notice).count(), 0);
    await window.changeSettings({ 'chat.defaultToCopilotHarness': true });
    await workbench.notification(notice).waitFor();
    await window.screenshot('not-local-notice');
    await workbench.pressInNotification(notice, 'Open Local Chat');
    await mention().waitFor();
    await window.changeSettings({ 'chat.editor.preferCopilotHarness': true });
    await workbench.showNotifications();
    assert.equal(await workbench.notification(notice).count(), 0);
  });
});
