import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { reply, text } from '../support/claude/script';
import { historyOf } from '../support/window/sentMessages';
import { withDrivenWindow } from '../support/window/withWindow';

/** One story: each test goes on where the one before it ended. */
describe('the commands and settings of the memory', () => {
  const { standIn, vscode, window } = withDrivenWindow({
    settings: { 'assistant.maxTurns': 7, 'assistant.maxRounds': 'ten', 'assistant.eviction': 'newest' },
  });
  let workspaceSettings: string;

  before(() => {
    mkdirSync(join(vscode.workplace.folder, '.vscode'));
    workspaceSettings = join(vscode.workplace.folder, '.vscode/settings.json');
    writeFileSync(workspaceSettings, JSON.stringify({ 'assistant.conversationTimeout': 3600 }));
  });

  async function turn(question: string): Promise<readonly string[]> {
    standIn.reset();
    standIn.script(reply(text(`Answer to ${question}`)));
    await window.host.chat(question);
    return historyOf(standIn.journal.messages[0]!);
  }

  const exchange = (question: string) => [`user: ${question}`, `assistant: Answer to ${question}`];
  const settingIn = (file: string, name: string) =>
    (JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>)[name];

  it('F29: one warning for each bad setting names it, its value and what is allowed', async () => {
    const { workbench } = window;
    await turn('One');
    await workbench
      .notification(/assistant\.maxRounds cannot be "ten": it must be a whole number from 1 to 500/)
      .waitFor();
    await workbench
      .notification(/assistant\.eviction cannot be "newest": it must be one of "oldest", "half"/)
      .waitFor();
    await window.screenshot('bad-settings');
    await window.host.execute('notifications.clearAll');
    assert.deepEqual(await turn('Two'), exchange('One'));
    assert.equal(await workbench.notification(/assistant\./).count(), 0);
  });

  it('M3: Set Turn Limit… checks its input, writes the setting where it is, and the next request obeys', async () => {
    const { workbench } = window;
    await workbench.runCommand('Assistant: Set Turn Limit…');
    await workbench.inputBox.waitFor();
    assert.equal(await workbench.inputBox.inputValue(), '7');
    await workbench.inputBox.fill('ten');
    await workbench.inputProblem.filter({ hasText: 'It takes a whole number from 0 to 1000' }).waitFor();
    await window.screenshot('turn-limit');
    await workbench.answerInputBox('1');
    await workbench.notification('The last turn is remembered.').waitFor();
    assert.equal(settingIn(vscode.workplace.settingsFile, 'assistant.maxTurns'), 1);
    assert.equal(settingIn(workspaceSettings, 'assistant.maxTurns'), undefined);
    assert.deepEqual(await turn('Three'), exchange('Two'));
  });

  it('M20: Clear Conversation says what is erased and what VS Code keeps, and Undo brings it back', async () => {
    const { workbench } = window;
    await window.host.execute('notifications.clearAll');
    await workbench.runCommand('Assistant: Clear Conversation');
    const erased = /Erased 1 turn.*Claude no longer knows.*VS Code itself still keeps the chat/;
    await workbench.notification(erased).waitFor();
    await window.screenshot('cleared');
    assert.deepEqual(await window.host.history(), []);
    await workbench.pressInNotification(erased, 'Undo');
    await workbench.notification('The conversation is back.').waitFor();
    assert.deepEqual(await turn('Four'), exchange('Three'));

    await window.host.execute('notifications.clearAll');
    await workbench.runCommand('Assistant: Clear Conversation');
    await workbench.notification(erased).waitFor();
    assert.deepEqual(await turn('Five'), []);
  });

  it('M22: Show Log opens the log, which counts and does not quote', async () => {
    await window.workbench.runCommand('Assistant: Show Log');
    const log = window.page.locator('.output-view');
    await log.waitFor();
    await window.screenshot('log');
    await log
      .getByText(/received.conversation=workspace/)
      .first()
      .waitFor();
    assert.equal(await log.getByText(/Answer.to/).count(), 0);
  });

  it('M2: Set Conversation Timeout… writes to the workspace that has it, and the conversation ends', async () => {
    const { workbench } = window;
    await workbench.runCommand('Assistant: Set Conversation Timeout…');
    await workbench.inputBox.waitFor();
    assert.equal(await workbench.inputBox.inputValue(), '3600');
    await workbench.inputBox.fill('-5');
    await workbench.inputProblem.filter({ hasText: 'It takes a whole number from 0 to 31536000' }).waitFor();
    await workbench.answerInputBox('1');
    await workbench.notification('The conversation ends after 1 s without a message.').waitFor();
    assert.equal(settingIn(workspaceSettings, 'assistant.conversationTimeout'), 1);
    assert.equal(settingIn(vscode.workplace.settingsFile, 'assistant.conversationTimeout'), undefined);
    await turn('Six');
    // The timeout itself: real time has to pass.
    await sleep(1100);
    assert.deepEqual(await turn('Seven'), []);
  });
});
