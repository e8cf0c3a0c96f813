import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import * as fc from 'fast-check';
import { findTyped, findTurns } from '../../../src/core/conversation/recall/findTurns';
import { createMemoryDatabase } from '../../../src/storage/memoryDatabase';
import { inMemory, Sqlite } from '../../../src/storage/sqlite';
import { TestWorkspace, type TestWindow } from '../../support/conversation/testWorkspace';
import { writeOlderDatabase } from '../../support/storage/olderDatabase';

async function find(window: TestWindow, text: string): Promise<readonly string[]> {
  const found = await window.memory.search((search) => findTyped(search, text, 10));
  return (found ?? []).map(({ turn }) => turn);
}

describe('the index of what was said', () => {
  it('takes whatever somebody looks for', async () => {
    const { search } = createMemoryDatabase(await Sqlite.open(inMemory));
    const texts = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 60 }),
      fc.stringMatching(/^[\w"'*():^+\-{}. AND OR NOT NEAR]*$/),
    );
    fc.assert(
      fc.property(texts, (text) => {
        findTurns(search, text, { limit: 5, inSight: new Set() });
        findTyped(search, text, 5);
      }),
      { numRuns: 500, seed: 27 },
    );
  });

  it('M23: takes a text without spaces as fast as any other', async () => {
    const workspace = new TestWorkspace();
    const { chat } = await workspace.reopen();
    const texts = ['aB'.repeat(50_000), 'a.'.repeat(50_000), '文'.repeat(100_000), '/a'.repeat(50_000)];
    const start = performance.now();
    for (const [index, text] of texts.entries()) {
      const result = { type: 'tool_result', tool_use_id: 't', content: text } as const;
      await chat.saveTurn(
        workspace.turn(`t${index}`, [
          { role: 'user', content: text },
          { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'x', input: { path: text } }] },
          { role: 'user', content: [result] },
          { role: 'assistant', content: text },
        ]),
      );
    }
    // What grows with the square takes minutes.
    assert.ok(performance.now() - start < 30_000);
  });

  it('M26: still knows its turns after what was erased has been overwritten', async () => {
    const workspace = new TestWorkspace();
    const window = await workspace.reopen();
    for (const id of ['a', 'b', 'c', 'd'])
      await window.chat.saveTurn(workspace.turn(id, [{ role: 'user', content: `zebra ${id}` }]));
    await window.chat.forget({ turns: ['a', 'c'] });
    assert.deepEqual((await find(window, 'zebra')).toSorted(), ['b', 'd']);
    assert.deepEqual(await find(window, 'zebra d'), ['d']);
  });

  it('M10: is made anew where it is damaged, and nothing is lost', async () => {
    const workspace = new TestWorkspace();
    const before = await workspace.reopen();
    await before.chat.saveTurn(workspace.turn('a', [{ role: 'user', content: 'the zebra' }]));
    before.close();
    damageIndex(workspace.file);
    const window = await workspace.reopen();
    assert.deepEqual(await find(window, 'zebra'), ['a']);
    await window.chat.saveTurn(workspace.turn('b', [{ role: 'user', content: 'a second zebra' }]));
    assert.deepEqual((await find(window, 'zebra')).toSorted(), ['a', 'b']);
    assert.deepEqual(window.problems, []);
  });

  it('M10: a turn is saved also where the index is damaged', async () => {
    const workspace = new TestWorkspace();
    const window = await workspace.reopen();
    await window.chat.saveTurn(workspace.turn('a', [{ role: 'user', content: 'the zebra' }]));
    damageIndex(workspace.file);
    await window.chat.saveTurn(workspace.turn('b', [{ role: 'user', content: 'a second zebra' }]));
    assert.deepEqual((await find(window, 'zebra')).toSorted(), ['a', 'b']);
    assert.deepEqual(window.problems, []);
  });

  for (const version of [1, 2] as const) {
    it(`M10: what version ${version} of the database kept is there, and can be found`, async () => {
      const workspace = new TestWorkspace();
      writeOlderDatabase(workspace.file, version);
      const window = await workspace.reopen();
      assert.deepEqual(
        window.chat.snapshot()?.turns.map(({ id }) => id),
        ['a'],
      );
      assert.deepEqual((await find(window, 'question')).toSorted(), ['a', 'b', 'evicted']);
      assert.deepEqual(
        (await window.memory.archived()).map(({ id, turns }) => [id, turns]),
        [['old', 1]],
      );
      assert.deepEqual(window.problems, []);
      await window.chat.saveTurn(workspace.turn('c'));
      assert.deepEqual(await find(window, 'question c'), ['c']);
    });
  }
});

function damageIndex(file: string): void {
  const database = new DatabaseSync(file);
  // Newer versions of Node protect it from being written like this.
  if ('enableDefensive' in database && typeof database.enableDefensive === 'function')
    database.enableDefensive(false);
  database.exec("UPDATE said_data SET block = x'ffffffffffffffffffffffff'");
  database.close();
}
