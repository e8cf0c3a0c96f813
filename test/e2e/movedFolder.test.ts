import assert from 'node:assert/strict';
import { renameSync } from 'node:fs';
import { reply, text } from '../support/claude/script';
import { until } from '../support/until';
import { ChatPanel } from '../support/window/chatPanel';
import { filesBelow } from '../support/window/filesBelow';
import { historyOf } from '../support/window/sentMessages';
import { watchPage } from '../support/window/watchPage';
import { withWindow } from '../support/window/withWindow';
import { Workbench } from '../support/window/workbench';

describe('a folder that was renamed', () => {
  const { standIn, window } = withWindow();

  it('M20: is offered the conversations it had under its old name', async () => {
    standIn.script(reply(text('Nine shelves.')), reply(text('Good day.')), reply(text('Nine, as I said.')));
    await window.panel.ask('How many shelves are there?');
    // What tells the project from others is noted after the answer.
    await until(() =>
      filesBelow(window.workplace.dataFolder).some(({ path }) => path.endsWith('/project.json')),
    );
    await window.page.close();

    const moved = `${window.folder}-renamed`;
    renameSync(window.folder, moved);
    const page = await window.context.newPage();
    await watchPage(page);
    await page.goto(`${window.server.url}/?folder=${encodeURIComponent(moved)}`);
    const [panel, workbench] = [new ChatPanel(page), new Workbench(page)];
    await panel.ask('Hello?');
    assert.deepEqual(historyOf(standIn.journal.messages[1]!), [], 'VS Code itself knows nothing any more');

    await workbench.notification(/seems to be the one that was in/).waitFor();
    await page.screenshot({ path: 'dist/test/screenshots/moved-folder.png' });
    await workbench.pressInNotification(/seems to be the one that was in/, 'Take Over');
    await workbench.pressInNotification(/can be resumed here now: 1/, 'Resume…');
    await workbench.answerInputBox('shelves');
    await workbench.notification(/goes on with your next message/).waitFor();
    await workbench.runCommand('Notifications: Clear All Notifications');
    await panel.ask('How many was it?');
    assert.deepEqual(historyOf(standIn.journal.messages[2]!), [
      'user: How many shelves are there?',
      'assistant: Nine shelves.',
    ]);
  });
});
