import assert from 'node:assert/strict';
import { renameSync } from 'node:fs';
import { gate, reply, text, toolUse } from '../support/claude/script';
import { installHost } from '../support/host/installHost';
import { killAtEachPoint, killPoints, textsOf } from '../support/kills';
import { until } from '../support/until';
import { installVsix, packVsix } from '../support/vsix';
import { filesBelow } from '../support/window/filesBelow';
import type { DrivenWindow } from '../support/window/lastingVsCode';
import { historyOf } from '../support/window/sentMessages';
import { withLastingVsCode } from '../support/window/withWindow';

const key = 'sk-ant-survival-0123456789';

/** One story: each test goes on where the one before it ended. A reload of the window is in reloads.test.ts. */
describe('what survives of a conversation, with the real workspaceState', () => {
  const { standIn, vscode } = withLastingVsCode({
    key,
    settings: { 'assistant.maxTurns': 0, 'assistant.conversationTimeout': 0 },
    isVerbose: true,
  });
  let window: DrivenWindow;
  /** All that was said and answered, as the next request has to tell it. */
  let said: string[] = [];
  let count = 0;

  before(async () => {
    window = await vscode.openWindow();
  });

  /** One turn with a tool round; gives the history that came with its first request. */
  async function turn(where = window): Promise<readonly string[]> {
    const number = ++count;
    standIn.reset();
    standIn.script(reply(toolUse('read_file', { path: 'README.md' })), reply(text(`Answer ${number}.`)));
    await where.host.chat(`Question ${number}?`);
    said = [...said, `user: Question ${number}?`, `assistant: Answer ${number}.`];
    return historyOf(standIn.journal.messages[0]!);
  }

  /** The next request tells all that was said before it. */
  async function assertAllIsThere(where = window): Promise<void> {
    const before = said;
    assert.deepEqual(await turn(where), before);
  }

  function loggedLines(): readonly string[] {
    return filesBelow(vscode.workplace.dataFolder)
      .filter(({ path }) => path.endsWith('Claude Assistant.log'))
      .flatMap(({ content }) => content.split('\n'));
  }

  it('M1, M6, F25: turns of two windows on one folder, interleaved', async () => {
    assert.deepEqual(await turn(), []);
    const second = await vscode.openWindow();
    for (const where of [second, window, second]) await assertAllIsThere(where);
  });

  it('M8, M14, F24, F30: the browser killed with both of them right after the answer, and a newer version of the extension', async () => {
    await vscode.killBrowser();
    const before = window.host.extensionVersion;
    await vscode.restart(() => {
      const { path } = packVsix({ version: '99.0.0' });
      installVsix(installHost(), path, vscode.extensionsFolder);
    });
    window = await vscode.openWindow();
    assert.notEqual(before, '99.0.0');
    assert.equal(window.host.extensionVersion, '99.0.0');
    await assertAllIsThere();
  });

  // The same moments of plain processes, many more of them, are in test/unit/storage/kills.test.ts.
  it(`M7, M8, M14, F23, F35: kill -9 of the extension host at each of ${killPoints} moments of a turn: no acknowledged turn is lost, finished rounds are found again, and all can be read`, async () => {
    const found = await killAtEachPoint({
      standIn,
      times: 1,
      // VS Code itself takes a while to hand over a message.
      handOverMs: 400,
      running: () => window.host,
      replace: (end) => window.replaceHost(end),
    });
    const texts = textsOf(found);
    assert.deepEqual(texts.slice(0, said.length), said);
    said = texts;
    await assertAllIsThere();
  }).timeout(600_000);

  it('M10: no state was unreadable and nothing failed on the way', () => {
    const lines = loggedLines();
    assert.ok(lines.filter((line) => line.includes('recovered 1 interrupted turn')).length >= 5);
    assert.deepEqual(
      lines.filter((line) => /\[(warning|warn|error)\]/i.test(line)),
      [],
    );
  });

  it('M6, M25: two requests of another extension that finish at the same moment', async () => {
    standIn.reset();
    const gates = [gate(), gate()];
    standIn.script(...gates.map((held, index) => reply(text(`Same time ${index}. `, held))));
    const answers = [window.host.ask('At once A?'), window.host.ask('At once B?')];
    await Promise.all(gates.map(({ reached }) => reached));
    for (const held of gates) held.open();
    await Promise.all(answers);

    const history = await turn();
    const together = history.slice(-4);
    assert.deepEqual(together.toSorted(), [
      'assistant: Same time 0. ',
      'assistant: Same time 1. ',
      'user: At once A?',
      'user: At once B?',
    ]);
    said = [...said.slice(0, -2), ...together, ...said.slice(-2)];
  });

  it('M25: the public API tells the same to another extension as Claude is told', async () => {
    assert.deepEqual(textsOf(await window.host.history()), said);
  });

  it('M22, A5: logs hold no message at any level, and nothing holds the key', () => {
    const lines = loggedLines();
    assert.ok(lines.some((line) => /received conversation=workspace history=\d+ turns/.test(line)));
    assert.ok(lines.some((line) => /responded .* tokens=.* duration=/.test(line)));
    assert.deepEqual(
      lines.filter((line) => /Question|Answer \d|At once|Same time|Looking|And again/.test(line)),
      [],
    );
    const files = filesBelow(vscode.workplace.dataFolder);
    assert.deepEqual(
      files.filter(({ content }) => content.includes(key)).map(({ path }) => path),
      [],
    );
    // The check above can fail: what is remembered is in one of these files.
    assert.ok(
      files.some(({ path, content }) => path.includes('/memory.db') && content.includes(`Answer ${count}.`)),
    );
  });

  it('M20: a folder that was renamed is offered the conversations it had under its old name', async () => {
    // What tells the project from others is noted after the answer.
    await until(() =>
      filesBelow(vscode.workplace.dataFolder).some(({ path }) => path.endsWith('/project.json')),
    );
    await window.page.close();
    const before = said;
    const folder = `${vscode.workplace.folder}-renamed`;
    renameSync(vscode.workplace.folder, folder);
    window = await vscode.openWindow({ folder });
    assert.deepEqual(await turn(), [], 'VS Code itself knows nothing any more');

    const { workbench } = window;
    await workbench.notification(/seems to be the one that was in/).waitFor();
    await window.screenshot('moved-folder');
    await workbench.pressInNotification(/seems to be the one that was in/, 'Take Over');
    await workbench.pressInNotification(/can be resumed here now: 1/, 'Resume…');
    await workbench.answerInputBox('Question 1?');
    await workbench.notification(/goes on with your next message/).waitFor();
    assert.deepEqual(await turn(), before);
  });
});
