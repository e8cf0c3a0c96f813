import assert from 'node:assert/strict';
import { createArchive } from '../../../../../src/core/conversation/archive/archive';
import {
  ChatWindow,
  idsIn,
  openChat,
  ShownThread,
  threadOf,
} from '../../../../support/conversation/shownThread';
import { remembered } from '../../../../support/conversation/testWorkspace';

const second = 1000;
const minute = 60 * second;

describe('a chat thread and what is remembered of it', () => {
  it('M13: the next message changes nothing', async () => {
    const { chat } = await openChat();
    const thread = await threadOf(chat, 's', 'a', 'b');
    const { sent, view } = await chat.ask(thread, 'c');
    assert.deepEqual(sent, ['a', 'b']);
    assert.deepEqual([view.cut, view.lost, view.adopted, await chat.branches()], [[], [], [], []]);
  });

  it('M13: Retry removes the retried turn, and all as it was is in the archive', async () => {
    const { chat, window } = await openChat();
    const thread = await threadOf(chat, 's', 'a', 'b');
    thread.cutFrom('b');
    assert.deepEqual((await chat.ask(thread, 'b2', { words: 'question b' })).sent, ['a']);
    assert.deepEqual((await chat.branches()).map(idsIn), [['a', 'b']]);
    const [branch] = await window.memory.archived();
    assert.deepEqual(branch?.ending, { kind: 'branch', firstCut: 'b' });
  });

  it('M13: Retry of the first message of a thread, also when another one begins with the same words', async () => {
    const { chat } = await openChat();
    const words = 'question a';
    const other = new ShownThread('other');
    await chat.ask(other, 'x', { words });
    const thread = await threadOf(chat, 's', 'a');
    thread.cutFrom('a');
    assert.deepEqual((await chat.ask(thread, 'a2', { words })).sent, ['x']);
    assert.deepEqual((await chat.ask(other, 'y', { words })).sent, ['x', 'a2']);
  });

  it('M13: the same words sent again are another turn, and a Retry takes back the last one only', async () => {
    for (const ending of ['answered', 'metadata-lost'] as const) {
      const { chat } = await openChat();
      const thread = new ShownThread('s');
      const same = { words: 'go on', ending };
      await chat.ask(thread, 'a', same);
      assert.deepEqual((await chat.ask(thread, 'b', same)).sent, ['a']);
      assert.deepEqual((await chat.ask(thread, 'c', same)).sent, ['a', 'b']);
      thread.shown.pop();
      assert.deepEqual((await chat.ask(thread, 'c2', same)).sent, ['a', 'b']);
      thread.shown.splice(1);
      assert.deepEqual((await chat.ask(thread, 'b2', same)).sent, ['a']);
    }
  });

  it('M13: what left nothing and lost its name is not taken for the same words sent again', async () => {
    const { chat, workspace, window } = await openChat();
    const thread = new ShownThread('s');
    const words = 'go on';
    await chat.ask(thread, 'a', { words, ending: 'nothing-known' });
    await chat.ask(thread, 'b', { words });
    thread.shown.pop();
    assert.deepEqual((await chat.ask(thread, 'b2', { words })).sent, [], 'a Retry of the second');
    window.close();
    workspace.now += 2 * minute;
    const later = await openChat(workspace);
    assert.deepEqual((await later.chat.ask(thread, 'c')).sent, ['b2']);
    thread.shown.splice(1);
    assert.deepEqual((await later.chat.ask(thread, 'd')).sent, []);
  });

  it('M13: an earlier request edited and sent again removes it and all after it', async () => {
    const { chat } = await openChat();
    const thread = await threadOf(chat, 's', 'a', 'b', 'c');
    thread.cutFrom('b');
    assert.deepEqual((await chat.ask(thread, 'b2')).sent, ['a']);
  });

  it('M13: a turn of before a reload is removed also when the clock was set back since', async () => {
    const { workspace, window, chat } = await openChat();
    const thread = await threadOf(chat, 's', 'a', 'b');
    window.close();
    workspace.now -= 60 * minute;
    const reopened = new ChatWindow(workspace, await workspace.reopen());
    assert.deepEqual((await reopened.ask(thread, 'c')).sent, ['a', 'b']);
    thread.cutFrom('b');
    assert.deepEqual((await reopened.ask(thread, 'b2')).sent, ['a']);
  });

  it('M13: a restored checkpoint and Undo remove turns, also with another thread in between', async () => {
    const { chat } = await openChat();
    const thread = await threadOf(chat, 's', 'a', 'b', 'c');
    thread.cutFrom('c');
    const other = await threadOf(chat, 'other', 'x');
    assert.deepEqual((await chat.ask(other, 'y')).sent, ['a', 'b', 'c', 'x'], 'nobody can know yet');
    assert.deepEqual((await chat.ask(thread, 'd')).sent, ['a', 'b', 'x', 'y']);
  });

  it('M13: a single request deleted in the middle goes alone', async () => {
    const { chat } = await openChat();
    const thread = await threadOf(chat, 's', 'a', 'b', 'c');
    thread.remove('b');
    assert.deepEqual((await chat.ask(thread, 'd')).sent, ['a', 'c']);
  });

  it('M13: a chat that was started over keeps nothing of what it showed', async () => {
    const { chat } = await openChat();
    const thread = await threadOf(chat, 's', 'a', 'b');
    thread.shown = [];
    assert.deepEqual((await chat.ask(thread, 'c')).sent, []);
  });

  it('M13: what cut turns remembered and asked goes with them', async () => {
    const { chat, window } = await openChat();
    const thread = await threadOf(chat, 's', 'a', 'b');
    const toolUse = { type: 'tool_use', id: 'u', name: 'ask_user', input: {} } as const;
    await window.chat.merge({ kept: '1' }, 'a');
    await window.chat.merge({ gone: '2' }, 'b');
    await window.chat.setWaiting({
      ...{ param: 'p', question: 'Which?', turnId: 'b', askedAt: 1, tries: 1 },
      ...{ toolUse, results: [] },
    });
    thread.cutFrom('b');
    await chat.ask(thread, 'c');
    assert.deepEqual([window.chat.params(), window.chat.waiting()], [{ kept: '1' }, undefined]);
  });

  it('M13: a failure, a late cancellation and a lost answer are not taken for a rewind', async () => {
    const { chat } = await openChat();
    const thread = new ShownThread('s');
    await chat.ask(thread, 'a', { ending: 'metadata-lost' });
    await chat.ask(thread, 'b', { ending: 'failed' });
    await chat.ask(thread, 'c', { ending: 'metadata-lost' });
    await chat.ask(thread, 'd', { words: '', ending: 'metadata-lost' });
    assert.deepEqual((await chat.ask(thread, 'e')).sent, ['a', 'c', 'd']);
    thread.cutFrom('c');
    assert.deepEqual((await chat.ask(thread, 'f')).sent, ['a'], 'but removed, it is gone');
  });

  it('M13: a Retry that was stopped before it began asks again, and nothing of the retried turn is kept', async () => {
    const { chat } = await openChat();
    const thread = await threadOf(chat, 's', 'a', 'b');
    thread.cutFrom('b');
    // The person was asked about files that b changed, and stopped there: settled was nothing.
    thread.shown.push({ prompt: 'question b', turnId: 'stopped' });
    assert.deepEqual((await chat.ask(thread, 'c')).sent, ['a']);
  });

  it('M13: a turn that another window added meanwhile was never shown here, so nobody removed it', async () => {
    const { chat, workspace } = await openChat();
    const thread = await threadOf(chat, 's', 'a');
    const copy = new ShownThread('s');
    copy.shown = [...thread.shown];
    const other = await openChat(workspace);
    workspace.now += second;
    await other.chat.ask(copy, 'b');
    assert.deepEqual((await chat.ask(thread, 'c')).sent, ['a', 'b']);
  });

  it('M13: turns of other extensions and of resumed conversations are never cut', async () => {
    const { chat, window, workspace } = await openChat();
    const thread = await threadOf(chat, 's', 'a');
    await window.chat.saveTurn(workspace.turn('api'));
    thread.shown = [];
    assert.deepEqual((await chat.ask(thread, 'b')).sent, ['api']);
  });

  it('M13: a resumed turn that the thread shows is its own again', async () => {
    const { chat, window, workspace } = await openChat();
    const thread = await threadOf(chat, 's', 'a', 'b');
    await window.chat.clear();
    await window.chat.saveTurn(workspace.turn('b'));
    assert.deepEqual((await chat.ask(thread, 'c')).sent, ['b']);
    thread.cutFrom('b');
    assert.deepEqual((await chat.ask(thread, 'd')).sent, []);
  });

  it('M3, M13: what is shown and has left by the cap does not come back, and nothing else goes', async () => {
    const { chat, workspace } = await openChat();
    workspace.limits = { ...workspace.limits, maxTurns: 2 };
    const thread = await threadOf(chat, 's', 'a', 'b', 'c');
    assert.deepEqual((await chat.ask(thread, 'd')).sent, ['b', 'c']);
  });

  it('M13, M18: a removed turn that waits to be summarized does not reach the summary', async () => {
    const { chat, workspace, window } = await openChat();
    workspace.limits = { ...workspace.limits, maxTurns: 2, whenFull: 'summarize' };
    const thread = await threadOf(chat, 's', 'a', 'b', 'c');
    assert.deepEqual(
      window.chat.evicted().map(({ id }) => id),
      ['a'],
    );
    thread.shown = [];
    await chat.ask(thread, 'd');
    assert.deepEqual(window.chat.evicted(), []);
    assert.deepEqual((await chat.branches()).map(idsIn), [['a', 'b', 'c']]);
  });

  it('M11: the first answer of a new thread says what it continues; later ones do not', async () => {
    const { chat, workspace } = await openChat();
    await threadOf(chat, 's', 'a', 'b');
    workspace.now += 12 * minute;
    const thread = new ShownThread('t');
    const { view, sent } = await chat.ask(thread, 'c');
    assert.deepEqual(sent, ['a', 'b']);
    const lastActive = workspace.now - 12 * minute - second;
    assert.deepEqual(view.continues, { turns: 2, lastActive, isFromBefore: false });
    assert.equal((await chat.ask(thread, 'd')).view.continues, undefined);
  });

  it('M11: tells a restarted window from a new chat', async () => {
    const { chat, workspace, window } = await openChat();
    await threadOf(chat, 's', 'a');
    window.kill();
    const after = await openChat(workspace);
    assert.equal((await after.chat.ask(new ShownThread('t'), 'b')).view.continues?.isFromBefore, true);
  });

  it('M2: a message that came in time keeps the conversation, however long the person is asked about files', async () => {
    const { chat, workspace, window } = await openChat();
    const thread = await threadOf(chat, 's', 'a', 'b');
    thread.cutFrom('b');
    workspace.now += 29 * minute;
    const request = { session: 's', prompt: 'question b', isAside: false, shown: thread.shown };
    const view = await chat.threads.look(request);
    workspace.now += 5 * minute;
    await chat.threads.settle(view);
    assert.deepEqual(remembered(window.memory), ['a']);
    const kinds = (await window.memory.archived()).map(({ ending }) => ending.kind);
    assert.deepEqual(kinds, ['branch'], 'nothing has expired');
  });

  it('M20: the first answer after an expiry knows what ended, once', async () => {
    const { chat, workspace } = await openChat();
    const thread = await threadOf(chat, 's', 'a', 'b');
    const endedAt = workspace.now + 30 * minute;
    workspace.now += 40 * minute;
    const { ended } = (await chat.ask(thread, 'c', { ending: 'failed' })).view;
    assert.deepEqual([ended?.turns, ended?.endedAt], [2, endedAt]);
    assert.equal((await chat.ask(thread, 'd')).view.ended, undefined);
    assert.equal((await chat.ask(thread, 'e')).view.ended, undefined);
  });

  it('M20: so it does where the window that saw it end was closed before anybody asked', async () => {
    const { chat, workspace, window } = await openChat();
    const thread = await threadOf(chat, 's', 'a');
    workspace.now += 40 * minute;
    await window.memory.refresh();
    window.close();
    const { chat: after } = await openChat(workspace);
    assert.equal((await after.ask(thread, 'b')).view.ended?.turns, 1);
    const { chat: beside } = await openChat(workspace);
    assert.equal((await beside.ask(new ShownThread('t'), 'c')).view.ended, undefined, 'it was said already');
  });

  it('M20: an expiry that was told of is not told of again once what came after it is cleared', async () => {
    const { chat, workspace, window } = await openChat();
    const thread = await threadOf(chat, 's', 'a');
    workspace.now += 40 * minute;
    assert.equal((await chat.ask(thread, 'b')).view.ended?.turns, 1);
    window.close();
    const { chat: after, window: reloaded } = await openChat(workspace);
    await after.ask(thread, 'c');
    await reloaded.memory.forConversation('workspace').clear();
    assert.equal((await after.ask(thread, 'd')).view.ended, undefined);
  });

  it('M20: whoever has resumed what expired last is not offered what expired before it', async () => {
    const { chat, workspace, window } = await openChat();
    const thread = await threadOf(chat, 's', 'a');
    workspace.now += 40 * minute;
    await chat.ask(thread, 'b');
    workspace.now += 40 * minute;
    window.close();
    const { chat: after, window: reopened } = await openChat(workspace);
    const [newest] = await reopened.memory.archived();
    assert.ok(newest);
    await createArchive(reopened.memory).resume('workspace', newest.id);
    const { sent, view } = await after.ask(thread, 'c');
    assert.deepEqual([sent, view.ended], [['b'], undefined]);
  });

  it('M20: what another extension saved since is no answer in a chat', async () => {
    const { chat, workspace, window } = await openChat();
    const thread = await threadOf(chat, 's', 'a');
    workspace.now += 40 * minute;
    await window.memory.refresh();
    await window.memory.forConversation('workspace').saveTurn(workspace.turn('x'));
    assert.equal((await chat.ask(thread, 'b')).view.ended?.turns, 1);
  });

  it('M20: what was left is no expiry, nor is what ended in another thread of its own', async () => {
    const { chat, workspace, window } = await openChat();
    const thread = await threadOf(chat, 's', 'a');
    await createArchive(window.memory).startFresh('workspace');
    assert.equal((await chat.ask(thread, 'b')).view.ended, undefined);
    const { chat: own } = await openChat(workspace, 'thread');
    const first = await threadOf(own, 's', 'c');
    workspace.now += 40 * minute;
    assert.equal((await own.ask(new ShownThread('t'), 'd')).view.ended, undefined);
    assert.equal((await own.ask(first, 'e')).view.ended?.turns, 1);
  });
});
