import assert from 'node:assert/strict';
import * as vscode from 'vscode';

describe('the extension in the real VS Code', () => {
  it('is there and activates', async () => {
    const extension = vscode.extensions.getExtension('claude-assistant.claude-assistant');
    assert.ok(extension);
    await extension.activate();
    assert.equal(extension.isActive, true);
  });

  it('a command that cannot do what it is asked says so itself, and nobody gets a raw error', async () => {
    const gone = { subject: { kind: 'plan', id: 4711 } };
    assert.equal(await vscode.commands.executeCommand('assistant.openRow', gone), undefined);
  });
});
