import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  gatewayError,
  reply,
  streamError,
  text,
  thinking,
  toolUse,
  viaGateway,
} from '../support/claude/script';
import { filesBelow } from '../support/window/filesBelow';
import type { DrivenWindow } from '../support/window/lastingVsCode';
import { resultsOf } from '../support/window/sentMessages';
import { readState } from '../support/window/storedState';
import { withLastingVsCode } from '../support/window/withWindow';

const credential = 'gw-7f3a9c21-SECRET-TOKEN';

/** One story: each test goes on where the one before it ended. */
describe('Claude behind a gateway', () => {
  const { standIn, vscode } = withLastingVsCode({
    key: '',
    settings: {
      'assistant.headers': { authorization: `Bearer ${credential}`, 'x-portkey-provider': 'anthropic' },
    },
    isVerbose: true,
  });
  let window: DrivenWindow;
  const exported: string[] = [];

  before(async () => {
    window = await vscode.openWindow();
  });
  afterEach(() => window.host.execute('notifications.clearAll'));

  it('L8: an answer in the form of a gateway is shown, and its tools run', async () => {
    const ways = ['unnamed events', 'unsigned thinking', 'usage alone', 'nulls'] as const;
    standIn.script(
      viaGateway(ways, toolUse('read_file', { path: 'README.md' })),
      viaGateway(ways, text('A shop.')),
    );
    assert.match(await window.panel.ask('What is this?'), /^A shop\.$/m);
    assert.equal(resultsOf(standIn.journal.messages[1]!).at(-1)?.isError, false);
  });

  it('L8, A34: what it says with an error is shown as plain text, without the credential', async () => {
    const message = `anthropic error ![x](file:///etc/passwd) **no** route for ${credential}`;
    standIn.script(
      reply(thinking('Hm.'), toolUse('read_file', { path: 'README.md' })),
      gatewayError(400, { status: 'failure', message }),
    );
    const shown = await window.panel.ask('Look at the plans of the harbour');
    assert.match(shown, /Something other than Claude answered\./);
    assert.match(
      shown,
      /status 400: “anthropic error !\[x\]\(file:\/\/\/etc\/passwd\) \*\*no\*\* route for \[key\]”/,
    );
    assert.equal(await window.panel.lastAnswer.locator('.value img').count(), 0);
    await window.screenshot('gateway-error');
    standIn.script(reply(text('Half'), streamError('invalid_request_error', `bad token ${credential}`)));
    assert.match(await window.panel.ask('And now?'), /Claude did not accept the request: bad token \[key\]/);
  });

  it('L7, A24: what it says while it is asked again is shown as plain text, too', async () => {
    const message = 'overloaded ![x](file:///etc/passwd) [Sign in](https://gateway.example)';
    standIn.script(gatewayError(500, { status: 'failure', message }), reply(text('There it is.')));
    await window.panel.send('Look at the lighthouse');
    const told = window.panel.lastAnswer.getByText('“overloaded ![x](file:///etc/passwd) [Sign in](');
    await told.waitFor();
    assert.equal(await window.panel.lastAnswer.locator('.value img').count(), 0);
    await window.panel.lastAnswer.getByText('There it is.').waitFor();
    await window.panel.finished();
  });

  it('M21, A34: the conversation is exported in both forms', async () => {
    const { workbench, page } = window;
    for (const [name, format] of [
      ['talk.md', 'Markdown'],
      ['talk.json', 'JSON'],
    ] as const) {
      await workbench.runCommand('Assistant: Export Conversation…');
      await workbench.options
        .filter({ has: page.getByText(format, { exact: true }) })
        .first()
        .click();
      await workbench.enterPath(join(vscode.workplace.folder, name));
      await workbench.notification(new RegExp(`Exported \\d turns to ${name}`)).waitFor();
      exported.push(readFileSync(join(vscode.workplace.folder, name), 'utf8'));
      await window.host.execute('notifications.clearAll');
    }
    for (const one of exported) assert.match(one, /harbour/);
  });

  it('S7, A34: no state, log or export holds the credential, and no log what was said', async () => {
    const files = filesBelow(vscode.workplace.dataFolder);
    // VS Code keeps a copy of the settings.
    const ours = files.filter(({ path }) => !path.includes('/CachedConfigurations/'));
    const holders = ours.filter(({ content }) => content.includes('7f3a9c21')).map(({ path }) => path);
    assert.deepEqual(holders, [vscode.workplace.settingsFile], 'only where the person put it');
    assert.doesNotMatch(exported.join('\n'), /7f3a9c21/);
    assert.doesNotMatch(JSON.stringify(await readState(window.page)), /7f3a9c21/);
    const logs = files.filter(({ path }) => path.endsWith('Claude Assistant.log'));
    const lines = logs.flatMap(({ content }) => content.split('\n'));
    assert.ok(
      lines.some((line) => /failed kind=not-claude status=400 request=req_\w+$/.test(line)),
      lines.join('\n'),
    );
    assert.deepEqual(
      lines.filter((line) => /harbour|route|passwd|A shop/.test(line)),
      [],
    );
    // The checks above can fail: what was said is in one of these files.
    assert.ok(files.some(({ content }) => content.includes('plans of the harbour')));
  });
});
