import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { reply, text, toolUse } from '../support/claude/script';
import { withStandIn } from '../support/claude/withStandIn';
import { pointAt } from '../support/hostSettings';
import { modelsAreThere } from '../support/modelsAreThere';
import { typeUnsaved } from '../support/typeUnsaved';
import { until } from '../support/until';

const steps = '# Prices\n\n- [ ] Raise them\n- [ ] Größe prüfen\n';

describe('a plan in VS Code', () => {
  const standIn = withStandIn();

  before(async () => {
    await pointAt(standIn.url);
    await modelsAreThere();
  });
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    // In this kind of host nobody is there to press Undo.
    void vscode.commands.executeCommand('assistant.erasePlans');
  });

  async function ask(message: string): Promise<void> {
    await vscode.commands.executeCommand('workbench.action.chat.open', {
      query: `@assistant ${message}`,
      blockOnResponse: true,
    });
  }
  const newest = () =>
    JSON.stringify(
      (JSON.parse(standIn.journal.messages.at(-1)!.bodyText) as { messages: unknown[] }).messages.at(-1),
    );
  const opened = async () => {
    await until(() => vscode.window.activeTextEditor?.document.uri.scheme === 'assistant-plan');
    return vscode.window.activeTextEditor!;
  };

  it('N2: opens as a text of its own, is edited and saved as any file, and what was saved is sent', async () => {
    standIn.script(
      reply(toolUse('write_plan', { markdown: steps })),
      reply(text('Planned.')),
      reply(text('Yes.')),
    );
    await ask('/plan raise the prices');
    await vscode.commands.executeCommand('assistant.showPlan');
    const editor = await opened();
    assert.deepEqual([editor.document.getText(), editor.document.languageId], [steps, 'markdown']);
    await typeUnsaved(editor, (edit) => edit.insert(new vscode.Position(4, 0), '- [ ] Menü <b>\n'));
    assert.ok(await editor.document.save());
    await ask('and now');
    assert.match(newest(), /They have edited it[^]*Größe prüfen[^]*Menü <b>/);
  });

  it('N2: what was not saved yet goes with a message, too', async () => {
    standIn.script(reply(text('Yes.')));
    await vscode.commands.executeCommand('assistant.showPlan');
    const editor = await opened();
    await typeUnsaved(editor, (edit) => edit.insert(new vscode.Position(5, 0), '- [ ] Unsaved\n'));
    await ask('and now');
    assert.match(newest(), /- \[ \] Unsaved/);
    assert.equal(editor.document.isDirty, false);
  });

  it('N2: one that is too long is not saved, and not cut', async () => {
    await vscode.commands.executeCommand('assistant.showPlan');
    const editor = await opened();
    const before = new TextDecoder().decode(await vscode.workspace.fs.readFile(editor.document.uri));
    const much = new TextEncoder().encode('x'.repeat(200 * 1024));
    await assert.rejects(
      async () => vscode.workspace.fs.writeFile(editor.document.uri, much),
      /204800 characters, and 50000 are the most/,
    );
    const after = new TextDecoder().decode(await vscode.workspace.fs.readFile(editor.document.uri));
    assert.equal(after, before);
  });

  it('N2: each change of it is one that VS Code sees, also where the length stays the same', async () => {
    await vscode.commands.executeCommand('assistant.showPlan');
    const { uri } = (await opened()).document;
    const before = await vscode.workspace.fs.stat(uri);
    const ticked = new TextDecoder().decode(await vscode.workspace.fs.readFile(uri)).replace('[ ]', '[x]');
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(ticked));
    const after = await vscode.workspace.fs.stat(uri);
    assert.ok(after.mtime > before.mtime);
    assert.notEqual(after.size, before.size);
  });

  it('N2: is neither deleted nor renamed as a file', async () => {
    await vscode.commands.executeCommand('assistant.showPlan');
    const { uri } = (await opened()).document;
    await assert.rejects(async () => vscode.workspace.fs.delete(uri));
    await assert.rejects(async () => vscode.workspace.fs.rename(uri, uri.with({ path: '/1/Other.md' })));
    await assert.rejects(async () => vscode.workspace.fs.readFile(uri.with({ path: '/999/Plan.md' })));
  });
});
