import assert from 'node:assert/strict';
import {
  createArchive,
  type ConversationArchive,
} from '../../../../../src/core/conversation/archive/archive';
import type { MemoryDatabase } from '../../../../../src/core/conversation/store';
import { UserError } from '../../../../../src/core/errors';
import type { Message } from '../../../../../src/core/messages';
import { createMemoryDatabase } from '../../../../../src/storage/memoryDatabase';
import { Sqlite } from '../../../../../src/storage/sqlite';
import { aConversation, aTurn } from '../../../../support/conversation/stored';
import { remembered, TestWorkspace, type TestWindow } from '../../../../support/conversation/testWorkspace';
import { FailingDisk } from '../../../../support/storage/failingDisk';

describe('switching between conversations', () => {
  let workspace: TestWorkspace;
  let window: TestWindow;
  let archive: ConversationArchive;

  beforeEach(async () => {
    workspace = new TestWorkspace();
    await open();
  });

  async function open(options: Parameters<TestWorkspace['open']>[0] = {}): Promise<void> {
    window = await workspace.reopen(options);
    archive = createArchive(window.memory);
  }

  const ask = (name: string, thread?: string) => {
    workspace.now += 1000;
    return window.chat.saveTurn({ ...workspace.turn(name), ...(thread !== undefined && { thread }) });
  };
  const expire = async () => {
    workspace.now += 3600_000;
    await window.memory.refresh();
  };
  const archivedIds = async () => (await archive.list()).map(({ id }) => id);
  const archivedTurns = async () => {
    const all = await Promise.all((await archivedIds()).map((id) => archive.get(id)));
    return all.map((one) => one?.conversation.turns.map(({ id }) => id));
  };

  it('M20: resuming swaps the present conversation into the archive', async () => {
    await ask('one', 'thread-1');
    await window.chat.setPinned('one', true);
    await archive.startFresh('workspace');
    await ask('two', 'thread-2');
    const [id = ''] = await archivedIds();
    const { resumed, left } = await archive.resume('workspace', id);
    assert.equal(resumed.title, 'question one');
    assert.deepEqual(
      left?.turns.map((turn) => turn.id),
      ['two'],
    );
    assert.deepEqual(remembered(window.memory), ['one']);
    assert.deepEqual(await archivedTurns(), [['two']]);
    const [turn] = window.chat.snapshot()?.turns ?? [];
    assert.deepEqual([turn?.thread, turn?.isPinned], [undefined, true]);
  });

  it('M20: what is resumed expires anew, and no question waits', async () => {
    await ask('one');
    await window.chat.setWaiting({
      param: 'p',
      question: 'Which?',
      turnId: 'one',
      askedAt: workspace.now,
      tries: 1,
      toolUse: { type: 'tool_use', id: 'u', name: 'ask_user', input: {} },
      results: [],
    });
    await archive.startFresh('workspace');
    workspace.now += 100 * 24 * 60 * 60 * 1000;
    await archive.resume('workspace', (await archivedIds())[0] ?? '');
    workspace.now += 1799 * 1000;
    await window.memory.refresh();
    assert.deepEqual(remembered(window.memory), ['one']);
    assert.equal(window.chat.waiting(), undefined);
    workspace.now += 2 * 1000;
    await window.memory.refresh();
    assert.deepEqual(remembered(window.memory), []);
  });

  it('M20: the oldest can be resumed from an archive that is full', async () => {
    workspace.limits = { ...workspace.limits, archiveSize: 2 };
    for (const name of ['one', 'two']) {
      await ask(name);
      await archive.startFresh('workspace');
    }
    await ask('three');
    await archive.resume('workspace', (await archivedIds()).at(-1) ?? '');
    assert.deepEqual(remembered(window.memory), ['one']);
    assert.deepEqual(await archivedTurns(), [['three'], ['two']]);
  });

  it('M3, M20: what the turn limit does not let back stays in the archive', async () => {
    for (const name of ['one', 'two', 'three']) await ask(name);
    await archive.startFresh('workspace');
    workspace.limits = { ...workspace.limits, maxTurns: 2 };
    await archive.resume('workspace', (await archivedIds())[0] ?? '');
    assert.deepEqual(remembered(window.memory), ['two', 'three']);
    assert.deepEqual(await archivedTurns(), [['one', 'two', 'three']]);
  });

  it('M13: a branch can be resumed, and what took its place as well', async () => {
    await ask('one', 't');
    await ask('two', 't');
    await window.chat.rewind(['two']);
    const [branch = ''] = await archivedIds();
    await ask('three', 't');
    await archive.resume('workspace', branch);
    assert.deepEqual(remembered(window.memory), ['one', 'two']);
    await archive.resume('workspace', (await archivedIds())[0] ?? '');
    assert.deepEqual(remembered(window.memory), ['one', 'three']);
    assert.deepEqual(await archivedTurns(), [['one', 'two']]);
  });

  it('M20: an expired conversation goes on before what was said since', async () => {
    await ask('one', 'thread-1');
    await window.chat.merge({ order_id: 'old', city: 'Bonn' });
    await expire();
    await ask('two', 'thread-2');
    await window.chat.merge({ order_id: 'new' });
    const [id = ''] = await archivedIds();
    await archive.continueEnded('workspace', id);
    assert.deepEqual(remembered(window.memory), ['one', 'two']);
    assert.deepEqual(window.chat.params(), { order_id: 'new', city: 'Bonn' });
    assert.deepEqual(
      window.chat.snapshot()?.turns.map(({ thread }) => thread),
      [undefined, 'thread-2'],
    );
    assert.deepEqual(await archivedIds(), []);
    await assert.rejects(archive.continueEnded('workspace', id), UserError);
  });

  it('M20, M24: what was evicted from a conversation comes back with it', async () => {
    workspace.limits = { ...workspace.limits, maxTurns: 1 };
    await ask('one');
    await ask('two');
    const { archivedAs = '' } = await archive.startFresh('workspace');
    await ask('three');
    await archive.resume('workspace', archivedAs);
    const rows = await workspace.rows(
      "SELECT id FROM turns WHERE conversation = 'live/workspace' ORDER BY id",
    );
    assert.deepEqual(
      rows.map(({ id }) => id),
      ['one', 'two'],
    );
  });

  it('M20: resuming what is no longer there changes nothing and says so', async () => {
    await ask('one');
    await assert.rejects(archive.resume('workspace', 'nonsense'), /no longer in the archive/);
    assert.deepEqual(remembered(window.memory), ['one']);
    assert.deepEqual(await archivedIds(), []);
  });

  it('H6: Continue It and Undo of Start Fresh lose no turn that the limit does not let back', async () => {
    workspace.limits = { ...workspace.limits, maxTurns: 10 };
    const old = Array.from({ length: 10 }, (_, index) => `old${index}`);
    for (const name of old) await ask(name);
    await expire();
    for (const name of ['new0', 'new1', 'new2']) await ask(name);
    const [id = ''] = await archivedIds();
    const { remembered: count } = await archive.continueEnded('workspace', id);
    assert.equal(count, 7, 'what is told is what is there');
    assert.deepEqual(remembered(window.memory), [...old.slice(3), 'new0', 'new1', 'new2']);
    assert.deepEqual(await archivedTurns(), [old], 'the archive still has all of them');
  });

  it('H6, M23: what has to be shortened to fit stays whole in the archive', async () => {
    const reading = (name: string): readonly Message[] => [
      { role: 'user', content: `question ${name}` },
      { role: 'assistant', content: [{ type: 'tool_use', id: `u${name}`, name: 'read_file', input: {} }] },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: `u${name}`, content: name.repeat(70_000) }],
      },
      { role: 'assistant', content: 'Read.' },
    ];
    for (const name of ['a', 'b', 'c']) await window.chat.saveTurn(workspace.turn(name, reading(name)));
    const { archivedAs = '' } = await archive.startFresh('workspace');
    for (const name of ['d', 'e']) await window.chat.saveTurn(workspace.turn(name, reading(name)));
    await archive.continueEnded('workspace', archivedAs);
    assert.match(JSON.stringify(window.chat.history()), /shortened to keep memory small/);
    const isWhole = async () =>
      JSON.stringify((await archive.get(archivedAs))?.conversation.turns[0] ?? '').length > 70_000;
    assert.ok(await isWhole());
    await archive.startFresh('workspace');
    assert.ok(await isWhole(), 'also when the shortened one is archived');
  });

  describe('what the cap dropped from a conversation', () => {
    beforeEach(async () => {
      workspace.limits = { ...workspace.limits, maxTurns: 1 };
      for (const name of ['dropped', 'kept']) await ask(name);
    });

    const kept = async () =>
      (await workspace.rows("SELECT conversation FROM turns WHERE id = 'dropped'")).map(
        (row) => row['conversation'],
      );

    it('M27: is still there when the conversation was left and resumed', async () => {
      const { archivedAs = '' } = await archive.startFresh('workspace');
      assert.deepEqual(await kept(), [archivedAs]);
      await ask('other');
      await archive.resume('workspace', archivedAs);
      assert.deepEqual(await kept(), ['live/workspace']);
      await window.chat.clear();
      assert.deepEqual(workspace.filesWith('question dropped'), []);
    });

    it('M26: goes along when another conversation takes its place at once, and is erased with it', async () => {
      const other = aConversation('other', { turns: [aTurn('other')] });
      const { archivedAs = '' } = await archive.bringIn('workspace', other);
      assert.deepEqual(await kept(), [archivedAs]);
      await archive.remove((await archive.get(archivedAs))!);
      assert.deepEqual(workspace.filesWith('question dropped'), []);
    });

    it('M26: goes along when a turn is saved into the expired conversation, and is not erased with the new one', async () => {
      workspace.now += 3600_000;
      await ask('new');
      assert.deepEqual(await kept(), await archivedIds());
      await window.chat.clear();
      assert.deepEqual(await kept(), await archivedIds());
    });
  });

  it('M20: when nothing can be written, the conversation is left in this window, and archived with the next change', async () => {
    const disk = await FailingDisk.of(workspace.file);
    await open({ open: disk.open });
    await ask('one');
    disk.isReadOnly = true;
    await archive.startFresh('workspace');
    assert.deepEqual(remembered(window.memory), []);
    disk.isReadOnly = false;
    await ask('two');
    assert.deepEqual([remembered(window.memory), await archivedTurns()], [['two'], [['one']]]);
    assert.equal(window.problems.length, 1);
  });

  it('M21: what comes in from outside swaps the present conversation into the archive', async () => {
    await ask('one');
    await archive.bringIn('workspace', aConversation('imported', { lastActive: 5, turns: [aTurn('two')] }));
    assert.deepEqual(remembered(window.memory), ['two']);
    assert.deepEqual(await archivedTurns(), [['one']]);
  });

  it('M20: Delete All empties memory and archive, and all that holds words of theirs', async () => {
    await ask('one');
    await archive.startFresh('workspace');
    await ask('two');
    await workspace.rows(
      `INSERT INTO changes (turn, at, kind, place, added, removed, can_be_undone, before, judged, size)
       VALUES ('b', 1, 'edit', '{}', 1, 1, 1, 'a question of before', '', 1)`,
    );
    await workspace.rows("INSERT INTO answers VALUES ('one', 1, 'what was sent with a question')");
    await window.memory.forConversation('another').saveTurn(workspace.turn('three'));
    await window.memory.deleteAll();
    assert.deepEqual([window.memory.conversations(), await archivedIds()], [[], []]);
    assert.deepEqual(workspace.filesWith('question'), []);
  });

  it('M8, M20: a swap is one transaction: killed before or after it, nothing is lost and nothing is there twice', async () => {
    const idOf = async (title: string) => (await archive.list()).find((one) => one.title === title)?.id ?? '';
    const swaps: readonly (() => Promise<unknown>)[] = [
      // The oldest of a full archive: making room must not remove it.
      async () => archive.resume('workspace', await idOf('question zero')),
      async () => archive.continueEnded('workspace', await idOf('question one')),
      () => archive.startFresh('workspace'),
      () => archive.startFresh('workspace', { keepThread: 'thread-2' }),
    ];
    for (const swap of swaps) {
      for (const killed of ['before', 'after'] as const) {
        workspace = new TestWorkspace();
        workspace.limits = { ...workspace.limits, archiveSize: 4 };
        let isDying = false;
        const sqlite = createMemoryDatabase(await Sqlite.open(workspace.file));
        const commit: MemoryDatabase['commit'] = (...args) => {
          if (isDying && killed === 'before') throw new Error('killed');
          const result = sqlite.commit(...args);
          if (isDying) throw new Error('killed');
          return result;
        };
        await open({ open: async () => ({ ...sqlite, commit }) });
        for (const name of ['zero', 'one']) {
          await ask(name);
          await archive.startFresh('workspace');
        }
        await ask('two', 'thread-1');
        await ask('three', 'thread-2');
        isDying = true;
        await assert.rejects(swap(), /killed/);
        window.kill();
        await open();
        const all = [...remembered(window.memory), ...(await archivedTurns()).flat()];
        assert.deepEqual(
          all.toSorted((a, b) => String(a).localeCompare(String(b))),
          ['one', 'three', 'two', 'zero'],
          `killed ${killed}`,
        );
      }
    }
  });
});
