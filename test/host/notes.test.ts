import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { reply, text, toolUse } from '../support/claude/script';
import { withStandIn } from '../support/claude/withStandIn';
import { pointAt } from '../support/hostSettings';
import { modelsAreThere } from '../support/modelsAreThere';
import { resultsOf } from '../support/window/sentMessages';

describe('notes in VS Code', () => {
  const standIn = withStandIn();

  before(async () => {
    await pointAt(standIn.url);
    await modelsAreThere();
  });
  after(async () => {
    // In this kind of host nobody is there to press Undo.
    void vscode.commands.executeCommand('assistant.eraseNotes');
  });

  async function ask(message: string): Promise<void> {
    await vscode.commands.executeCommand('workbench.action.chat.open', {
      query: `@assistant ${message}`,
      blockOnResponse: true,
    });
  }
  const system = () => JSON.stringify(JSON.parse(standIn.journal.messages.at(-1)!.bodyText).system);

  it('M28: what the person asked for is in the system prompt of the next request', async () => {
    standIn.script(
      reply(toolUse('note', { text: 'We ship on Fridays.' })),
      reply(text('I will.')),
      reply(text('Yes.')),
    );
    await ask('note that we ship on Fridays');
    assert.match(resultsOf(standIn.journal.messages.at(-1)!).at(-1)?.text ?? '', /^Noted\./);
    await ask('and now?');
    assert.match(system(), /We ship on Fridays\./);
  });

  it('M28: other chats call it, too, and cannot note a secret', async () => {
    const invoke = (said: string) =>
      vscode.lm.invokeTool('note', { input: { text: said }, toolInvocationToken: undefined });
    await assert.rejects(async () => invoke('password=hunter2'), /where the secret is kept/);
  });
});
