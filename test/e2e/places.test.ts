import assert from 'node:assert/strict';
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { reply, text, toolUse } from '../support/claude/script';
import { installUnpacked } from '../support/installUnpacked';
import { projectRoot } from '../support/projectPaths';
import type { DrivenWindow } from '../support/window/lastingVsCode';
import { MemoryView } from '../support/window/memoryView';
import { historyOf } from '../support/window/sentMessages';
import { withLastingVsCode } from '../support/window/withWindow';

describe('windows with several folders and with none', () => {
  const { standIn, vscode } = withLastingVsCode();

  before(() =>
    installUnpacked(join(projectRoot, 'test/fixtures/extensions/lost-files'), vscode.extensionsFolder),
  );

  /** Has Claude call a tool, and gives the result that went back. */
  async function resultOf(
    window: DrivenWindow,
    question: string,
    name: string,
    input: object,
  ): Promise<string> {
    standIn.reset();
    standIn.script(reply(toolUse(name, input)), reply(text(`Answer to ${question}`)));
    await window.host.chat(question);
    const { messages } = standIn.journal.messages[1]!.body as { messages: readonly { content: unknown }[] };
    return JSON.stringify(messages.at(-1)?.content);
  }

  async function historySent(window: DrivenWindow, question: string): Promise<readonly string[]> {
    standIn.reset();
    standIn.script(reply(text(`Answer to ${question}`)));
    await window.host.chat(question);
    return historyOf(standIn.journal.messages[0]!);
  }

  it('P9: in a workspace of several folders, tools name the folder, all share one memory, and one that cannot be reached stops nothing', async () => {
    const { root, folder } = vscode.workplace;
    cpSync(folder, join(root, 'second'), { recursive: true });
    writeFileSync(join(root, 'second/only-here.txt'), 'The second folder.\n');
    const workspaceFile = join(root, 'all.code-workspace');
    const folders = [{ name: 'shop', uri: 'lost:/shop' }, { path: folder }, { path: 'second' }];
    writeFileSync(workspaceFile, JSON.stringify({ folders }));
    const window = await vscode.openWindow({ workspaceFile });

    assert.match(await resultOf(window, 'Zero', 'read_file', { path: 'shop/orders.ts' }), /"is_error":true/);
    assert.match(
      await resultOf(window, 'One', 'read_file', { path: 'second/only-here.txt' }),
      /The second folder\./,
    );
    assert.match(await resultOf(window, 'Two', 'read_file', { path: 'sample/src/orders.ts' }), /totalOf/);
    assert.match(
      await resultOf(window, 'Three', 'find_files', { pattern: '**/orders.ts' }),
      /not on a disk here, so that they cannot be searched/,
    );
    const history = await historySent(window, 'Four');
    assert.deepEqual(
      history.filter((line) => line.startsWith('user: ')),
      ['user: Zero', 'user: One', 'user: Two', 'user: Three'],
    );
    await window.page.close();
  });

  describe('a window without a folder', () => {
    let window: DrivenWindow;

    before(async () => {
      window = await vscode.openWindow('no folder');
    });

    it('P9: knows nothing of the others, and view and tools say why', async () => {
      const view = new MemoryView(window.page);
      assert.match(
        await resultOf(window, 'Five', 'read_file', { path: 'a.txt' }),
        /No folder is open in this window, so there are no files\./,
      );
      assert.deepEqual(await historySent(window, 'Six'), ['user: Five', 'assistant: Answer to Five']);
      await window.host.execute('assistant.showMemory');
      await view.pane.getByText('No folder is open, so this memory belongs to no project.').waitFor();
      await view.row('Six').waitFor();
      await window.screenshot('memory-no-folder');
    });

    it('P9, M14, F24: still knows after Reload Window right after the answer', async () => {
      await historySent(window, 'Seven');
      await window.replaceHost(() => {
        // The window goes before it can say that it has done so. Without a folder nothing is written ahead, so that a
        // page that is torn away within 100 ms of an answer would lose it.
        window.host.execute('workbench.action.reloadWindow').catch(() => undefined);
      });
      const history = await historySent(window, 'Eight');
      assert.deepEqual(history.slice(-2), ['user: Seven', 'assistant: Answer to Seven']);
    });
  });
});
