import assert from 'node:assert/strict';
import { gate, reply, text, toolUse } from '../support/claude/script';
import { installHost } from '../support/host/installHost';
import { installVsix, packVsix } from '../support/vsix';
import { filesBelow } from '../support/window/filesBelow';
import type { DrivenWindow } from '../support/window/lastingVsCode';
import { historyOf } from '../support/window/sentMessages';
import { withLastingVsCode } from '../support/window/withWindow';

const key = 'sk-ant-survival-0123456789';

/** One story: each test goes on where the one before it ended. */
describe('what survives of a conversation, with the real workspaceState', () => {
  const { standIn, vscode } = withLastingVsCode({
    key,
    settings: { 'assistant.maxTurns': 0 },
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

  it('M1, M14, F24: a reload of the page right after the answer', async () => {
    assert.deepEqual(await turn(), []);
    await window.replaceHost(() => window.page.reload());
    await assertAllIsThere();
  });

  it('M14, F24: Reload Window right after the answer', async () => {
    await window.replaceHost(() => {
      // The window goes before it can say that it has done so.
      window.host.execute('workbench.action.reloadWindow').catch(() => undefined);
    });
    await assertAllIsThere();
  });

  it('M8, M14: the extension host killed right after the answer', async () => {
    await window.replaceHost(() => window.host.kill());
    await assertAllIsThere();
  });

  it('M8, F24: the browser killed with all its windows right after the answer', async () => {
    await vscode.killBrowser();
    window = await vscode.openWindow();
    await assertAllIsThere();
  });

  it('M14, F30: VS Code restarted with a newer version of the extension', async () => {
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

  it('M6, F25: turns of two windows on one folder, interleaved', async () => {
    const second = await vscode.openWindow();
    for (const where of [second, window, second, window]) await assertAllIsThere(where);
    await window.replaceHost(() => window.page.reload());
    await second.page.close();
    await assertAllIsThere();
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
    const history = await window.host.history();
    const texts = history.flatMap(({ role, content }) =>
      typeof content === 'string'
        ? [`${role}: ${content}`]
        : content.flatMap((block) => (block.type === 'text' ? [`${role}: ${block.text}`] : [])),
    );
    assert.deepEqual(texts, said);
  });

  it('M22, A5: logs hold no message at any level, and nothing holds the key', () => {
    const files = filesBelow(vscode.workplace.dataFolder);
    const logs = files.filter(({ path }) => path.endsWith('Claude Assistant.log'));
    const lines = logs.flatMap(({ content }) => content.split('\n'));
    assert.ok(lines.some((line) => /received conversation=workspace history=\d+ turns/.test(line)));
    assert.ok(lines.some((line) => /responded .* tokens=.* duration=/.test(line)));
    assert.deepEqual(
      lines.filter((line) => /Question|Answer \d|At once|Same time/.test(line)),
      [],
    );
    assert.deepEqual(
      files.filter(({ content }) => content.includes(key)).map(({ path }) => path),
      [],
    );
    // The check above can fail: what is remembered is in one of these files.
    assert.ok(
      files.some(({ path, content }) => path.includes('/memory.db') && content.includes(`Answer ${count}.`)),
    );
  });
});
