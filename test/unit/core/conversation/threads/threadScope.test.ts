import assert from 'node:assert/strict';
import { ChatWindow, openChat, ShownThread, threadOf } from '../../../../support/conversation/shownThread';
import { TestWorkspace } from '../../../../support/conversation/testWorkspace';

describe('chat threads with a conversation for each', () => {
  it('M11: each sends its own', async () => {
    const { chat } = await openChat(undefined, 'thread');
    const one = await threadOf(chat, 's', 'a');
    const two = await threadOf(chat, 't', 'x');
    assert.deepEqual((await chat.ask(one, 'b')).sent, ['a']);
    const { sent, view } = await chat.ask(two, 'y');
    assert.deepEqual([sent, view.conversation, view.continues], [['x'], 'thread-t', undefined]);
  });

  it('M11: the thread’s id is carried by its answers where VS Code has none', async () => {
    const { chat } = await openChat(undefined, 'thread');
    const one = await threadOf(chat, undefined, 'a');
    await threadOf(chat, undefined, 'x');
    assert.deepEqual((await chat.ask(one, 'b')).sent, ['a']);
  });

  it('M13: a fork sends what it shows, and its origin stays as it is', async () => {
    const { chat, window } = await openChat(undefined, 'thread');
    const origin = await threadOf(chat, 's', 'a', 'b', 'c');
    await window.memory.forConversation('thread-s').merge({ early: '1' }, 'a');
    await window.memory.forConversation('thread-s').merge({ late: '2' }, 'c');
    const fork = new ShownThread('t');
    fork.shown = origin.shown.slice(0, 2);
    assert.deepEqual((await chat.ask(fork, 'd')).sent, ['a', 'b']);
    assert.deepEqual(window.memory.forConversation('thread-t').params(), { early: '1' });
    fork.cutFrom('b');
    assert.deepEqual((await chat.ask(fork, 'e')).sent, ['a']);
    assert.deepEqual((await chat.ask(origin, 'f')).sent, ['a', 'b', 'c']);
  });

  it('M11: a changed scope takes along what the thread shows, back and forth', async () => {
    const workspace = new TestWorkspace();
    const window = await workspace.reopen();
    let scope: 'workspace' | 'thread' = 'workspace';
    const chat = new ChatWindow(workspace, window, () => scope);
    const thread = await threadOf(chat, 's', 'a', 'b');
    await threadOf(chat, 'other', 'x');
    scope = 'thread';
    assert.deepEqual((await chat.ask(thread, 'c')).sent, ['a', 'b']);
    scope = 'workspace';
    assert.deepEqual((await chat.ask(thread, 'd')).sent, ['a', 'b', 'x', 'c']);
  });

  it('M20: a fork that is cleared leaves what was cut from the thread it was forked from', async () => {
    const { chat, window } = await openChat(undefined, 'thread');
    const origin = await threadOf(chat, 's', 'a', 'b');
    origin.cutFrom('b');
    await chat.ask(origin, 'c');
    const fork = new ShownThread('t');
    fork.shown = [...origin.shown];
    await chat.ask(fork, 'd');
    await window.memory.forConversation('thread-t').clear();
    const [branch] = await chat.branches();
    assert.equal(branch?.turns.at(-1)?.id, 'b');
  });

  it('M20: what a fork clears or forgets stays in the thread it was forked from, after a reload too', async () => {
    const { chat, window, workspace } = await openChat(undefined, 'thread');
    const origin = await threadOf(chat, 's', 'a', 'b');
    const fork = new ShownThread('t');
    fork.shown = [...origin.shown];
    await chat.ask(fork, 'c');
    await window.memory.forConversation('thread-t').forget({ turns: ['a'] });
    await window.memory.forConversation('thread-t').clear();
    window.kill();
    const after = await openChat(workspace, 'thread');
    assert.deepEqual((await after.chat.ask(origin, 'd')).sent, ['a', 'b']);
  });

  it('M20: what was cleared does not come back from the thread it was forked from', async () => {
    const { chat, window } = await openChat(undefined, 'thread');
    const origin = await threadOf(chat, 's', 'a');
    const fork = new ShownThread('t');
    fork.shown = [...origin.shown];
    await chat.ask(fork, 'b');
    await window.memory.forConversation('thread-t').clear();
    assert.deepEqual((await chat.ask(fork, 'c')).sent, []);
  });

  it('M11: says when the person asks in another thread, also when nothing comes of it', async () => {
    const { chat } = await openChat(undefined, 'thread');
    const one = await threadOf(chat, 's', 'a', 'b');
    await threadOf(chat, 't', 'x');
    await chat.ask(one, 'c', { ending: 'failed' });
    assert.deepEqual(chat.moves, ['thread-s', 'thread-t', 'thread-s']);
  });

  it('M11: outside of a request the conversation used last is meant, else the newest', async () => {
    const { chat, workspace, window } = await openChat(undefined, 'thread');
    assert.equal(chat.threads.current(), 'workspace');
    const one = await threadOf(chat, 's', 'a');
    await threadOf(chat, 't', 'x');
    await chat.ask(one, 'b');
    assert.equal(chat.threads.current(), 'thread-s');
    window.kill();
    const after = await openChat(workspace, 'thread');
    assert.equal(after.chat.threads.current(), 'thread-s');
    await after.window.memory.forConversation('thread-t').setPinned('x', true);
    assert.equal(after.chat.threads.current(), 'thread-s', 'a pin is no use of a conversation');
  });
});
