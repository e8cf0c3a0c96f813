import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import type { Conversation, Waiting } from '../../../../../src/core/conversation/turn';
import type { Message } from '../../../../../src/core/messages';
import { exchange, remembered, TestWorkspace } from '../../../../support/conversation/testWorkspace';

const image: Message = {
  role: 'user',
  content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }],
};

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

describe('conversation memory', () => {
  it('M1: an unknown conversation has no history', async () => {
    const { memory } = await new TestWorkspace().reopen();
    assert.deepEqual(memory.forConversation('nobody').history(), []);
  });

  it('M1: history is the messages of all turns in order', async () => {
    const workspace = new TestWorkspace();
    const { chat } = await workspace.reopen();
    await chat.saveTurn(workspace.turn('z'));
    await chat.saveTurn(workspace.turn('y'));
    await chat.saveTurn(workspace.turn('x'));
    assert.deepEqual(chat.history(), [...exchange('z'), ...exchange('y'), ...exchange('x')]);
  });

  it('M2: a conversation that nobody continued has ended, with params and question', async () => {
    const workspace = new TestWorkspace();
    const { chat, memory } = await workspace.reopen();
    await chat.saveTurn(workspace.turn('a'));
    await chat.merge({ order: '17' });
    workspace.now += 1800_000;
    assert.deepEqual(chat.history(), exchange('a'));
    workspace.now += 1;
    assert.deepEqual([chat.history(), chat.params(), chat.waiting()], [[], {}, undefined]);
    await memory.refresh();
    workspace.limits = { ...workspace.limits, timeoutSeconds: 0 };
    assert.deepEqual(chat.history(), [], 'what has ended does not come back with a longer timeout');
  });

  it('M20: an expired conversation is handed to the archive, once', async () => {
    const workspace = new TestWorkspace();
    const { chat, memory, archived } = await workspace.reopen();
    await chat.saveTurn(workspace.turn('a'));
    workspace.now += 3600_000;
    await memory.refresh();
    await memory.refresh();
    assert.deepEqual(idsOf(archived), [['a']]);
  });

  it('M20: a conversation is remembered until the archive has it', async () => {
    const workspace = new TestWorkspace();
    const news = new EventEmitter();
    const begun = once(news, 'archiving');
    const window = await workspace.reopen({
      archive: () => {
        news.emit('archiving');
        return new Promise(() => {});
      },
    });
    await window.chat.saveTurn(workspace.turn('a'));
    workspace.now += 3600_000;
    void window.memory.refresh();
    await begun;
    window.kill();
    const { archived } = await workspace.reopen();
    assert.deepEqual(idsOf(archived), [['a']], 'killed in mid-archive: the next window archives it');
  });

  it('M20: a conversation that the archive refuses is set aside', async () => {
    const workspace = new TestWorkspace();
    const { chat, memory, problems } = await workspace.reopen({
      archive: () => Promise.reject(new Error('disk full')),
    });
    await chat.saveTurn(workspace.turn('a'));
    workspace.now += 3600_000;
    await memory.refresh();
    assert.deepEqual([chat.history(), problems.map(({ kind }) => kind)], [[], ['damaged']]);
    assert.match(JSON.stringify(memory.setAside()), /question a/);
  });

  it('M2: a turn saved into an expired conversation begins a new one', async () => {
    const workspace = new TestWorkspace();
    const { chat, memory } = await workspace.reopen();
    await chat.saveTurn(workspace.turn('a'));
    workspace.now += 3600_000;
    await chat.saveTurn(workspace.turn('b'));
    assert.deepEqual(remembered(memory), ['b']);
  });

  it('M2: a param remembered after the expiry does not bring the old turns back', async () => {
    const workspace = new TestWorkspace();
    const { chat, memory } = await workspace.reopen();
    await chat.saveTurn(workspace.turn('a'));
    workspace.now += 3600_000;
    await chat.merge({ order: '17' });
    assert.deepEqual([remembered(memory), chat.params()], [[], { order: '17' }]);
  });

  it('M2: a conversation does not expire under a turn that takes long', async () => {
    const workspace = new TestWorkspace();
    const { chat, memory } = await workspace.reopen();
    await chat.saveTurn(workspace.turn('a'));
    const turn = workspace.turn('b');
    chat.begin(turn);
    workspace.now += 3600_000;
    await memory.refresh();
    await chat.saveTurn(turn);
    assert.deepEqual(remembered(memory), ['a', 'b']);
  });

  it('M2: 0 is never', async () => {
    const workspace = new TestWorkspace();
    workspace.limits = { ...workspace.limits, timeoutSeconds: 0 };
    const { chat } = await workspace.reopen();
    await chat.saveTurn(workspace.turn('a'));
    workspace.now += 10 * 365 * 24 * 3600_000;
    assert.deepEqual(chat.history(), exchange('a'));
  });

  it('F28: a clock set back neither shuffles turns nor makes a conversation eternal', async () => {
    const workspace = new TestWorkspace();
    workspace.limits = { ...workspace.limits, maxTurns: 2 };
    const { chat, memory } = await workspace.reopen();
    await chat.saveTurn(workspace.turn('a'));
    await chat.saveTurn(workspace.turn('b'));
    workspace.now -= 3600_000;
    await chat.saveTurn(workspace.turn('c'));
    assert.deepEqual(remembered(memory), ['b', 'c']);
    assert.ok(chat.snapshot()!.lastActive <= workspace.now);
    workspace.now += 1801_000;
    assert.deepEqual(chat.history(), []);
  });

  it('F28: a clock set forward a day expires the conversation', async () => {
    const workspace = new TestWorkspace();
    const { chat } = await workspace.reopen();
    await chat.saveTurn(workspace.turn('a'));
    workspace.now += 24 * 3600_000;
    assert.deepEqual(chat.history(), []);
  });

  it('M3: at most maxTurns are kept, the oldest dropped first', async () => {
    const workspace = new TestWorkspace();
    workspace.limits = { ...workspace.limits, maxTurns: 3 };
    const { chat, memory } = await workspace.reopen();
    for (const id of ['a', 'b', 'c', 'd', 'e']) await chat.saveTurn(workspace.turn(id));
    assert.deepEqual(remembered(memory), ['c', 'd', 'e']);
  });

  it('M3: a lowered cap holds at the next read, and the stored copy shrinks with it', async () => {
    const workspace = new TestWorkspace();
    const { chat, memory, store } = await workspace.reopen();
    for (const id of ['a', 'b', 'c', 'd']) await chat.saveTurn(workspace.turn(id));
    workspace.limits = { ...workspace.limits, maxTurns: 1 };
    assert.deepEqual(remembered(memory), ['d']);
    await memory.refresh();
    assert.ok(!JSON.stringify(store.get('assistant.memory')).includes('answer c'));
    workspace.limits = { ...workspace.limits, maxTurns: 10 };
    assert.deepEqual(remembered(memory), ['d'], 'what was dropped does not come back with a higher cap');
  });

  it('M3: with eviction half the older half leaves at once', async () => {
    const workspace = new TestWorkspace();
    workspace.limits = { ...workspace.limits, maxTurns: 4, eviction: 'half' };
    const { chat, memory } = await workspace.reopen();
    const counts: number[] = [];
    for (const id of 'abcdefgh') {
      await chat.saveTurn(workspace.turn(id));
      counts.push(remembered(memory).length);
    }
    assert.deepEqual(counts, [1, 2, 3, 4, 3, 4, 3, 4]);
    assert.deepEqual(remembered(memory), ['e', 'f', 'g', 'h']);
  });

  it('M3: a pinned turn is dropped last, and what was just said stays', async () => {
    const workspace = new TestWorkspace();
    workspace.limits = { ...workspace.limits, maxTurns: 2 };
    const { chat, memory } = await workspace.reopen();
    await chat.saveTurn(workspace.turn('a'));
    await chat.setPinned('a', true);
    for (const id of ['b', 'c', 'd']) await chat.saveTurn(workspace.turn(id));
    assert.deepEqual(remembered(memory), ['a', 'd']);
    await chat.setPinned('d', true);
    await chat.saveTurn(workspace.turn('e'));
    assert.deepEqual(remembered(memory), ['d', 'e']);
  });

  it('M4, M5: a saved turn is plain JSON without thinking, with placeholders', async () => {
    const workspace = new TestWorkspace();
    const { chat, store } = await workspace.reopen();
    const answer: Message = {
      role: 'assistant',
      content: [
        { type: 'thinking', thinking: 'secret thought', signature: 'bound' },
        { type: 'text', text: 'a cat', cache_control: { type: 'ephemeral' } },
      ],
    };
    await chat.saveTurn(workspace.turn('a', [image, answer]));
    const expected = [
      { role: 'user', content: [{ type: 'text', text: '[Image sent: photo]' }] },
      { role: 'assistant', content: [{ type: 'text', text: 'a cat' }] },
    ];
    assert.deepEqual(chat.history(), expected);
    assert.doesNotMatch(JSON.stringify(store.get('assistant.memory')), /AAAA|secret thought|ephemeral/);
  });

  it('M6: turns that finish at the same moment are both kept', async () => {
    const workspace = new TestWorkspace();
    const { chat, memory } = await workspace.reopen();
    const ids = ['a', 'b', 'c', 'd'];
    await Promise.all(ids.map((id) => chat.saveTurn(workspace.turn(id))));
    assert.deepEqual(remembered(memory).toSorted(), ids);
  });

  it('M7: a turn with nothing in it leaves memory as it was', async () => {
    const workspace = new TestWorkspace();
    const { chat, store } = await workspace.reopen();
    await chat.saveTurn(workspace.turn('a'));
    const before = store.get('assistant.memory');
    await chat.saveTurn(workspace.turn('b', []));
    await chat.begin(workspace.turn('c')).abandon();
    assert.deepEqual(store.get('assistant.memory'), before);
  });

  it('M15, M16: params and the pending question are kept, with when and where they came from', async () => {
    const workspace = new TestWorkspace();
    const first = await workspace.reopen();
    await first.chat.merge({ order: '17', branch: 'main' }, 'turn-1');
    await first.chat.merge({ branch: 'next' }, 'turn-2');
    await first.chat.forget({ params: ['order'] });
    const waiting = {
      param: 'size',
      question: 'Which size?',
      options: ['S', 'L'],
      turnId: 'turn-2',
      askedAt: workspace.now,
      tries: 1,
      toolUse: { type: 'tool_use' as const, id: 'toolu_1', name: 'ask_user', input: { param: 'size' } },
      results: [{ type: 'tool_result' as const, tool_use_id: 'toolu_0', content: 'done' }],
    };
    await first.chat.setWaiting(waiting);
    first.close();
    const { chat } = await workspace.reopen();
    assert.deepEqual(chat.params(), { branch: 'next' });
    assert.deepEqual(chat.snapshot()?.params['branch']?.turnId, 'turn-2');
    assert.deepEqual(chat.waiting(), waiting);
    await chat.setWaiting(undefined);
    assert.equal(chat.waiting(), undefined);
    const fresh = (await workspace.reopen()).memory.forConversation('fresh');
    await fresh.setWaiting(waiting);
    assert.deepEqual(fresh.waiting(), waiting, 'a question may be the first thing in a conversation');
  });

  it('refuses params that are files in disguise', async () => {
    const { chat } = await new TestWorkspace().reopen();
    await assert.rejects(chat.merge({ file: 'x'.repeat(20_000) }), /short facts/);
    assert.deepEqual(chat.params(), {});
  });

  it('prunes to the last turns, for good', async () => {
    const workspace = new TestWorkspace();
    const first = await workspace.reopen();
    for (const id of ['a', 'b', 'c']) await first.chat.saveTurn(workspace.turn(id));
    await first.chat.prune(0);
    assert.equal(first.chat.history().length, 6);
    await first.chat.prune(2);
    await assert.rejects(first.chat.prune(-1), RangeError);
    first.kill();
    assert.deepEqual(remembered((await workspace.reopen()).memory), ['b', 'c']);
  });

  it('M20: clear erases all, from the files too, and can be undone', async () => {
    const workspace = new TestWorkspace();
    const { chat, memory, store } = await workspace.reopen();
    await chat.saveTurn(workspace.turn('a'));
    await chat.merge({ order: '17' });
    const cleared = await chat.clear();
    assert.deepEqual([chat.history(), chat.params()], [[], {}]);
    assert.doesNotMatch(
      workspace.journals.text + JSON.stringify(store.get('assistant.memory')),
      /question a|17/,
    );
    await chat.restore(cleared!);
    assert.deepEqual([remembered(memory), chat.params()], [['a'], { order: '17' }]);
  });

  it('M20: deleting all leaves no conversation and nothing set aside, anywhere', async () => {
    const workspace = new TestWorkspace();
    const before = workspace.state.openWindow();
    await before.update('assistant.memory', 'a damaged question');
    before.flush();
    const { chat, memory, store } = await workspace.reopen();
    await chat.saveTurn(workspace.turn('a'));
    await memory.forConversation('thread').saveTurn(workspace.turn('b'));
    await memory.deleteAll();
    assert.deepEqual([memory.conversations(), memory.setAside()], [[], []]);
    const left = JSON.stringify(store.keys().map((key) => store.get(key)));
    assert.doesNotMatch(workspace.journals.text + left, /question/);
  });

  it('M13: a rewind takes the turns with what they remembered and asked, and nothing else', async () => {
    const workspace = new TestWorkspace();
    const { chat } = await workspace.reopen();
    for (const id of ['a', 'b', 'c']) {
      await chat.saveTurn({ ...workspace.turn(id), thread: 'one' });
      await chat.merge({ [`from ${id}`]: id }, id);
    }
    await chat.merge({ told: 'by the person' });
    await chat.setWaiting(question('c'));
    const before = await chat.cut(['b', 'c']);
    assert.deepEqual(idsOf([before, chat.snapshot()]), [['a', 'b', 'c'], ['a']]);
    assert.deepEqual(chat.params(), { 'from a': 'a', told: 'by the person' });
    assert.equal(chat.waiting(), undefined);
    assert.equal(before?.waiting?.turnId, 'c');
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
    await after.cut(['b', 'c']);
    assert.deepEqual(after.params(), { order: '1', branch: 'main' });
    await after.cut(['a']);
    assert.deepEqual(after.params(), {});
  });

  it('M13: a rewind brings back the value that was there before several turns replaced it', async () => {
    const workspace = new TestWorkspace();
    const { chat } = await workspace.reopen();
    for (const id of ['a', 'b', 'c', 'd']) {
      await chat.saveTurn({ ...workspace.turn(id), thread: 'one' });
      await chat.merge({ order: id }, id);
    }
    await chat.cut(['c', 'd']);
    assert.deepEqual(chat.params(), { order: 'b' });
    await chat.fold('a and b', ['a', 'b']);
    await chat.cut(['b']);
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
    await ask('b', () => chat.forget({ params: ['size'] }, 'b'));
    await ask('c', async () => {
      await chat.forget({ params: ['order', 'branch'] }, 'c');
      await chat.merge({ branch: 'next' }, 'c');
      await chat.merge({ token: 'y' }, 'c');
    });
    await ask('d', () => chat.merge({ order: '2', size: 'S' }, 'd'));
    await chat.forget({ params: ['token'] });
    assert.deepEqual(chat.params(), { order: '2', branch: 'next', size: 'S' });
    await chat.cut(['d']);
    assert.deepEqual(chat.params(), { branch: 'next' });
    await chat.cut(['c']);
    assert.deepEqual(chat.params(), { order: '1', branch: 'main' }, 'the token was forgotten for good');
    await chat.cut(['b']);
    assert.deepEqual(chat.params(), { order: '1', branch: 'main', size: 'L' });
  });

  it('M8, M13: a rewind brings back what an interrupted turn forgot before its window was killed', async () => {
    const workspace = new TestWorkspace();
    const { chat, kill } = await workspace.reopen();
    await chat.saveTurn(workspace.turn('a'));
    await chat.merge({ order: '1' }, 'a');
    const running = chat.begin({ ...workspace.turn('b'), thread: 'one' });
    await chat.forget({ params: ['order'] }, 'b');
    await running.record([
      { role: 'user', content: 'forget it' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'forget', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'Forgot order.' }] },
    ]);
    kill();
    const { chat: after, memory } = await workspace.reopen();
    assert.deepEqual(after.params(), {});
    assert.deepEqual(remembered(memory).slice(0, 2), ['a', 'forget it']);
    await after.cut(['b']);
    assert.deepEqual(after.params(), { order: '1' });
  });

  it('M13: a rewind leaves the question of another turn', async () => {
    const workspace = new TestWorkspace();
    const { chat } = await workspace.reopen();
    await chat.saveTurn(workspace.turn('a'));
    await chat.saveTurn(workspace.turn('b'));
    await chat.setWaiting(question('a'));
    await chat.cut(['b']);
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

  it('M18: the oldest turns leave when all together cost more than the budget; pinned ones last', async () => {
    const workspace = new TestWorkspace();
    const { chat } = await workspace.reopen();
    for (const id of ['a', 'b', 'c', 'd']) await chat.saveTurn({ ...workspace.turn(id), tokens: 100 });
    await chat.setPinned('a', true);
    workspace.limits = { ...workspace.limits, tokenBudget: 250 };
    assert.deepEqual(idsOf([chat.snapshot()]), [['a', 'd']]);
    workspace.limits = { ...workspace.limits, tokenBudget: 50 };
    assert.deepEqual(idsOf([chat.snapshot()]), [['d']], 'what was just said stays');
  });

  it('M18: turns that are to be folded wait unseen, and their summary goes first in the history', async () => {
    const workspace = new TestWorkspace();
    workspace.limits = { ...workspace.limits, maxTurns: 2, whenFull: 'summarize' };
    const first = await workspace.reopen();
    for (const id of ['a', 'b', 'c', 'd']) await first.chat.saveTurn(workspace.turn(id));
    first.kill();
    const { chat, memory } = await workspace.reopen();
    assert.deepEqual(
      [remembered(memory), chat.leaving().map(({ id }) => id)],
      [
        ['c', 'd'],
        ['a', 'b'],
      ],
    );
    assert.equal(await chat.fold('We said a and z.', ['a', 'z']), undefined);
    assert.ok(await chat.fold('We said a and b.', ['a', 'b']));
    const [summary, answer, ...rest] = chat.history();
    assert.match(JSON.stringify(summary), /We said a and b\./);
    assert.equal(answer?.role, 'assistant');
    assert.deepEqual(rest, [...exchange('c'), ...exchange('d')]);
    assert.deepEqual([chat.snapshot()?.summary?.turns, chat.leaving()], [2, []]);
  });

  it('M18: a summary outlives a kill, is replaced by the next and goes when the person empties it', async () => {
    const workspace = new TestWorkspace();
    const first = await workspace.reopen();
    for (const id of ['a', 'b', 'c']) await first.chat.saveTurn(workspace.turn(id));
    await first.chat.fold('about a', ['a']);
    await first.chat.fold('about a and b', ['b'], first.chat.snapshot()?.summary);
    first.kill();
    const { chat, memory } = await workspace.reopen();
    assert.deepEqual([chat.snapshot()?.summary?.text, chat.snapshot()?.summary?.turns], ['about a and b', 2]);
    await chat.setSummary('my own words');
    assert.equal(chat.snapshot()?.summary?.text, 'my own words');
    await chat.setSummary('');
    assert.deepEqual([chat.snapshot()?.summary, remembered(memory)], [undefined, ['c']]);
  });

  it('M18: a fold is taken back with the summary before it, for good', async () => {
    const workspace = new TestWorkspace();
    const first = await workspace.reopen();
    for (const id of ['a', 'b', 'c', 'd']) await first.chat.saveTurn(workspace.turn(id));
    const early = await first.chat.fold('about a', ['a']);
    const before = first.chat.history();
    const late = await first.chat.fold('about a to c', ['b', 'c'], early?.summary);
    assert.deepEqual(remembered(first.memory).slice(1), ['d']);
    assert.equal(await first.chat.unfold(late!), true);
    assert.deepEqual(first.chat.history(), before);
    assert.equal(await first.chat.unfold(late!), false, 'once');
    first.kill();
    const { chat, memory } = await workspace.reopen();
    assert.deepEqual(chat.history(), before);
    const only = await chat.fold('about b', ['b'], chat.snapshot()?.summary);
    assert.equal(await chat.unfold(only!), true);
    await chat.setSummary(undefined);
    const own = await chat.fold('about b', ['b']);
    assert.equal(await chat.unfold(own!), true);
    assert.deepEqual([remembered(memory), chat.snapshot()?.summary], [['b', 'c', 'd'], undefined]);
  });

  it('M18: a fold stays once something was asked, or the summary was changed or erased', async () => {
    const workspace = new TestWorkspace();
    const { chat, memory } = await workspace.reopen();
    const folded = async () => {
      await chat.clear();
      for (const id of ['a', 'b', 'c']) await chat.saveTurn(workspace.turn(id));
      const fold = await chat.fold('about a', ['a']);
      assert.ok(fold);
      return fold;
    };
    const asked = await folded();
    await chat.saveTurn(workspace.turn('d'));
    assert.equal(await chat.unfold(asked), false);
    assert.deepEqual(
      [remembered(memory).slice(1), chat.snapshot()?.summary?.text],
      [['b', 'c', 'd'], 'about a'],
    );
    const changed = await folded();
    await chat.setSummary('my own words');
    assert.equal(await chat.unfold(changed), false);
    const erased = await folded();
    await chat.clear();
    assert.deepEqual([await chat.unfold(erased), chat.history()], [false, []]);
    const forgotten = await folded();
    await chat.forget({ turns: ['b'] });
    assert.deepEqual([await chat.unfold(forgotten), remembered(memory)], [true, ['a', 'c']]);
  });

  it('M24: says of every turn that leaves why it does', async () => {
    const workspace = new TestWorkspace();
    workspace.limits = { ...workspace.limits, maxTurns: 6 };
    const { chat, memory } = await workspace.reopen();
    const left: string[] = [];
    memory.onDidChange((change) => {
      if (change.kind === 'left') left.push(`${change.turns.map(({ id }) => id).join()} ${change.reason}`);
    });
    for (const id of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) {
      await chat.saveTurn({ ...workspace.turn(id), tokens: 100 });
    }
    workspace.limits = { ...workspace.limits, tokenBudget: 500 };
    await memory.refresh();
    await chat.cut(['g']);
    await chat.forget({ turns: ['c'] });
    await chat.fold('d in short', ['d']);
    await chat.saveTurn(workspace.turn('h', [{ role: 'user', content: 'x'.repeat(300_000) }]));
    await chat.leave();
    await chat.saveTurn(workspace.turn('i'));
    workspace.now += 3600_000;
    await memory.refresh();
    await chat.saveTurn(workspace.turn('j'));
    await chat.clear();
    assert.deepEqual(left, [
      'a cap',
      'b budget',
      'g rewind',
      'c forgotten',
      'd summary',
      'e,f budget',
      'h fresh',
      'i expiry',
      'j cleared',
    ]);
  });

  it('tells listeners of every change, and a failing listener stops nothing', async () => {
    const workspace = new TestWorkspace();
    const { chat, memory } = await workspace.reopen();
    let changes = 0;
    memory.onDidChange(() => {
      throw new Error('a view that fails');
    });
    const subscription = memory.onDidChange(() => changes++);
    await chat.saveTurn(workspace.turn('a'));
    subscription.dispose();
    await chat.saveTurn(workspace.turn('b'));
    assert.equal(changes, 1);
    assert.deepEqual(remembered(memory), ['a', 'b']);
  });

  it('M22: nothing that was said or remembered is ever logged', async () => {
    const workspace = new TestWorkspace();
    const first = await workspace.reopen();
    first.store.failure = new Error('disk full');
    await first.chat.merge({ order: 'value-17' });
    const turn = first.chat.begin(workspace.turn('a'));
    await turn.record(exchange('a'));
    first.kill();
    await workspace.reopen();
    assert.ok(workspace.logged.length > 0);
    assert.doesNotMatch(workspace.logged.join('\n'), /question|answer|value-17/);
  });
});
