import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { AssistantApi } from '../../src/core/api';
import type { Message } from '../../src/core/messages';

describe('the commands of the archive', () => {
  let api: AssistantApi;
  let folder: vscode.Uri;

  before(async () => {
    api = await vscode.extensions.getExtension<AssistantApi>('claude-assistant.claude-assistant')!.activate();
    folder = vscode.workspace.workspaceFolders![0]!.uri;
  });
  beforeEach(() => api.clearHistory());

  const exchange = (name: string): Message[] => [
    { role: 'user', content: `question ${name}` },
    { role: 'assistant', content: `answer ${name}` },
  ];
  const run = (command: string, ...args: readonly unknown[]) =>
    vscode.commands.executeCommand(`assistant.${command}`, ...args);
  const file = (name: string) => vscode.Uri.joinPath(folder, name);
  const read = async (name: string) =>
    new TextDecoder().decode(await vscode.workspace.fs.readFile(file(name)));
  const write = (name: string, text: string) =>
    vscode.workspace.fs.writeFile(file(name), new TextEncoder().encode(text));
  const exportTo = (name: string, format: 'json' | 'markdown') =>
    run('exportConversation', { to: file(name), format, withValues: false });

  it('M21: export, clear, import, export gives the same file', async () => {
    await api.saveTurn(exchange('one'));
    await api.saveTurn(exchange('two'));
    await exportTo('first.json', 'json');
    await api.clearHistory();
    await run('importConversation', file('first.json'));
    assert.deepEqual(await api.getHistory(), [...exchange('one'), ...exchange('two')]);
    await exportTo('second.json', 'json');
    assert.equal(await read('second.json'), await read('first.json'));
  });

  it('M21: the Markdown export can be read', async () => {
    await api.saveTurn(exchange('one'));
    await exportTo('talk.md', 'markdown');
    assert.match(
      await read('talk.md'),
      /^# question one\n\n1 turn · [^]*\*\*You\*\*\n\n```text\nquestion one\n```\n\n\*\*Claude\*\*\n\n> answer one\n$/,
    );
  });

  it('S7, A34: no export holds a credential of the person’s headers', async () => {
    const configuration = vscode.workspace.getConfiguration('assistant');
    const headers = { authorization: 'Bearer gw-7f3a9c21-SECRET', 'x-team': 'question' };
    await configuration.update('headers', headers, vscode.ConfigurationTarget.Global);
    try {
      await api.saveTurn(exchange('gw-7f3a9c21-SECRET'));
      for (const format of ['json', 'markdown'] as const) {
        await exportTo('talk.out', format);
        assert.doesNotMatch(await read('talk.out'), /7f3a/);
        assert.match(await read('talk.out'), /question .*key/);
      }
    } finally {
      await configuration.update('headers', undefined, vscode.ConfigurationTarget.Global);
    }
  });

  it('M20: starting fresh leaves nothing for the next request', async () => {
    await api.saveTurn(exchange('one'));
    await run('startFresh');
    assert.deepEqual(await api.getHistory(), []);
    await run('continueEnded', '../../etc/passwd');
    await run('resumeConversation', 'nothing of that name');
    assert.deepEqual(await api.getHistory(), []);
  });

  it('M21: a file that is none, or that is not there, changes nothing', async () => {
    await api.saveTurn(exchange('one'));
    await write('notes.json', '{"format": "notes"}');
    for (const name of ['notes.json', 'missing.json']) {
      await run('importConversation', file(name));
      assert.deepEqual(await api.getHistory(), exchange('one'));
    }
  });

  it('M27: other chats find through VS Code what was said, unless that is off', async () => {
    await api.saveTurn(exchange('about the quagga'));
    await run('startFresh');
    const recall = async () => {
      const input = { query: 'quagga' };
      const { content } = await vscode.lm.invokeTool('recall', { input, toolInvocationToken: undefined });
      return content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join('');
    };
    assert.match(await recall(), /Claude: answer about the quagga/);
    const configuration = vscode.workspace.getConfiguration('assistant');
    await configuration.update('recall', false, vscode.ConfigurationTarget.Global);
    try {
      await assert.rejects(recall(), /switched off/);
    } finally {
      await configuration.update('recall', undefined, vscode.ConfigurationTarget.Global);
    }
  });
});
