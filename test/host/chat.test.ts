import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { drop, reply, text, thinking, toolUse } from '../support/claude/script';
import { withStandIn } from '../support/claude/withStandIn';
import { pointAt } from '../support/hostSettings';
import { modelsAre, modelsAreThere } from '../support/modelsAreThere';

interface Answer {
  readonly metadata?: Record<string, unknown>;
  readonly details?: string;
  readonly errorDetails?: { readonly message: string };
}

describe('a message to @assistant', () => {
  const standIn = withStandIn();

  before(async () => {
    await pointAt(standIn.url);
    await modelsAreThere();
  });

  async function ask(message: string, more: object = {}): Promise<Answer> {
    const answer = await vscode.commands.executeCommand('workbench.action.chat.open', {
      query: `@assistant ${message}`,
      blockOnResponse: true,
      ...more,
    });
    return answer as Answer;
  }

  it('M13: carries its conversation and turn in the metadata, and nothing else', async () => {
    standIn.script(reply(text('Hello.')));
    const { metadata } = await ask('hello');
    const { turnId, threadId, ...rest } = metadata ?? {};
    assert.deepEqual(rest, { version: 1, conversationId: 'workspace' });
    assert.match(String(turnId), /^[\w-]{36,60}$/);
    assert.match(String(threadId), /^.{10,200}$/);
  });

  it('P6: ends with a receipt of model, tokens and cost', async () => {
    standIn.script(reply(text('Hello.')));
    assert.match(
      (await ask('hello')).details ?? '',
      /^Sonnet 5\.5 · \$0\.\d{4} · [\d.k]+ in( \([\d.k]+ cached\))? · \d+ out$/,
    );
  });

  it('P1: is answered by assistant.model while nobody has picked another', async () => {
    const configuration = vscode.workspace.getConfiguration('assistant');
    await configuration.update('model', 'claude-haiku-5-5', vscode.ConfigurationTarget.Global);
    standIn.script(reply(text('Hello.')));
    await ask('hello');
    await configuration.update('model', undefined, vscode.ConfigurationTarget.Global);
    assert.match(standIn.journal.messages[0]!.bodyText, /"model":"claude-haiku-5-5"/);
  });

  it('P1: is answered by the model that is picked', async () => {
    standIn.script(reply(text('Hello.')));
    await ask('hello', { modelSelector: { vendor: 'claude-assistant', id: 'claude-opus-5-5' } });
    assert.match(standIn.journal.messages[0]!.bodyText, /"model":"claude-opus-5-5"/);
    await vscode.commands.executeCommand('workbench.action.chat.newChat');
  });

  it('adds CLAUDE.md, AGENTS.md and the person’s own instructions to the system prompt', async () => {
    const configuration = vscode.workspace.getConfiguration('assistant');
    await configuration.update('instructions', 'Answer in rhymes.', vscode.ConfigurationTarget.Global);
    standIn.script(reply(text('Hello.')));
    await ask('hello');
    const system = standIn.journal.messages[0]!.bodyText;
    assert.match(system, /Answer in rhymes\.[^]*Always mention the harbour\.[^]*Agents speak softly\./);
    await configuration.update('instructions', undefined, vscode.ConfigurationTarget.Global);
  });

  it('L10: sends thinking back within the turn, and never stores it', async () => {
    standIn.script(
      reply(thinking('I should look. Then say.'), toolUse('list_directory', { path: '.' })),
      reply(text('Two files.')),
      reply(text('Next.')),
    );
    await ask('use your tool');
    await ask('and now');
    const [, second, third] = standIn.journal.messages.map(({ bodyText }) => bodyText);
    assert.match(second!, /I should look/);
    assert.doesNotMatch(third!, /I should look/);
  });

  it('M24: opens what was sent for an answer as a document to read', async () => {
    standIn.script(reply(toolUse('list_directory', { path: '.' })), reply(text('Two files.')));
    const { metadata } = await ask('what files are here');
    await vscode.commands.executeCommand('assistant.showLedger', metadata?.['turnId']);
    await until(() => tabs().some(({ label }) => label.includes('What Was Sent')));
    await until(() => ledgerText(metadata?.['turnId']) !== '');
    assert.match(ledgerText(metadata?.['turnId']), /what files are here[^]*\| Requests \| 2 \|/);
    await vscode.commands.executeCommand('assistant.showLedger', 'nobody');
    await until(() => ledgerText('nobody') !== '');
    assert.match(ledgerText('nobody'), /^What was sent for this answer is no longer known/);
  });

  it('P6: opens the usage page, once', async () => {
    const pages = () =>
      tabs().filter(
        ({ input }) => input instanceof vscode.TabInputWebview && input.viewType.endsWith('assistant.usage'),
      );
    await vscode.commands.executeCommand('assistant.showUsage');
    await until(() => pages().length > 0);
    await vscode.commands.executeCommand('assistant.showUsage');
    await until(() => pages().some(({ isActive }) => isActive));
    assert.equal(pages().length, 1);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  describe('the list of models', () => {
    const asked = (): number => standIn.journal.entries.filter(({ path }) => path === '/v1/models').length;
    const listed = (name: string) => ({
      status: 200,
      json: { data: [{ id: 'claude-sonnet-5-5', display_name: name }], has_more: false },
    });
    const setHeaders = (headers: object) =>
      vscode.workspace
        .getConfiguration('assistant')
        .update('headers', headers, vscode.ConfigurationTarget.Global);
    const isNamed = (name: string): Promise<void> =>
      modelsAre((models) => models.some((one) => one.name === name));
    after(() => pointAt(standIn.url));

    it('P1: is asked for again with another credential, and not with every message', async () => {
      standIn.mind(reply(text('Hello.')));
      standIn.modelList(listed('First'));
      await setHeaders({ authorization: 'Bearer first' });
      await ask('hello');
      await isNamed('First');
      standIn.modelList(listed('Second'));
      await ask('hello');
      assert.equal(asked(), 1);
      await setHeaders({ authorization: 'Bearer second' });
      await ask('hello');
      await isNamed('Second');
      assert.equal(asked(), 2);
      standIn.mind(undefined);
    });

    it('L8: a picked model that the list lost is still asked, so that Claude says what is wrong with it', async () => {
      standIn.mind(reply(text('Hello.')));
      standIn.modelList(listed('Only'));
      await setHeaders({ authorization: 'Bearer lost' });
      const modelSelector = { vendor: 'claude-assistant', id: 'claude-opus-5-5' };
      await ask('hello', { modelSelector });
      await isNamed('Only');
      assert.equal((await ask('hello', { modelSelector })).errorDetails, undefined);
      assert.match(standIn.journal.messages[1]!.bodyText, /"model":"claude-opus-5-5"/);
      standIn.mind(undefined);
    });

    it('P1: is the built-in one where an address has none, and that is found out once', async () => {
      standIn.mind(reply(text('Hello.')));
      standIn.modelList({ status: 404, json: { message: 'no such route' } });
      await setHeaders({ authorization: 'Bearer third' });
      for (let message = 0; message < 3; message++) await ask('hello');
      await isNamed('Claude Sonnet 5.5');
      assert.equal(asked(), 1);
      standIn.mind(undefined);
    });
  });

  it('takes an empty message without an error', async () => {
    standIn.script(reply(text('Yes?')));
    assert.equal((await ask('')).errorDetails, undefined);
    assert.equal(standIn.journal.messages.length, 1);
  });

  it('M25: shares its memory with the API for other extensions', async () => {
    const api = vscode.extensions.getExtension('claude-assistant.claude-assistant')!.exports;
    await api.clearHistory();
    standIn.script(reply(text('Berlin.')), reply(text('I said Berlin.')), reply(text('I know nothing.')));
    assert.equal(await api.ask('Name a city.'), 'Berlin.');
    await ask('which one?');
    assert.equal((await api.getHistory()).length, 4);
    assert.match(standIn.journal.messages[1]!.bodyText, /Name a city\.[^]*Berlin\.[^]*which one\?/);

    assert.equal(await api.ask('which one?', { stateless: true }), 'I know nothing.');
    assert.equal((await api.getHistory()).length, 4);
    assert.doesNotMatch(standIn.journal.messages[2]!.bodyText, /Berlin/);
    await api.clearHistory();
    assert.deepEqual(await api.getHistory(), []);
  });

  it('M25: gives other extensions the answer once, also when it broke off and came again', async () => {
    const api = vscode.extensions.getExtension('claude-assistant.claude-assistant')!.exports;
    standIn.script(
      reply(text('{"answer": 4'), drop()),
      reply(text('{\n "answer": 42}')),
      reply(text('I note that.'), toolUse('remember', { name: 'city', value: 'Berlin' })),
      reply(text('Noted.')),
    );
    assert.equal(await api.ask('What is it?'), '{\n "answer": 42}');
    assert.equal(await api.ask('Remember Berlin.'), 'I note that.\n\nNoted.');
    await api.clearHistory();
  });

  it('M25, R2: what the user denies counts for the turns of other extensions, too', async () => {
    const api = vscode.extensions.getExtension('claude-assistant.claude-assistant')!.exports;
    const set = (rules: unknown) =>
      vscode.workspace
        .getConfiguration('assistant')
        .update('permissions', rules, vscode.ConfigurationTarget.Global);
    await set([{ tool: 'remember', decision: 'deny' }]);
    try {
      standIn.script(
        reply(toolUse('remember', { name: 'city', value: 'Berlin' })),
        reply(text('I may not.')),
      );
      assert.equal(await api.ask('Remember Berlin.'), 'I may not.');
      assert.match(standIn.journal.messages[1]!.bodyText, /rule 1 of the person's assistant\.permissions/);
    } finally {
      await set(undefined);
      await api.clearHistory();
    }
  });

  it('L1: opens a long answer as it is remembered, without the attempt that broke off', async () => {
    const line = 'word '.repeat(20_000);
    standIn.script(
      reply(text(`Broken ${line}`), drop()),
      reply(text(`First ${line}`), toolUse('list_directory', { path: '.' })),
      reply(text('Last.')),
    );
    const { metadata } = await ask('tell me everything');
    await vscode.commands.executeCommand('assistant.openAnswer', metadata?.['turnId']);
    await until(() => vscode.window.activeTextEditor?.document.getText().endsWith('Last.') ?? false);
    assert.equal(vscode.window.activeTextEditor?.document.getText(), `First ${line}\n\nLast.`);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });
});

function tabs(): readonly vscode.Tab[] {
  return vscode.window.tabGroups.all.flatMap((group) => group.tabs);
}

/** VS Code tells of tabs and documents some time after the command that opened them has ended. */
async function until(isSo: () => boolean): Promise<void> {
  const changes = [
    vscode.window.tabGroups.onDidChangeTabs,
    vscode.workspace.onDidOpenTextDocument,
    vscode.workspace.onDidChangeTextDocument,
  ];
  while (!isSo()) {
    const subscriptions: vscode.Disposable[] = [];
    await new Promise<void>((resolve) => {
      for (const change of changes) subscriptions.push(change(() => resolve()));
    });
    for (const subscription of subscriptions) subscription.dispose();
  }
}

/** The document about an answer, as VS Code has it open. */
function ledgerText(turnId: unknown): string {
  const document = vscode.workspace.textDocuments.find(
    ({ uri }) => uri.scheme === 'claude-assistant-ledger' && uri.query === turnId,
  );
  return document?.getText() ?? '';
}
