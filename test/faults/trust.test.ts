import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { reply, text, toolUse } from '../support/claude/script';
import { startStandIn, type StandIn } from '../support/claude/standIn';
import { ConfirmationCard } from '../support/window/confirmationCard';
import { historyOf, resultsOf } from '../support/window/sentMessages';
import { openWindow, type VsCodeWindow } from '../support/window/vscodeWindow';

describe('a folder that the person has not trusted', () => {
  let standIn: StandIn;
  let window: VsCodeWindow;

  before(async () => {
    standIn = await startStandIn();
    window = await openWindow({
      workspace: 'chat',
      env: { ANTHROPIC_BASE_URL: standIn.url, ANTHROPIC_API_KEY: 'sk-ant-e2e' },
      asksForTrust: true,
    });
    await window.page.getByRole('button', { name: /No, I don't trust/ }).click();
  });
  beforeEach(() => standIn.reset());
  afterEach(() => assert.deepEqual(standIn.journal.refused, []));
  after(async () => {
    await window?.close();
    await standIn?.close();
  });

  const note = { path: 'note.txt', content: 'Hello.\n' };
  const scriptNote = () => standIn.script(reply(toolUse('create_file', note)), reply(text('Done.')));
  const file = (): string => join(window.folder, note.path);

  it('A4: is read and not written, nobody is asked, and its instructions are not passed on', async () => {
    scriptNote();
    assert.match(await window.panel.ask('write a note'), /Done\.$/);
    const [result] = resultsOf(standIn.journal.messages[1]!);
    assert.match(result!.text, /has not trusted this workspace, so files can only be read/);
    assert.equal(existsSync(file()), false);
    assert.doesNotMatch(standIn.journal.messages[0]!.bodyText, /Always mention the harbour/);
    await window.screenshot('untrusted');
  });

  it('F30: once it is trusted, the same conversation goes on, and may write', async () => {
    await window.workbench.runCommand('Workspaces: Manage Workspace Trust');
    await window.page
      .locator('.workspace-trust-editor')
      .getByRole('button', { name: 'Trust', exact: true })
      .click();
    await window.page.locator('.workspace-trust-editor.trusted').waitFor();
    scriptNote();
    await window.panel.send('now write it');
    await new ConfirmationCard(window.page).asks('Create note.txt?');
    await new ConfirmationCard(window.page).allowOnce();
    await window.panel.finished();
    assert.equal(existsSync(file()), true);
    assert.match(historyOf(standIn.journal.messages[0]!).join('\n'), /user: write a note/);
    assert.match(standIn.journal.messages[0]!.bodyText, /Always mention the harbour/);
  });
});
