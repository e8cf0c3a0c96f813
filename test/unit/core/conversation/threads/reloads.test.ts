import assert from 'node:assert/strict';
import {
  ChatWindow,
  idsIn,
  openChat,
  ShownThread,
  threadOf,
} from '../../../../support/conversation/shownThread';
import { remembered, TestWorkspace } from '../../../../support/conversation/testWorkspace';

const minute = 60_000;

describe('a chat thread after a reload', () => {
  it('M13: a reload keeps all that the panel still shows', async () => {
    const { chat, workspace, window } = await openChat();
    const thread = await threadOf(chat, 's', 'a', 'b');
    window.kill();
    const after = await openChat(workspace);
    assert.deepEqual((await after.chat.ask(thread, 'c')).sent, ['a', 'b']);
  });

  it('M13: turns that VS Code lost in a quick reload stay, then and for good', async () => {
    const { chat, workspace, window } = await openChat();
    const thread = await threadOf(chat, 's', 'a', 'b', 'c');
    thread.cutFrom('b');
    window.kill();
    const after = await openChat(workspace);
    assert.deepEqual((await after.chat.ask(thread, 'd')).sent, ['a', 'b', 'c']);
    assert.deepEqual((await after.chat.ask(thread, 'e')).sent, ['a', 'b', 'c', 'd']);
    workspace.now += 10 * minute;
    after.window.kill();
    const later = await openChat(workspace);
    assert.deepEqual((await later.chat.ask(thread, 'f')).sent, ['a', 'b', 'c', 'd', 'e']);
    assert.deepEqual(await later.chat.branches(), []);
  });

  it('M13: only a quick reload loses turns: what is missing later was removed', async () => {
    const { chat, workspace, window } = await openChat();
    const thread = await threadOf(chat, 's', 'a', 'b');
    thread.cutFrom('b');
    window.kill();
    workspace.now += minute;
    const after = await openChat(workspace);
    assert.deepEqual((await after.chat.ask(thread, 'c')).sent, ['a']);
  });

  it('M13: what is removed right after a reload before something that is still shown, was removed', async () => {
    const { chat, workspace, window } = await openChat();
    const thread = await threadOf(chat, 's', 'a', 'b', 'c');
    window.kill();
    const after = await openChat(workspace);
    thread.remove('b');
    assert.deepEqual((await after.chat.ask(thread, 'd')).sent, ['a', 'c']);
  });

  it('M13: a Retry right after a quick reload is a Retry', async () => {
    const { chat, workspace, window } = await openChat();
    const thread = await threadOf(chat, 's', 'a', 'b');
    window.kill();
    const after = await openChat(workspace);
    thread.cutFrom('b');
    assert.deepEqual((await after.chat.ask(thread, 'b2', { words: 'question b' })).sent, ['a']);
  });

  it('M13: what vanished in a quick reload and was sent again is there once', async () => {
    const { chat, workspace, window } = await openChat();
    const thread = await threadOf(chat, 's', 'a', 'b', 'c');
    window.kill();
    thread.cutFrom('b');
    const after = await openChat(workspace);
    assert.deepEqual((await after.chat.ask(thread, 'b2', { words: 'question b' })).sent, ['a']);
    assert.deepEqual(
      (await after.chat.branches()).map(idsIn),
      [['a', 'b', 'c']],
      'the archive has the first ones',
    );
  });

  describe('in mid-turn, by a window that takes its time to end', () => {
    /** A reload in the middle of the turn b, which the window before still works at when c is asked in the one after. */
    async function reloaded(shown: 'b is shown' | 'b was not written') {
      const { chat, workspace, window } = await openChat();
      const thread = await threadOf(chat, 's', 'a');
      const running = window.chat.begin({ id: 'b', startedAt: workspace.now, thread: 's', position: 1 });
      const call = { type: 'tool_use', id: 'toolu_1', name: 'read_file', input: {} } as const;
      await running.record([
        { role: 'user', content: 'question b' },
        { role: 'assistant', content: [call] },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: call.id, content: 'text' }] },
      ]);
      workspace.now += 1000;
      const after = await openChat(workspace);
      if (shown === 'b is shown') thread.shown.push({ prompt: 'question b' });
      return { thread, end: () => window.kill(), chat: after.chat };
    }

    it('M8, M13: its turn can be taken back as soon as it is found', async () => {
      const { thread, end, chat } = await reloaded('b is shown');
      assert.deepEqual((await chat.ask(thread, 'c')).sent, ['a']);
      end();
      assert.deepEqual((await chat.ask(thread, 'd')).sent, ['a', 'c']);
      assert.deepEqual(remembered(chat.window.memory), ['a', 'b', 'c', 'd']);
      thread.cutFrom('b');
      await chat.ask(thread, 'e');
      assert.deepEqual(remembered(chat.window.memory), ['a', 'e']);
      assert.deepEqual((await chat.branches()).map(idsIn), [['a', 'b', 'c', 'd']]);
    });

    it('M13: its turn stays when it is not shown because VS Code had not written it', async () => {
      const { thread, end, chat } = await reloaded('b was not written');
      await chat.ask(thread, 'c');
      end();
      await chat.ask(thread, 'd');
      await chat.ask(thread, 'e');
      assert.deepEqual(remembered(chat.window.memory), ['a', 'b', 'c', 'd', 'e']);
    });

    it('M13: its turn goes when it was asked again meanwhile', async () => {
      const { thread, end, chat } = await reloaded('b was not written');
      await chat.ask(thread, 'b2', { words: 'question b' });
      end();
      assert.deepEqual((await chat.ask(thread, 'c')).sent, ['a', 'b2']);
      assert.deepEqual(remembered(chat.window.memory), ['a', 'b', 'c']);
    });
  });

  it('M13: what only a summary tells of is not taken for a Retry of words that nobody knows', async () => {
    const workspace = new TestWorkspace();
    const open = async () => new ChatWindow(workspace, await workspace.reopen({ database: false }));
    const chat = await open();
    const thread = await threadOf(chat, 's', 'a', 'b');
    await chat.compact(thread);
    chat.window.close();
    thread.shown = [];
    assert.deepEqual((await (await open()).ask(thread, 'c')).sent, ['a', 'b']);
  });

  it('M12, M13: a slash command right after a quick reload takes nothing back, whatever its words', async () => {
    const { chat, workspace, window } = await openChat();
    const thread = new ShownThread('s');
    await chat.ask(thread, 'a', { words: '' });
    window.kill();
    thread.shown = [];
    const after = await openChat(workspace);
    await after.chat.compact(thread);
    assert.deepEqual((await after.chat.ask(thread, 'b')).sent, ['a']);
  });
});
