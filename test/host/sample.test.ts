import assert from 'node:assert/strict';
import * as vscode from 'vscode';

describe('the extension in the real VS Code', () => {
  it('is there and activates', async () => {
    const extension = vscode.extensions.getExtension('claude-assistant.claude-assistant');
    assert.ok(extension);
    await extension.activate();
    assert.equal(extension.isActive, true);
  });
});
