import assert from 'node:assert/strict';
import {
  createArchive,
  type ConversationArchive,
} from '../../../../../src/core/conversation/archive/archive';
import { createSwitching, type Switching } from '../../../../../src/core/conversation/archive/switching';
import type { ConversationHandle } from '../../../../../src/core/conversation/memory/conversationHandle';
import { UserError } from '../../../../../src/core/errors';
import { BreakableTexts } from '../../../../support/conversation/breakableTexts';
import { remembered, TestWorkspace, type TestWindow } from '../../../../support/conversation/testWorkspace';

describe('switching between conversations', () => {
  let workspace: TestWorkspace;
  let folder: BreakableTexts;
  const changes = new BreakableTexts();
  let archive: ConversationArchive;
  let window: TestWindow;
  let switching: Switching;
  let archiveSize: number;
  let isLedgerCleared: boolean;

  beforeEach(async () => {
    workspace = new TestWorkspace();
    folder = new BreakableTexts();
    archiveSize = 20;
    isLedgerCleared = false;
    window = await openWindow();
  });

  async function openWindow(): Promise<TestWindow> {
    const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
    archive = createArchive({ files: folder, size: () => archiveSize, log });
    const opened = await workspace.reopen({
      archive: async (conversation) => void (await archive.put(conversation, { kind: 'ended' })),
    });
    switching = createSwitching({
      memory: opened.memory,
      archive,
      traces: [changes, { clear: async () => void (isLedgerCleared = true) }],
    });
    return opened;
  }

  const ask = (name: string, thread?: string) => {
    workspace.now += 1000;
    return window.chat.saveTurn({ ...workspace.turn(name), ...(thread !== undefined && { thread }) });
  };
  const archivedTurns = async () =>
    (await archive.list()).conversations.map(({ conversation }) => conversation.turns.map(({ id }) => id));
  const archivedIds = async () => (await archive.list()).conversations.map(({ id }) => id);

  it('M20: starting fresh leaves nothing in memory and all of it in the archive', async () => {
    await ask('one');
    await window.chat.merge({ order_id: 'O-1' }, 'one');
    const { left, archivedAs } = await switching.startFresh(window.chat);
    assert.deepEqual([window.chat.history(), window.chat.params()], [[], {}]);
    const [archived] = (await archive.list()).conversations;
    assert.equal(archived?.id, archivedAs);
    assert.equal(archived?.ending.kind, 'left');
    assert.deepEqual(archived?.conversation, left);
    assert.equal(archived?.conversation.params['order_id']?.value, 'O-1');
  });

  it('M20: starting fresh with nothing remembered archives nothing', async () => {
    assert.deepEqual(await switching.startFresh(window.chat), { left: undefined, archivedAs: undefined });
    assert.equal(folder.files.size, 0);
  });

  it('M20: starting fresh archives also the turns that wait to be folded', async () => {
    workspace.limits = { ...workspace.limits, maxTurns: 1, whenFull: 'summarize' };
    await ask('one');
    await ask('two');
    await switching.startFresh(window.chat);
    assert.deepEqual(await archivedTurns(), [['one', 'two']]);
  });

  it('M11: starting fresh from a new thread keeps what was said there', async () => {
    await ask('old', 'thread-1');
    await window.chat.merge({ old_value: 'a', orphan: 'c' }, 'old');
    await window.chat.setSummary('Long before.');
    await ask('new', 'thread-2');
    await window.chat.merge({ new_value: 'b' }, 'new');
    const reasons: string[] = [];
    window.memory.onDidChange((change) => change.kind === 'left' && reasons.push(change.reason));
    await switching.startFresh(window.chat, { keepThread: 'thread-2' });
    assert.deepEqual(reasons, ['fresh'], 'what is counted begins anew, too');
    assert.deepEqual(remembered(window.memory), ['new']);
    assert.deepEqual(window.chat.params(), { new_value: 'b' });
    assert.equal(window.chat.snapshot()?.summary, undefined);
    const [archived] = (await archive.list()).conversations;
    assert.deepEqual(
      archived?.conversation.turns.map(({ id }) => id),
      ['old'],
    );
    assert.equal(archived?.conversation.summary?.text, 'Long before.');
  });

  it('M11, M18: starting fresh from a thread keeps what of it was in the summary, as it was', async () => {
    await ask('old', 'thread-1');
    await ask('first', 'thread-2');
    await window.chat.merge({ first_value: 'b' }, 'first');
    await ask('second', 'thread-2');
    await window.chat.fold('about old and first', ['old', 'first']);
    await switching.startFresh(window.chat, { keepThread: 'thread-2' });
    assert.deepEqual(remembered(window.memory), ['first', 'second']);
    assert.deepEqual(window.chat.params(), { first_value: 'b' });
    assert.deepEqual(await archivedTurns(), [['old']]);

    await window.chat.fold('about first', ['first']);
    await switching.startFresh(window.chat, { keepThread: 'thread-2' });
    assert.equal(window.chat.snapshot()?.summary?.text, 'about first', 'it tells of this thread alone');
  });

  it('M18, M20: what only a summary tells of is archived when it ends, and comes back beside a newer summary', async () => {
    await ask('one', 'thread-1');
    await ask('two', 'thread-1');
    await window.chat.fold('about one', ['one']);
    await window.chat.cut(['two']);
    workspace.now += 3600_000;
    await window.memory.refresh();
    assert.deepEqual(await archivedTurns(), [['one']]);
    await ask('three');
    await ask('four');
    await window.chat.fold('about three', ['three']);
    workspace.now += 3600_000;
    await window.memory.refresh();
    await ask('five');
    await ask('six');
    await window.chat.fold('about five', ['five']);
    const [id = ''] = await archivedIds();
    await switching.continueEnded(window.chat, id);
    assert.equal(window.chat.snapshot()?.summary?.text, 'about three\nabout five');
    assert.deepEqual(remembered(window.memory).slice(1), ['four', 'six']);
  });

  it('M20: resuming swaps the present conversation into the archive', async () => {
    await ask('one', 'thread-1');
    await window.chat.setPinned('one', true);
    await switching.startFresh(window.chat);
    await ask('two', 'thread-2');
    const [id = ''] = await archivedIds();
    const { resumed, left } = await switching.resume(window.chat, id);
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
    await switching.startFresh(window.chat);
    workspace.now += 100 * 24 * 60 * 60 * 1000;
    await switching.resume(window.chat, (await archivedIds())[0] ?? '');
    workspace.now += 1799 * 1000;
    await window.memory.refresh();
    assert.deepEqual(remembered(window.memory), ['one']);
    assert.equal(window.chat.waiting(), undefined);
    workspace.now += 2 * 1000;
    await window.memory.refresh();
    assert.deepEqual(remembered(window.memory), []);
  });

  it('M20: the oldest can be resumed from an archive that is full', async () => {
    archiveSize = 2;
    for (const name of ['one', 'two']) {
      await ask(name);
      await switching.startFresh(window.chat);
    }
    await ask('three');
    await switching.resume(window.chat, (await archivedIds()).at(-1) ?? '');
    assert.deepEqual(remembered(window.memory), ['one']);
    assert.deepEqual(await archivedTurns(), [['three'], ['two']]);
  });

  it('M3, M20: what the turn limit does not let back stays in the archive', async () => {
    for (const name of ['one', 'two', 'three']) await ask(name);
    await switching.startFresh(window.chat);
    workspace.limits = { ...workspace.limits, maxTurns: 2 };
    await switching.resume(window.chat, (await archivedIds())[0] ?? '');
    assert.deepEqual(remembered(window.memory), ['two', 'three']);
    assert.deepEqual(await archivedTurns(), [['one', 'two', 'three']]);
  });

  it('M13: a branch can be resumed, and what took its place as well', async () => {
    await ask('one', 't');
    await ask('two', 't');
    const before = await window.chat.cut(['two']);
    assert.ok(before);
    const branch = (await archive.put(before, { kind: 'branch', firstCut: 'two' })) ?? '';
    await ask('three', 't');
    await switching.resume(window.chat, branch);
    assert.deepEqual(remembered(window.memory), ['one', 'two']);
    await switching.resume(window.chat, (await archivedIds())[0] ?? '');
    assert.deepEqual(remembered(window.memory), ['one', 'three']);
    assert.deepEqual(await archivedTurns(), [['one', 'two']]);
  });

  it('M20: an expired conversation goes on before what was said since', async () => {
    await ask('one', 'thread-1');
    await window.chat.merge({ order_id: 'old', city: 'Bonn' });
    workspace.now += 3600 * 1000;
    await window.memory.refresh();
    await ask('two', 'thread-2');
    await window.chat.merge({ order_id: 'new' });
    const [id = ''] = await archivedIds();
    await switching.continueEnded(window.chat, id);
    assert.deepEqual(remembered(window.memory), ['one', 'two']);
    assert.deepEqual(window.chat.params(), { order_id: 'new', city: 'Bonn' });
    assert.deepEqual(
      window.chat.snapshot()?.turns.map(({ thread }) => thread),
      [undefined, 'thread-2'],
    );
    assert.deepEqual(await archivedIds(), []);
    await assert.rejects(switching.continueEnded(window.chat, id), UserError);
  });

  it('M20: resuming what is no longer there changes nothing and says so', async () => {
    await ask('one');
    await assert.rejects(switching.resume(window.chat, 'nonsense'), /no longer in the archive/);
    assert.deepEqual(remembered(window.memory), ['one']);
    assert.equal(folder.files.size, 0);
  });

  it('M20: when the archive cannot be written, the conversation stays', async () => {
    await ask('one');
    folder.onAccess = () => {
      throw new Error('ENOSPC');
    };
    await assert.rejects(switching.startFresh(window.chat), /ENOSPC/);
    assert.deepEqual(remembered(window.memory), ['one']);
  });

  it('M21: what comes in from outside swaps the present conversation into the archive', async () => {
    await ask('one');
    const imported = { id: 'imported', lastActive: 5, params: {}, waitingRevision: 0 };
    const turn = { ...workspace.turn('two'), order: 5, revision: 1, startedAt: 5, endedAt: 5 };
    await switching.bringIn(window.chat, { ...imported, turns: [turn] });
    assert.deepEqual(remembered(window.memory), ['two']);
    assert.deepEqual(await archivedTurns(), [['one']]);
  });

  it('M20: Delete All empties memory and archive, and all that holds words of theirs', async () => {
    await ask('one');
    changes.files.set('1-call.json', '{}');
    await switching.startFresh(window.chat);
    await ask('two');
    await window.memory.forConversation('another').saveTurn(workspace.turn('three'));
    await switching.deleteAll();
    assert.deepEqual(window.memory.conversations(), []);
    assert.equal(folder.files.size, 0);
    assert.equal(isLedgerCleared, true);
    assert.equal(changes.files.size, 0);
    assert.doesNotMatch(workspace.journals.text, /question/);
  });

  it('M8, M20: a crash at any moment of a swap loses nothing, and what it leaves twice is cleared up', async () => {
    const idOf = async (title: string) =>
      (await archive.list()).conversations.find((one) => one.title === title)?.id ?? '';
    const swaps: readonly (readonly [string, (chat: ConversationHandle) => Promise<unknown>])[] = [
      // The oldest of a full archive: making room must not remove it.
      ['zero', async (chat) => switching.resume(chat, await idOf('question zero'))],
      ['one', async (chat) => switching.continueEnded(chat, await idOf('question one'))],
      ['one', (chat) => switching.startFresh(chat)],
      ['one', (chat) => switching.startFresh(chat, { keepThread: 'thread-2' })],
    ];
    for (const [archived, swap] of swaps) {
      let moments = Number.POSITIVE_INFINITY;
      for (let moment = 1; moment <= moments; moment++) {
        workspace = new TestWorkspace();
        folder = new BreakableTexts();
        archiveSize = 2;
        window = await openWindow();
        for (const name of ['zero', 'one']) {
          await ask(name);
          await switching.startFresh(window.chat);
        }
        await ask('two', 'thread-1');
        await ask('three', 'thread-2');

        let passed = 0;
        const step = () => {
          if (++passed >= moment) throw new Error('killed');
        };
        folder.onAccess = step;
        await swap(crashing(window.chat, step)).then(
          () => (moments = moment),
          (error: unknown) => assert.match(String(error), /killed/),
        );
        folder.onAccess = () => undefined;
        window.kill();
        window = await openWindow();
        const there = new Set([...remembered(window.memory), ...(await archivedTurns()).flat()]);
        for (const name of [archived, 'two', 'three'])
          assert.ok(there.has(name), `${name} at moment ${moment}`);

        // The next time all is archived, each turn is there once.
        archiveSize = 20;
        await switching.startFresh(window.chat);
        const all = (await archivedTurns()).flat();
        assert.equal(new Set(all).size, all.length, `copies after moment ${moment}: ${all.join()}`);
      }
      assert.ok(moments > 5, `only ${moments} moments`);
    }
  });
});

/** The handle of a window that can be killed before and after everything it does. */
function crashing(chat: ConversationHandle, step: () => void): ConversationHandle {
  const around =
    <A extends unknown[], R>(run: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      step();
      const result = await run(...args);
      step();
      return result;
    };
  return {
    ...chat,
    leave: around((...args: Parameters<typeof chat.leave>) => chat.leave(...args)),
    restore: around((...args: Parameters<typeof chat.restore>) => chat.restore(...args)),
    cut: around((...args: Parameters<typeof chat.cut>) => chat.cut(...args)),
    forget: around((...args: Parameters<typeof chat.forget>) => chat.forget(...args)),
    setSummary: around((...args: Parameters<typeof chat.setSummary>) => chat.setSummary(...args)),
  };
}
