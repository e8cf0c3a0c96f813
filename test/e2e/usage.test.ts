import assert from 'node:assert/strict';
import { reply, text, toolUse } from '../support/claude/script';
import { startStandIn, type StandIn } from '../support/claude/standIn';
import { openWindow, type VsCodeWindow } from '../support/window/vscodeWindow';
import { webviewIn } from '../support/window/webview';

describe('what answers take', () => {
  let standIn: StandIn;
  let window: VsCodeWindow;

  before(async () => {
    standIn = await startStandIn();
    window = await openWindow({ env: { ANTHROPIC_BASE_URL: standIn.url, ANTHROPIC_API_KEY: 'sk-ant-e2e' } });
  });
  after(async () => {
    await window?.close();
    await standIn?.close();
  });

  it('M24: the button below an answer opens what was sent', async () => {
    const { panel, page } = window;
    standIn.script(
      reply(toolUse('remember', { name: 'colour', value: 'grey-4711' })),
      reply(text('Noted.')),
      reply(toolUse('list_directory', { path: '.' })),
      reply(toolUse('read_file', { path: 'README.md' })),
      reply(text('A small shop.')),
    );
    await panel.ask('remember the colour');
    await panel.ask('what is this <img src=x onerror=alert(1)> about');
    await panel.button('What Was Sent').click();
    const document = webviewIn(page);
    await document.getByRole('heading', { name: 'What was sent' }).waitFor();
    await window.screenshot('ledger');
    await window.workbench.runCommand('Assistant: Show Usage');
    const usage = webviewIn(page);
    await usage.getByRole('heading', { name: 'Usage' }).waitFor();
    await window.screenshot('usage');
    assert.ok(true);
  });
});
