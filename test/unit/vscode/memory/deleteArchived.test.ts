import assert from 'node:assert/strict';
import { createArchive } from '../../../../src/core/conversation/archive/archive';
import { deleteArchived } from '../../../../src/vscode/memory/deleteArchived';
import { BreakableTexts } from '../../../support/conversation/breakableTexts';
import { TestWorkspace } from '../../../support/conversation/testWorkspace';

describe('deleting an archived conversation', () => {
  it('M20, M24: takes its words from the records, but not those of turns that are still there', async () => {
    const workspace = new TestWorkspace();
    const { memory, chat } = await workspace.reopen();
    const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
    const archive = createArchive({ files: new BreakableTexts(), size: () => 20, log });
    await chat.saveTurn(workspace.turn('shared'));
    await chat.saveTurn(workspace.turn('cut'));
    const whole = chat.snapshot();
    assert.ok(whole);
    const id = await archive.put(whole, { kind: 'branch', firstCut: 'cut' });
    await chat.cut(['cut']);
    const archived = await archive.get(id ?? '');
    assert.ok(archived);

    const forgotten: (readonly string[])[] = [];
    const ledger = { forget: async (turns: readonly string[]) => void forgotten.push(turns) };
    const bringBack = await deleteArchived({ memory, archive, ledger }, archived);
    assert.deepEqual(forgotten, [['cut']]);
    assert.deepEqual((await archive.list()).conversations, []);
    await bringBack();
    assert.equal((await archive.list()).conversations[0]?.conversation.turns.length, 2);
  });
});
