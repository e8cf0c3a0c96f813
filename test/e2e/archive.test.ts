import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { reply, text, toolUse } from '../support/claude/script';
import { pressOver } from '../support/window/appears';
import { screenshotInBothThemes } from '../support/window/bothThemes';
import { archivedCount } from '../support/window/readDatabase';
import { historyOf } from '../support/window/sentMessages';
import { withDrivenWindow } from '../support/window/withWindow';

describe('the archive of conversations', () => {
  const { standIn, vscode, window } = withDrivenWindow({
    settings: { 'window.autoDetectColorScheme': true },
  });

  afterEach(() => window.host.execute('notifications.clearAll'));

  /** Asks, and gives the history that was sent before the question. */
  async function turn(question: string, answer: string): Promise<readonly string[]> {
    standIn.reset();
    standIn.script(reply(text(answer)));
    await window.host.chat(question);
    return historyOf(standIn.journal.messages[0]!);
  }

  /** What was said before is in the archive then. */
  const startFresh = () => window.host.execute('assistant.startFresh');

  const archived = () => archivedCount(vscode.workplace.dataFolder);

  const inBothThemes = (name: string) => screenshotInBothThemes(window, name);

  it('M20: says what to do while nothing is archived', async () => {
    await window.workbench.runCommand('Assistant: Resume Conversation…');
    await window.workbench
      .notification(/No conversation is archived yet\. One comes here when it expires/)
      .waitFor();
    await window.workbench.runCommand('Assistant: Export Conversation…');
    await window.workbench.notification(/nothing to export\. Ask @assistant something first/).waitFor();
  });

  it('M20: after Start Fresh Conversation the next request has no history', async () => {
    const before = archived();
    await turn('Where is the inn?', 'Behind the church.');
    await turn('And the mill?', 'At the river.');
    await window.workbench.runCommand('Assistant: Start Fresh Conversation');
    await window.workbench
      .notification(/A fresh conversation begins\. The one before \(2 turns\) is in the archive/)
      .waitFor();
    assert.equal(archived(), before + 1);
    assert.deepEqual(await turn('Is this new?', 'Yes.'), []);
  });

  it('M20: Resume Conversation… finds words of an answer, and the next request sends what is resumed', async () => {
    const { workbench, page } = window;
    await startFresh();
    await turn('Where is the harbour?', 'At the end of Lighthouse Street.');
    await turn('And the market?', 'Behind the church.');
    await startFresh();
    await turn('How deep is it?', 'Nine feet.');
    await startFresh();
    await turn('Count the boats', 'There are seven.');
    await workbench.runCommand('Assistant: Resume Conversation…');
    await workbench.options.filter({ hasText: 'How deep is it?' }).waitFor();
    await workbench.options.filter({ hasText: 'Where is the harbour?' }).waitFor();
    await inBothThemes('resume');
    await workbench.inputBox.fill('lighthouse street');
    await workbench.options.filter({ hasText: 'At the end of Lighthouse Street.' }).waitFor();
    await workbench.options.nth(1).waitFor({ state: 'detached' });
    await inBothThemes('resume-search');
    await page.keyboard.press('Enter');
    await workbench
      .notification(/“Where is the harbour\?” goes on with your next message: 2 turns/)
      .waitFor();
    assert.deepEqual(await turn('And the church?', 'Beside the school.'), [
      'user: Where is the harbour?',
      'assistant: At the end of Lighthouse Street.',
      'user: And the market?',
      'assistant: Behind the church.',
    ]);
    await workbench.runCommand('Assistant: Resume Conversation…');
    await workbench.options.filter({ hasText: 'Count the boats' }).waitFor();
    assert.equal(await workbench.options.filter({ hasText: 'harbour' }).count(), 0);
    await page.keyboard.press('Escape');
  });

  it('M27: Search Conversations… opens an exchange that is no longer remembered, and Continue from Here goes on after it', async () => {
    const { workbench, page } = window;
    await startFresh();
    await turn('Who rings the bell?', 'The sexton does.');
    await turn('Which anchor holds in sand?', 'The Danforth anchor.');
    await turn('And in mud?', 'The mushroom anchor.');
    await startFresh();
    await turn('Count the gulls', 'Too many.');
    await workbench.runCommand('Assistant: Search Conversations…');
    await workbench.inputBox.fill('danforth anch');
    const found = workbench.options.filter({ hasText: 'The Danforth anchor.' });
    await found.filter({ hasText: 'in “Who rings the bell?”' }).waitFor();
    await inBothThemes('search-conversations');
    await page.keyboard.press('Enter');
    const editor = page.locator('.editor-instance').filter({ hasText: 'The Danforth anchor.' });
    await editor.waitFor();
    await inBothThemes('found-exchange');
    await page.getByRole('button', { name: 'Continue from Here' }).first().click();
    await workbench
      .notification(/Your next message goes on after “Which anchor holds in sand\?”: 2 turns remembered/)
      .waitFor();
    assert.deepEqual(await turn('And on rock?', 'None.'), [
      'user: Who rings the bell?',
      'assistant: The sexton does.',
      'user: Which anchor holds in sand?',
      'assistant: The Danforth anchor.',
    ]);
    await window.host.execute('workbench.action.closeAllEditors');
  });

  it('M27: Claude recalls what has left memory', async () => {
    const { panel } = window;
    await startFresh();
    await turn('The harbour master is called Quillfeather, remember her?', 'Noted.');
    await startFresh();
    standIn.reset();
    standIn.script(reply(toolUse('recall', { query: 'harbour master name' })), reply(text('Quillfeather.')));
    await panel.ask('What is the harbour master called?');
    assert.match(await panel.answerText(), /Quillfeather/);
    const [first, second] = standIn.journal.messages.map(({ body }) => JSON.stringify(body));
    assert.ok(first && !first.includes('Quillfeather'));
    assert.match(second ?? '', /What was said earlier[^]*Quillfeather, remember her/);
  });

  it('M20: an archived conversation can be looked at, deleted, and the deletion undone', async () => {
    const { workbench, page } = window;
    await startFresh();
    await turn('Count the oars', 'There are eight.');
    await startFresh();
    const before = archived();
    await workbench.runCommand('Assistant: Resume Conversation…');
    const oars = workbench.options.filter({ hasText: 'Count the oars' });
    await pressOver(oars, oars.getByRole('button', { name: 'Show it' }));
    const preview = page.frameLocator('iframe.webview').frameLocator('iframe');
    await preview.getByText('There are eight.').waitFor();
    await inBothThemes('archive-preview');
    await pressOver(oars, oars.getByRole('button', { name: 'Delete it from the archive' }));
    await oars.waitFor({ state: 'detached' });
    assert.equal(archived(), before - 1);
    await page.keyboard.press('Escape');
    await workbench.pressInNotification(/“Count the oars” is deleted/, 'Undo');
    await workbench.notification(/“Count the oars” is back in the archive/).waitFor();
    assert.equal(archived(), before);
    await window.host.execute('workbench.action.closeAllEditors');
  });

  it('P4: /resume lists what can be resumed, with a link each', async () => {
    const { panel, workbench } = window;
    await startFresh();
    await turn('What is a mast?', 'A tall pole.');
    await startFresh();
    await panel.ask('/resume');
    await panel.link('What is a mast?').waitFor();
    await inBothThemes('slash-resume');
    await panel.ask('/resume nowhere to be found');
    assert.match(await panel.answerText(), /No archived conversation holds these words/);
    await panel.ask('/resume tall POLE');
    assert.match(await panel.answerText(), /What is a mast\?.*A tall pole\./s);
    await panel.link('What is a mast?').click();
    await workbench.notification(/“What is a mast\?” goes on/).waitFor();
    assert.deepEqual(await turn('And a keel?', 'The bottom.'), [
      'user: What is a mast?',
      'assistant: A tall pole.',
    ]);
  });

  it('M21: export, Delete All Conversations…, import, export gives the same file', async () => {
    const { workbench, page } = window;
    const { folder } = vscode.workplace;
    await startFresh();
    await turn('What is a fender?', 'A cushion.');
    await startFresh();
    await turn('Name a knot', 'The bowline.');
    await turn('And another?', 'The reef knot.');
    const talk = [
      'user: Name a knot',
      'assistant: The bowline.',
      'user: And another?',
      'assistant: The reef knot.',
    ];
    const exported = async (file: string, format: string) => {
      await workbench.runCommand('Assistant: Export Conversation…');
      const formats = workbench.options.filter({ hasText: format });
      await workbench.options.filter({ hasText: 'Name a knot' }).or(formats).first().waitFor();
      // With nothing else in memory or archive there is nothing to choose.
      if ((await formats.count()) === 0) await page.keyboard.press('Enter');
      await formats.first().click();
      await workbench.enterPath(join(folder, file));
      await workbench.notification(`Exported 2 turns to ${file}`).waitFor();
      return readFileSync(join(folder, file), 'utf8');
    };

    assert.match(await exported('talk.md', 'Markdown'), /^# Name a knot\n\n2 turns/);
    const first = await exported('first.json', 'JSON');

    await workbench.runCommand('Assistant: Delete All Conversations…');
    const dialog = page.locator('.monaco-dialog-box');
    await dialog
      .getByText(/Erased for good: what is remembered now \(2 turns\), \d+ conversations? in the archive/)
      .waitFor();
    await dialog.getByText(/Not erased: the chats and pasted images that VS Code itself keeps/).waitFor();
    await inBothThemes('delete-all');
    await dialog.getByRole('button', { name: 'Delete All' }).click();
    await workbench.notification(/All conversations of this workspace are erased/).waitFor();
    assert.equal(archived(), 0);
    assert.deepEqual(await window.host.history(), []);

    await workbench.runCommand('Assistant: Import Conversation…');
    await workbench.enterPath(join(folder, 'first.json'));
    await workbench.notification(/Imported 2 turns\. Your next message goes on with it\./).waitFor();
    assert.equal(await exported('second.json', 'JSON'), first);
    assert.deepEqual(await turn('Still there?', 'Yes.'), talk);
  });

  it('M21: a damaged file is refused with what is wrong with it, and changes nothing', async () => {
    await turn('Are you there?', 'Yes.');
    const before = await window.host.history();
    writeFileSync(
      join(vscode.workplace.folder, 'cut.json'),
      '{\n  "format": "claude-assistant-conversation",\n',
    );
    await window.workbench.runCommand('Assistant: Import Conversation…');
    await window.workbench.enterPath(join(vscode.workplace.folder, 'cut.json'));
    await window.workbench.notification(/cut\.json: This file is not JSON, or it is not complete/).waitFor();
    assert.deepEqual(await window.host.history(), before);
    assert.equal(readdirSync(vscode.workplace.folder).includes('cut.json'), true);
  });
});
