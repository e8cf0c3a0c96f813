import assert from 'node:assert/strict';
import { removedSummaryNotice } from '../../../../src/core/conversation/threads/removedSummary';
import type { Message } from '../../../../src/core/messages';
import { jsonBytes } from '../../../../src/core/text/json';
import { ChatWindow, ShownThread } from '../../../support/conversation/shownThread';
import { exchange, remembered, TestWorkspace } from '../../../support/conversation/testWorkspace';

const long = (id: string, chars: number): readonly Message[] => [
  { role: 'user', content: `question ${id}` },
  { role: 'assistant', content: `answer ${id} ${'y'.repeat(chars)}` },
];

/** A thread in which these were asked, all but the last of them in a summary. */
async function summarizedThread(...turns: readonly (readonly [id: string, chars: number])[]) {
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
    const { workspace, window, thread } = await summarizedThread(['a', 1], ['b', 1], ['c', 1], ['d', 1]);
    window.kill();
    workspace.now += 120_000;
    const reopened = new ChatWindow(workspace, await workspace.reopen());
    thread.cutFrom('c');
    const { sent, view, removedSummary } = await reopened.ask(thread, 'c2');
    assert.deepEqual(sent, ['a', 'b']);
    assert.deepEqual(
      view.cut.map(({ id }) => id),
      ['c', 'd'],
    );
    assert.deepEqual(removedSummary, { back: 2, lost: 0 });
    assert.deepEqual(reopened.window.chat.history().slice(0, 4), [...long('a', 1), ...long('b', 1)]);
    const [branch] = await reopened.branches();
    assert.match(branch?.summary?.text ?? '', /answer c/, 'all of it can be resumed');
  });

  it('M13: stay in the summary while all of them are shown', async () => {
    const { chat, thread, window } = await summarizedThread(['a', 1], ['b', 1], ['c', 1]);
    thread.cutFrom('c');
    const { sent, removedSummary } = await chat.ask(thread, 'c2');
    assert.deepEqual([sent, removedSummary], [['a', 'b'], undefined]);
    assert.equal(window.chat.snapshot()?.summary?.turns, 2);
  });

  it('M13: take the values with them that they remembered', async () => {
    const { chat, thread, window } = await summarizedThread(['a', 1], ['b', 1], ['c', 1]);
    await window.chat.merge({ kept: '1' }, 'a');
    await window.chat.merge({ gone: '2' }, 'b');
    thread.cutFrom('b');
    await chat.ask(thread, 'b2');
    assert.deepEqual(window.chat.params(), { kept: '1' });
  });

  it('M13, M23: come back however long they are, as the database has them', async () => {
    const { chat, thread, window } = await summarizedThread(
      ['a', 60_000],
      ['b', 60_000],
      ['c', 60_000],
      ['d', 1],
    );
    assert.ok(jsonBytes(window.store.get('assistant.memory')) < 3_000, 'only their names go along');
    thread.cutFrom('d');
    thread.remove('a');
    const { sent, removedSummary } = await chat.ask(thread, 'd2');
    assert.deepEqual([sent, removedSummary], [['b', 'c'], { back: 2, lost: 0 }]);
  });

  it('M13, M23: are known by name where there is no database: the summary goes, and that is told', async () => {
    const { thread, window, workspace } = await summarizedThread(['a', 1], ['b', 1], ['c', 1], ['d', 1]);
    window.close();
    const without = await workspace.reopen({ database: false });
    const chat = new ChatWindow(workspace, without);
    assert.deepEqual((await chat.ask(thread, 'e')).sent, ['a', 'b', 'c', 'd'], 'nothing was removed');
    thread.remove('a');
    const { sent, removedSummary } = await chat.ask(thread, 'f');
    assert.deepEqual([sent, removedSummary], [['d', 'e'], { back: 0, lost: 2 }]);
  });

  it('M13: are taken for shown where VS Code lost which turn it shows and their words are not known', async () => {
    const { thread, window, workspace } = await summarizedThread(['a', 1], ['b', 1], ['c', 1]);
    window.close();
    const chat = new ChatWindow(workspace, await workspace.reopen({ database: false }));
    thread.shown = thread.shown.map(({ turnId: _lost, ...shown }) => shown);
    assert.deepEqual((await chat.ask(thread, 'd')).sent, ['a', 'b', 'c']);
  });

  it('M19: come back without the one that is forgotten, so that no words of it are left', async () => {
    const { window, workspace } = await summarizedThread(['a', 1], ['b', 1], ['c', 1]);
    await window.chat.forget({ turns: ['a'] });
    assert.deepEqual(remembered(window.memory), ['b', 'c']);
    await window.memory.refresh();
    assert.doesNotMatch(JSON.stringify(window.store.get('assistant.memory')), /question a/);
    window.kill();
    assert.deepEqual(remembered((await workspace.reopen()).memory), ['b', 'c']);
  });

  it('M24: leave by the summary, and in the end by the rewind', async () => {
    const { chat, thread, workspace } = await summarizedThread(['a', 1], ['b', 1], ['c', 1]);
    thread.cutFrom('b');
    await chat.ask(thread, 'b2');
    const left = await workspace.rows('SELECT turn, reason FROM departures ORDER BY number');
    assert.deepEqual(
      left.map(({ turn, reason }) => `${String(turn)} ${String(reason)}`),
      ['a summary', 'b summary', 'c rewind', 'b rewind'],
    );
  });

  it('M6: another window that learns of the rewind has the same turns', async () => {
    const { chat, thread, window, workspace } = await summarizedThread(['a', 1], ['b', 1], ['c', 1]);
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
    const summarizeIn = (index: 0 | 1, ...ids: readonly string[]) =>
      windows[index].chat.summarize(ids.map((id) => `question ${id}`).join('\n'), ids);
    await Promise.all([summarizeIn(0, 'a', 'b'), summarizeIn(1, 'b', 'c')]);
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
    assert.equal(await one.chat.summarize('about a and b', ['a', 'b']), undefined);
    assert.deepEqual(remembered(one.memory), ['b', 'c']);
  });

  it('M13: what became of the summary is said in one line', () => {
    assert.deepEqual(
      [
        { back: 0, lost: 0 },
        { back: 1, lost: 0 },
        { back: 3, lost: 2 },
        { back: 0, lost: 1 },
      ].map((removedSummary) => removedSummaryNotice(removedSummary)),
      [
        'The summary told of turns that you took back, so it is gone.',
        'The summary told of turns that you took back, so it is gone. The other turn in it is remembered as it was.',
        'The summary told of turns that you took back, so it is gone. The 3 other turns in it are remembered as they were. There was no room to keep 2 turns that were in it.',
        'The summary told of turns that you took back, so it is gone. There was no room to keep 1 turn that was in it.',
      ],
    );
  });
});
