import assert from 'node:assert/strict';
import { unfoldingNotice } from '../../../../src/core/conversation/threads/unfolding';
import { jsonBytes } from '../../../../src/core/json';
import type { Message } from '../../../../src/core/messages';
import { ChatWindow, ShownThread } from '../../../support/conversation/shownThread';
import { exchange, remembered, TestWorkspace } from '../../../support/conversation/testWorkspace';

const long = (id: string, chars: number): readonly Message[] => [
  { role: 'user', content: `question ${id}` },
  { role: 'assistant', content: `answer ${id} ${'y'.repeat(chars)}` },
];

/** A thread in which these were asked, all but the last of them folded. */
async function foldedThread(...turns: readonly (readonly [id: string, chars: number])[]) {
  const workspace = new TestWorkspace();
  workspace.limits = { ...workspace.limits, maxTurns: 0 };
  const window = await workspace.reopen();
  const chat = new ChatWindow(workspace, window);
  const thread = new ShownThread('s');
  for (const [id, chars] of turns) {
    await chat.ask(thread, id);
    const { messages: _short, ...turn } = window.chat.snapshot()!.turns.at(-1)!;
    await window.chat.saveTurn({ ...turn, messages: long(id, chars) });
  }
  await chat.compact(thread);
  return { workspace, window, chat, thread };
}

