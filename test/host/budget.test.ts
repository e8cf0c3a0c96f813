import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { reply, text } from '../support/claude/script';
import { withStandIn } from '../support/claude/withStandIn';
import { pointAt } from '../support/hostSettings';
import { modelsAreThere } from '../support/modelsAreThere';

const { Global, Workspace } = vscode.ConfigurationTarget;

describe('a budget in the settings of VS Code', () => {
  const standIn = withStandIn();
  const configuration = () => vscode.workspace.getConfiguration('assistant');
  const set = async (name: 'turn' | 'day', user: unknown, workspace: unknown): Promise<void> => {
    await configuration().update(`budget.${name}`, user, Global);
    await configuration().update(`budget.${name}`, workspace, Workspace);
  };

  before(async () => {
    await pointAt(standIn.url);
    await modelsAreThere();
  });
  afterEach(async () => {
    await set('turn', undefined, undefined);
    await set('day', undefined, undefined);
  });

  /** What a turn without the panel says: the answer, or why it was not sent. */
  async function ask(): Promise<string> {
    standIn.reset();
    standIn.script(reply(text('Hello.')));
    const api = vscode.extensions.getExtension('claude-assistant.claude-assistant')!.exports;
    try {
      return await api.ask('hello', { stateless: true });
    } catch (error) {
      return String(error);
    }
  }
  const tiny = 0.000_01;
  const heldBy = (name: string) => new RegExp(`Not sent: [^]*assistant\\.budget\\.${name}`);

  it('L14: what the user has set, no workspace raises or takes away', async () => {
    for (const raised of [undefined, 0, 100]) {
      await set('turn', tiny, raised);
      assert.match(await ask(), heldBy('turn'), `turn: ${raised}`);
      assert.equal(standIn.journal.messages.length, 0);
    }
    await set('turn', undefined, undefined);
    for (const raised of [undefined, 0, 100]) {
      await set('day', tiny, raised);
      assert.match(await ask(), heldBy('day'), `day: ${raised}`);
    }
  });

  it('L14: a workspace lowers it, also where the user has set none', async () => {
    for (const user of [undefined, 0, 100]) {
      await set('turn', user, tiny);
      assert.match(await ask(), heldBy('turn'), `user: ${user}`);
    }
    await set('turn', 100, 50);
    assert.equal(await ask(), 'Hello.');
  });

  it('L14: the limit of the day holds what other extensions ask our models, that of a turn does not', async () => {
    const [model] = await vscode.lm.selectChatModels({ vendor: 'claude-assistant', id: 'claude-sonnet-5-5' });
    assert.ok(model);
    const send = async () => {
      standIn.reset();
      standIn.script(reply(text('Hello.')));
      const response = await model.sendRequest([vscode.LanguageModelChatMessage.User('hello')]);
      let said = '';
      for await (const part of response.text) said += part;
      return said;
    };
    await set('turn', tiny, undefined);
    assert.equal(await send(), 'Hello.');
    await set('day', tiny, undefined);
    await assert.rejects(send(), heldBy('day'));
    assert.equal(standIn.journal.messages.length, 0);
  });

  it('L14, P7: the words of Continue send what was held, and the same message again does not', async () => {
    await set('turn', tiny, undefined);
    const send = async (message: string) => {
      const answer = await vscode.commands.executeCommand('workbench.action.chat.open', {
        query: `@assistant ${message}`,
        blockOnResponse: true,
      });
      const { metadata } = answer as { readonly metadata?: Readonly<Record<string, unknown>> };
      return metadata?.['followUp'];
    };
    await vscode.commands.executeCommand('workbench.action.chat.newChat');
    standIn.reset();
    standIn.script(reply(text('Hello.')));
    assert.equal(await send('say hello'), 'retry-beyond');
    assert.equal(await send('say hello'), 'retry-beyond');
    assert.equal(standIn.journal.messages.length, 0);
    assert.equal(await send('Continue beyond the budget, this once.'), undefined);
    const sent = standIn.journal.messages[0]!.bodyText;
    assert.match(sent, /say hello/);
    assert.doesNotMatch(sent, /beyond the budget/);
    // It is good for once, and after something that was held only.
    assert.equal(await send('Continue beyond the budget, this once.'), 'retry-beyond');
    assert.equal(standIn.journal.messages.length, 1);
  });
});
