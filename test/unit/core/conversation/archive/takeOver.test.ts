import assert from 'node:assert/strict';
import { createArchive } from '../../../../../src/core/conversation/archive/archive';
import { takeOver } from '../../../../../src/core/conversation/archive/takeOver';
import { BreakableTexts } from '../../../../support/conversation/breakableTexts';
import { TestWorkspace } from '../../../../support/conversation/testWorkspace';

describe('taking over what another workspace left', () => {
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const emptyArchive = () => createArchive({ files: new BreakableTexts(), size: () => 20, log });
  const titles = async (archive: ReturnType<typeof emptyArchive>) =>
    (await archive.list()).conversations.map(({ title, ending }) => `${title} (${ending.kind})`);

  it('M20: brings its archive, and what its last window wrote ahead', async () => {
    const workspace = new TestWorkspace();
    const old = { archive: emptyArchive(), journal: workspace.journals.open('looker') };
    const window = await workspace.reopen({
      archive: async (ended) => void (await old.archive.put(ended, { kind: 'ended' })),
    });
    await window.chat.saveTurn(workspace.turn('a'));
    workspace.now += 3600_000;
    await window.memory.refresh();
    await window.chat.saveTurn(workspace.turn('b'));
    workspace.now++;
    await window.chat.saveTurn(workspace.turn('c'));
    const cut = await window.chat.cut(['c']);
    if (cut) await old.archive.put(cut, { kind: 'branch', firstCut: 'c' });
    workspace.now++;
    await window.chat.saveTurn(workspace.turn('d'));
    window.close();

    const archive = emptyArchive();
    assert.equal(await takeOver(old, archive), 3);
    assert.deepEqual(await titles(archive), [
      'question b (left)',
      'question c (branch)',
      'question a (ended)',
    ]);
    assert.equal(await takeOver(old, archive), 3, 'twice is once');
  });

  it('brings nothing from a workspace that left nothing', async () => {
    const journal = new TestWorkspace().journals.open('looker');
    assert.equal(await takeOver({ archive: emptyArchive(), journal }, emptyArchive()), 0);
  });
});
