import assert from 'node:assert/strict';
import type { Conversation, Waiting } from '../../../../../src/core/conversation/turn';
import type { Message } from '../../../../../src/core/messages';
import { remembered, TestWorkspace } from '../../../../support/conversation/testWorkspace';

const toolRound: readonly Message[] = [
  { role: 'user', content: 'look' },
  { role: 'assistant', content: [{ type: 'tool_use', id: 't1', name: 'read_file', input: {} }] },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't1', content: 'text' }] },
];

function question(turnId: string): Waiting {
  const toolUse = { type: 'tool_use', id: 'u1', name: 'ask_user', input: {} } as const;
  return { param: 'size', question: 'Which?', turnId, askedAt: 1, tries: 1, toolUse, results: [] };
}

function idsOf(conversations: readonly (Conversation | undefined)[]): readonly (readonly string[])[] {
  return conversations.map((conversation) => conversation?.turns.map(({ id }) => id) ?? []);
}

describe('a rewind of memory', () => {
  it('M13: a rewind takes the turns with what they remembered and asked, and nothing else', async () => {
    const workspace = new TestWorkspace();
    const { chat, memory } = await workspace.reopen();
    for (const id of ['a', 'b', 'c']) {
      await chat.saveTurn({ ...workspace.turn(id), thread: 'one' });
      await chat.merge({ [`from ${id}`]: id }, id);
    }
    await chat.merge({ told: 'by the person' });
    await chat.setWaiting(question('c'));
    await chat.rewind(['b', 'c']);
    const [branch] = await memory.archived();
    const parked = await memory.archivedConversation(branch!.id);
    assert.deepEqual(idsOf([parked, chat.snapshot()]), [['a', 'b', 'c'], ['a']]);
    assert.deepEqual(branch?.ending, { kind: 'branch', firstCut: 'b' });
    assert.deepEqual(chat.params(), { 'from a': 'a', told: 'by the person' });
    assert.equal(chat.waiting(), undefined);
  });

  it('M13: a rewind brings back the value that its turns replaced, also after a kill', async () => {
    const workspace = new TestWorkspace();
    const { chat, kill } = await workspace.reopen();
    for (const id of ['a', 'b', 'c']) await chat.saveTurn({ ...workspace.turn(id), thread: 'one' });
    await chat.merge({ order: '1', branch: 'main', token: 'x' }, 'a');
    await chat.merge({ order: '2' }, 'b');
    await chat.merge({ order: '3' }, 'b');
    await chat.forget({ params: ['token'] });
    await chat.merge({ branch: 'next', token: 'y' }, 'c');
    kill();
    const { chat: after } = await workspace.reopen();
    await after.rewind(['b', 'c']);
    assert.deepEqual(after.params(), { order: '1', branch: 'main' });
    await after.rewind(['a']);
    assert.deepEqual(after.params(), {});
  });

  it('M13: a rewind brings back the value that was there before several turns replaced it', async () => {
    const workspace = new TestWorkspace();
    const { chat } = await workspace.reopen();
    for (const id of ['a', 'b', 'c', 'd']) {
      await chat.saveTurn({ ...workspace.turn(id), thread: 'one' });
      await chat.merge({ order: id }, id);
    }
    await chat.rewind(['c', 'd']);
    assert.deepEqual(chat.params(), { order: 'b' });
    await chat.summarize('a and b', ['a', 'b']);
    await chat.rewind(['b']);
    assert.deepEqual(chat.params(), { order: 'a' });
  });

  it('M13: a rewind brings back what its turns forgot, and not what turns that stay forgot', async () => {
    const workspace = new TestWorkspace();
    const { chat } = await workspace.reopen();
    const ask = async (id: string, change: () => Promise<void>) => {
      chat.begin(workspace.turn(id));
      await change();
      await chat.saveTurn({ ...workspace.turn(id), thread: 'one' });
    };
    await ask('a', () => chat.merge({ order: '1', branch: 'main', size: 'L', token: 'x' }, 'a'));
    await ask('b', () => chat.forgetValues(['size'], 'b'));
    await ask('c', async () => {
      await chat.forgetValues(['order', 'branch'], 'c');
      await chat.merge({ branch: 'next' }, 'c');
      await chat.merge({ token: 'y' }, 'c');
    });
    await ask('d', () => chat.merge({ order: '2', size: 'S' }, 'd'));
    await chat.forget({ params: ['token'] });
    assert.deepEqual(chat.params(), { order: '2', branch: 'next', size: 'S' });
    await chat.rewind(['d']);
    assert.deepEqual(chat.params(), { branch: 'next' });
    await chat.rewind(['c']);
    assert.deepEqual(chat.params(), { order: '1', branch: 'main' }, 'the token was forgotten for good');
    await chat.rewind(['b']);
    assert.deepEqual(chat.params(), { order: '1', branch: 'main', size: 'L' });
  });

  it('M8, M13: a rewind brings back what an interrupted turn forgot before its window was killed', async () => {
    const workspace = new TestWorkspace();
    const { chat, kill } = await workspace.reopen();
    await chat.saveTurn(workspace.turn('a'));
    await chat.merge({ order: '1' }, 'a');
    const running = chat.begin({ ...workspace.turn('b'), thread: 'one' });
    await chat.forgetValues(['order'], 'b');
    await running.record([
      { role: 'user', content: 'forget it' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'forget', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'Forgot order.' }] },
    ]);
    kill();
    const { chat: after, memory } = await workspace.reopen();
    assert.deepEqual(after.params(), {});
    assert.deepEqual(remembered(memory).slice(0, 2), ['a', 'forget it']);
    await after.rewind(['b']);
    assert.deepEqual(after.params(), { order: '1' });
  });

  it('M13, M20: Clear of a conversation that was rewound to its beginning can be undone, and done again', async () => {
    const workspace = new TestWorkspace();
    const { chat, memory } = await workspace.reopen();
    await chat.saveTurn(workspace.turn('a'));
    await chat.rewind(['a']);
    const erased = await chat.clear();
    assert.deepEqual(await memory.archived(), []);
    await chat.restore(erased!);
    assert.equal((await memory.archived()).length, 1);
    await chat.clear();
    assert.deepEqual(await memory.archived(), []);
  });

  it('M13, M19: Undo of Forget brings a turn, a value and a summary back to what was cut off, too', async () => {
    const workspace = new TestWorkspace();
    const { chat, memory } = await workspace.reopen();
    for (const id of ['a', 'b', 'c']) {
      workspace.now += 1000;
      await chat.saveTurn(workspace.turn(id));
    }
    await chat.merge({ order: '17' }, 'b');
    await chat.summarize('about a', ['a']);
    await chat.rewind(['c']);
    const read = async () =>
      Promise.all((await memory.archived()).map(({ id }) => memory.archivedConversation(id)));
    const [archived, present] = [await read(), chat.snapshot()!];
    const forgetting = [
      () => chat.forget({ turns: ['b'] }),
      () => chat.forget({ params: ['order'] }),
      () => chat.setSummary(undefined),
      async () => (await chat.clear())?.branches ?? [],
    ];
    for (const forget of forgetting) {
      const branches = await forget();
      assert.notDeepEqual(await read(), archived);
      await chat.restore({ conversation: present, branches });
      assert.deepEqual(await read(), archived);
    }
  });

  it('M13: a rewind leaves the question of another turn', async () => {
    const workspace = new TestWorkspace();
    const { chat } = await workspace.reopen();
    await chat.saveTurn(workspace.turn('a'));
    await chat.saveTurn(workspace.turn('b'));
    await chat.setWaiting(question('a'));
    await chat.rewind(['b']);
    assert.equal(chat.waiting()?.turnId, 'a');
  });

  it('M13: the thread of a turn is known after a kill, also of one that was running', async () => {
    const workspace = new TestWorkspace();
    const { chat, kill } = await workspace.reopen();
    await chat.saveTurn({ ...workspace.turn('a'), thread: 'one', tokens: 17 });
    workspace.now++;
    await chat.begin({ id: 'b', startedAt: workspace.now, thread: 'two' }).record(toolRound);
    kill();
    const turns = (await workspace.reopen()).chat.snapshot()?.turns;
    assert.deepEqual(
      turns?.map(({ id, thread, tokens }) => [id, thread, tokens]),
      [
        ['a', 'one', 17],
        ['b', 'two', undefined],
      ],
    );
  });
});
