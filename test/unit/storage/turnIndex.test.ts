import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import * as fc from 'fast-check';
import { findTyped, findTurns } from '../../../src/core/conversation/recall/findTurns';
import { createMemoryDatabase } from '../../../src/storage/memoryDatabase';
import { inMemory, Sqlite } from '../../../src/storage/sqlite';
import { aTurn } from '../../support/conversation/stored';
import { TestWorkspace, type TestWindow } from '../../support/conversation/testWorkspace';

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

  for (const version of [1, 2]) {
    it(`M10: what version ${version} of the database kept is there, and can be found`, async () => {
      const workspace = new TestWorkspace();
      mkdirSync(workspace.folder, { recursive: true });
      writeOlder(workspace.file, version);
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

/** The tables of before, with a remembered, an evicted and an archived turn. */
function writeOlder(file: string, version: number): void {
  const database = new DatabaseSync(file);
  database.exec(`
    CREATE TABLE sequence (number INTEGER NOT NULL);
    INSERT INTO sequence VALUES (3);
    CREATE TABLE conversations (key TEXT PRIMARY KEY, id TEXT NOT NULL, lineage TEXT NOT NULL,
      last_active REAL NOT NULL, head TEXT NOT NULL, ending TEXT, first_cut TEXT, title TEXT);
    CREATE TABLE turns (conversation TEXT NOT NULL, id TEXT NOT NULL, state TEXT NOT NULL, words TEXT NOT NULL,
      turn TEXT NOT NULL, changed INTEGER NOT NULL, PRIMARY KEY (conversation, id));
    CREATE INDEX turns_by_id ON turns (id);
    CREATE TABLE running (turn TEXT PRIMARY KEY, head TEXT NOT NULL);
    CREATE TABLE rounds (turn TEXT NOT NULL, position INTEGER NOT NULL, message TEXT NOT NULL,
      PRIMARY KEY (turn, position));
    CREATE TABLE answers (turn TEXT NOT NULL, at REAL NOT NULL, record TEXT NOT NULL, PRIMARY KEY (turn, at));
    CREATE TABLE departures (number INTEGER PRIMARY KEY, conversation TEXT NOT NULL, turn TEXT NOT NULL,
      reason TEXT NOT NULL, tokens REAL NOT NULL, at REAL NOT NULL);
    ${version === 1 ? 'CREATE TABLE texts (name TEXT)' : changesOfVersion2};
    INSERT INTO conversations VALUES ('live/workspace', 'workspace', 'one', 999999999, '{}', NULL, NULL, NULL);
    INSERT INTO conversations VALUES ('old', 'workspace', 'two', 1, '{}', 'left', NULL, 'question b');
    PRAGMA user_version = ${version};
  `);
  const insert = database.prepare('INSERT INTO turns VALUES (?, ?, ?, ?, ?, 1)');
  for (const [conversation, id, state] of [
    ['live/workspace', 'a', 'remembered'],
    ['live/workspace', 'evicted', 'cap'],
    ['old', 'b', 'remembered'],
  ] as const)
    insert.run(conversation, id, state, `question ${id}`, JSON.stringify(aTurn(id)));
  insert.run('old', 'unreadable', 'cap', '', '{');
  database.close();
}

const changesOfVersion2 = `CREATE TABLE changes (id INTEGER PRIMARY KEY AUTOINCREMENT, turn TEXT NOT NULL,
  at REAL NOT NULL, kind TEXT NOT NULL, place TEXT NOT NULL, origin TEXT, added INTEGER NOT NULL,
  removed INTEGER NOT NULL, can_be_undone INTEGER NOT NULL, size INTEGER NOT NULL, before TEXT, after TEXT,
  encoding TEXT, judged TEXT NOT NULL); CREATE INDEX changes_by_turn ON changes (turn)`;