describe('turns in a summary', () => {
  it('M13: come back as they were when one of them is taken back, and the summary goes, after a reload too', async () => {
    const { workspace, window, thread } = await foldedThread(['a', 1], ['b', 1], ['c', 1], ['d', 1]);
    window.kill();
    workspace.now += 120_000;
    const reopened = new ChatWindow(workspace, await workspace.reopen());
    thread.cutFrom('c');
    const { sent, view, unfolding } = await reopened.ask(thread, 'c2');
    assert.deepEqual(sent, ['a', 'b']);
    assert.deepEqual(
      view.cut.map(({ id }) => id),
      ['c', 'd'],
    );
    assert.deepEqual(unfolding, { back: 2, lost: 0 });
    assert.deepEqual(reopened.window.chat.history().slice(0, 4), [...long('a', 1), ...long('b', 1)]);
    const [parked] = reopened.parked;
    assert.match(parked?.conversation.summary?.text ?? '', /answer c/, 'all of it can be resumed');
  });

  it('M13: stay in the summary while all of them are shown', async () => {
    const { chat, thread, window } = await foldedThread(['a', 1], ['b', 1], ['c', 1]);
    thread.cutFrom('c');
    const { sent, unfolding } = await chat.ask(thread, 'c2');
    assert.deepEqual([sent, unfolding], [['a', 'b'], undefined]);
    assert.equal(window.chat.snapshot()?.summary?.turns, 2);
  });

  it('M13: take the values with them that they remembered', async () => {
    const { chat, thread, window } = await foldedThread(['a', 1], ['b', 1], ['c', 1]);
    await window.chat.merge({ kept: '1' }, 'a');
    await window.chat.merge({ gone: '2' }, 'b');
    thread.cutFrom('b');
    await chat.ask(thread, 'b2');
    assert.deepEqual(window.chat.params(), { kept: '1' });
  });

  it('M13, M23: are known by name where there is no room for them: the summary goes, and that is told', async () => {
    const { chat, thread, window } = await foldedThread(
      ['a', 30_000],
      ['b', 30_000],
      ['c', 30_000],
      ['d', 1],
      ['e', 1],
    );
    assert.ok(jsonBytes(window.chat.snapshot()?.summary) < 80_000);
    assert.deepEqual((await chat.ask(thread, 'f')).sent, ['a', 'b', 'c', 'd', 'e'], 'nothing was removed');
    thread.cutFrom('d');
    const { sent, unfolding } = await chat.ask(thread, 'd2');
    assert.deepEqual([sent, unfolding], [['b', 'c'], { back: 2, lost: 1 }]);

    const other = await foldedThread(['a', 60_000], ['b', 60_000], ['c', 1]);
    other.thread.remove('a');
    const taken = await other.chat.ask(other.thread, 'd');
    assert.deepEqual([taken.sent, taken.unfolding], [['b', 'c'], { back: 1, lost: 0 }]);
  });

  it('M13: are taken for shown where VS Code lost which turn it shows and their words are not known', async () => {
    const { chat, thread } = await foldedThread(['a', 60_000], ['b', 60_000], ['c', 1]);
    thread.shown = thread.shown.map(({ turnId: _lost, ...shown }) => shown);
    assert.deepEqual((await chat.ask(thread, 'd')).sent, ['a', 'b', 'c']);
  });

  it('M23: make room before any turn has to', async () => {
    const { workspace, window } = await foldedThread(['a', 30_000], ['b', 30_000], ['c', 1]);
    for (const id of ['d', 'e', 'f', 'g']) {
      await window.chat.saveTurn({ ...workspace.turn(id, long(id, 50_000)), thread: 's' });
    }
    await window.memory.refresh();
    assert.deepEqual(remembered(window.memory).slice(1), ['c', 'd', 'e', 'f', 'g']);
    assert.ok(jsonBytes(window.store.get('assistant.memory')) < 256 * 1024);
    const folded = window.chat.snapshot()?.summary?.folded;
    assert.deepEqual(
      folded?.map(({ id, messages }) => [id, messages.length]),
      [
        ['a', 0],
        ['b', 0],
      ],
    );
  });

  it('M19: go when one is forgotten that was folded meanwhile, so that no words of it are left', async () => {
    const { window, workspace } = await foldedThread(['a', 1], ['b', 1], ['c', 1]);
    await window.chat.forget({ turns: ['a'] });
    assert.deepEqual(remembered(window.memory), ['b', 'c']);
    await window.memory.refresh();
    assert.doesNotMatch(JSON.stringify(window.store.get('assistant.memory')), /question a/);
    window.kill();
    assert.deepEqual(remembered((await workspace.reopen()).memory), ['b', 'c']);
  });

  it('M24: leave by the rewind in the end, not by the summary', async () => {
    const { chat, thread, window } = await foldedThread(['a', 1], ['b', 1], ['c', 1]);
    const left: string[] = [];
    window.memory.onDidChange((change) => {
      if (change.kind === 'left') left.push(`${change.turns.map(({ id }) => id).join()} ${change.reason}`);
    });
    thread.cutFrom('b');
    await chat.ask(thread, 'b2');
    assert.deepEqual(left, ['b,c rewind']);
  });

  it('M6: another window that learns of the rewind has the same turns', async () => {
    const { chat, thread, window, workspace } = await foldedThread(['a', 1], ['b', 1], ['c', 1]);
    const other = await workspace.reopen();
    thread.cutFrom('b');
    await chat.ask(thread, 'b2');
    await other.memory.refresh();
    assert.deepEqual(other.chat.history(), window.chat.history());
    assert.deepEqual(other.chat.history(), [...long('a', 1), ...exchange('b2')]);
  });

  it('M6: two windows that summarize at the same time keep all turns, in words of one or as they were', async () => {
    const workspace = new TestWorkspace();
    const windows = [await workspace.reopen(), await workspace.reopen()] as const;
    for (const id of ['a', 'b', 'c', 'd']) await windows[0].chat.saveTurn(workspace.turn(id));
    await windows[1].memory.refresh();
    const foldIn = (index: 0 | 1, ...ids: readonly string[]) =>
      windows[index].chat.fold(ids.map((id) => `question ${id}`).join('\n'), ids);
    await Promise.all([foldIn(0, 'a', 'b'), foldIn(1, 'b', 'c')]);
    const told = (memory: (typeof windows)[number]['memory']) =>
      remembered(memory)
        .flatMap((words) => words.match(/\b[a-d]\b/g) ?? [])
        .toSorted();
    for (const { memory } of windows) await memory.refresh();
    assert.deepEqual(
      windows.map(({ memory }) => told(memory)),
      [
        ['a', 'b', 'c', 'd'],
        ['a', 'b', 'c', 'd'],
      ],
    );
    for (const { kill } of windows) kill();
    assert.deepEqual(told((await workspace.reopen()).memory), ['a', 'b', 'c', 'd']);
  });

  it('M18: a summary that was made while another window forgot a turn of it is not taken', async () => {
    const workspace = new TestWorkspace();
    const [one, other] = [await workspace.reopen(), await workspace.reopen()];
    for (const id of ['a', 'b', 'c']) await one.chat.saveTurn(workspace.turn(id));
    await other.memory.refresh();
    await other.chat.forget({ turns: ['a'] });
    assert.equal(await one.chat.fold('about a and b', ['a', 'b']), undefined);
    assert.deepEqual(remembered(one.memory), ['b', 'c']);
  });

  it('M13: what became of the summary is said in one line', () => {
    assert.deepEqual(
      [
        { back: 0, lost: 0 },
        { back: 1, lost: 0 },
        { back: 3, lost: 2 },
      ].map((unfolding) => unfoldingNotice(unfolding)),
      [
        'The summary told of turns that you took back, so it is gone.',
        'The summary told of turns that you took back, so it is gone. The other turn in it is remembered as it was.',
        'The summary told of turns that you took back, so it is gone. The 3 other turns in it are remembered as they were. There was no room to keep 2 turns that were in it.',
      ],
    );
  });
});
