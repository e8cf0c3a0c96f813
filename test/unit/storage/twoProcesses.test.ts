import assert from 'node:assert/strict';
import { createMemory } from '../../../src/core/conversation/memory/memory';
import type { StoredTurn } from '../../../src/core/conversation/turn';
import { createMemoryDatabase } from '../../../src/storage/memoryDatabase';
import { isAlive, thisProcess } from '../../../src/storage/processes';
import { Sqlite } from '../../../src/storage/sqlite';
import { refusal } from '../../support/conversation/accepted';
import { noLimits } from '../../support/conversation/limits';
import { exchange, remembered, TestWorkspace } from '../../support/conversation/testWorkspace';
import { WorkspaceState } from '../../support/conversation/workspaceState';
import { OtherProcess } from '../../support/storage/otherProcess';

/** What a window finds that is opened after all that. */
async function windowOn(file: string) {
  const problems: string[] = [];
  const memory = createMemory({
    store: new WorkspaceState().openWindow(),
    open: async () => createMemoryDatabase(await Sqlite.open(file)),
    clock: () => Date.now(),
    ids: () => 'id',
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    settings: () => noLimits,
    log: { info: () => undefined, warn: () => undefined, error: () => undefined },
    activationId: 'after',
    owner: thisProcess,
    isAlive,
    onProblem: ({ kind }) => problems.push(kind),
  });
  await memory.load();
  return { memory, chat: memory.forConversation('c'), problems };
}

/** All that was acknowledged is there as it ended, all that was recorded is there, be it in memory or evicted by size. */
async function assertNothingIsLost(workspace: TestWorkspace, printed: readonly string[]): Promise<void> {
  assert.deepEqual(
    printed.filter((line) => line.startsWith('problem')),
    [],
  );
  const { chat, problems } = await windowOn(workspace.file);
  const rows = await workspace.rows('SELECT turn FROM turns');
  const turns = rows.map(({ turn }) => JSON.parse(String(turn)) as StoredTurn);
  const finished = new Set(turns.flatMap(({ id, outcome }) => (outcome === 'finished' ? [id] : [])));
  const text = JSON.stringify(turns);
  for (const [kind, id = ''] of printed.map((line) => line.split(' '))) {
    assert.ok(kind === 'acknowledged' ? finished.has(id) : text.includes(`"${id}"`), `${kind} ${id}`);
  }
  assert.equal(refusal(chat.history()), undefined);
  assert.deepEqual(problems, []);
}

describe('two processes on one database', () => {
  it('M8, F23, F35: killed at any of 50 moments, two windows at once lose nothing that was acknowledged or recorded', async () => {
    const workspace = new TestWorkspace();
    const printed: string[] = [];
    for (let round = 0; round < 25; round++) {
      const windows = ['one', 'two'].map((name) => OtherProcess.saving(workspace.file, `${name}${round}`));
      await Promise.all(
        windows.map(async (window, index) => {
          await window.printed(1 + ((round * 3 + index) % 9));
          await window.kill();
          printed.push(...window.lines);
        }),
      );
    }
    assert.ok(printed.length >= 150, `only ${printed.length} lines`);
    await assertNothingIsLost(workspace, printed);
  }).timeout(120_000);

  it('M6, F25: two that write at the same time keep both their turns, in one order', async () => {
    const workspace = new TestWorkspace();
    const windows = ['one', 'two'].map((name) => OtherProcess.saving(workspace.file, name, 15));
    await Promise.all(windows.map((window) => window.ended()));
    const printed = windows.flatMap(({ lines }) => lines);
    assert.equal(printed.filter((line) => line.startsWith('acknowledged')).length, 30);
    await assertNothingIsLost(workspace, printed);
    const { chat } = await windowOn(workspace.file);
    const orders = chat.snapshot()!.turns.map(({ order }) => order);
    assert.deepEqual(
      orders,
      orders.toSorted((a, b) => a - b),
    );
    assert.deepEqual(await workspace.rows('SELECT * FROM running'), []);
  });

  it('M8, F36: the turn of a process that was killed is found again; that of one that lives is left to it', async () => {
    const workspace = new TestWorkspace();
    const [killed, living] = ['one', 'two'].map((name) => OtherProcess.saving(workspace.file, name));
    try {
      await Promise.all([killed!.printed(2), living!.printed(2)]);
      await killed!.kill();
      const { chat, memory } = await windowOn(workspace.file);
      await memory.refresh();
      const { turns } = chat.snapshot()!;
      const interrupted = turns.filter(({ outcome }) => outcome === 'interrupted');
      assert.ok(
        interrupted.every(({ id }) => id.startsWith('one-')),
        JSON.stringify(interrupted.map(({ id }) => id)),
      );
      const last = killed!.lines.at(-1) ?? '';
      // It may have been saved as well, and killed before it could say so.
      if (last.startsWith('recorded')) assert.match(JSON.stringify(turns), new RegExp(last.split(' ')[1]!));
    } finally {
      await living!.kill();
    }
  });

  it('F31: another process holds the database for 5 s: nothing is lost, nothing is told, and the chat goes on', async () => {
    const workspace = new TestWorkspace();
    const { chat, memory, problems, kill } = await workspace.reopen();
    await chat.saveTurn(workspace.turn('a'));
    const other = await OtherProcess.locking(workspace.file, 5_000);
    const before = Date.now();
    let ticks = 0;
    const timer = setInterval(() => ticks++, 20);
    await memory.refresh();
    assert.deepEqual(chat.history(), exchange('a'), 'what is known can be read');
    await chat.saveTurn(workspace.turn('b'));
    clearInterval(timer);
    const waited = Date.now() - before;
    assert.ok(waited > 2_000, `it waited ${waited} ms`);
    assert.ok(ticks > 20, `the window was stuck: ${ticks} ticks in ${waited} ms`);
    assert.deepEqual([remembered(memory), problems], [['a', 'b'], []]);
    await other.ended();
    kill();
    assert.deepEqual(remembered((await workspace.reopen()).memory), ['a', 'b']);
  }).timeout(120_000);

  it('F31: another process holds the database for longer: it is told once, and written with the next change', async () => {
    const workspace = new TestWorkspace();
    const { chat, memory, problems, kill } = await workspace.reopen({ wait: async () => undefined });
    await chat.saveTurn(workspace.turn('a'));
    const other = await OtherProcess.locking(workspace.file, 15_000);
    await chat.saveTurn(workspace.turn('b'));
    assert.deepEqual(
      [remembered(memory), problems.map(({ kind }) => kind)],
      [['a', 'b'], ['database-failed']],
    );
    await other.kill();
    await chat.saveTurn(workspace.turn('c'));
    kill();
    assert.deepEqual(remembered((await workspace.reopen()).memory), ['a', 'b', 'c']);
    assert.equal(problems.length, 1);
  }).timeout(120_000);

  it('F31: a window that opens while another process holds the database waits for it', async () => {
    const workspace = new TestWorkspace();
    const first = await workspace.reopen();
    await first.chat.saveTurn(workspace.turn('a'));
    first.kill();
    const other = await OtherProcess.locking(workspace.file, 2_000);
    const { memory, problems } = await workspace.reopen();
    assert.deepEqual([remembered(memory), problems], [['a'], []]);
    await other.ended();
  });
});
