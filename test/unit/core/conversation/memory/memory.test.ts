import assert from 'node:assert/strict';
import { StoreError } from '../../../../../src/core/conversation/store';
import { valuesOf } from '../../../../../src/core/conversation/turn';
import type { Message } from '../../../../../src/core/messages';
import { exchange, remembered, TestWorkspace } from '../../../../support/conversation/testWorkspace';

const image: Message = {
  role: 'user',
  content: [{ type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }],
};

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
    const stored = () => ({ ...Object(store.get('assistant.memory')), sequence: 0 });
    const before = stored();
    await chat.saveTurn(workspace.turn('b', []));
    await chat.begin(workspace.turn('c')).abandon();
    assert.deepEqual(stored(), before);
  });

  it('M15, M16: params and the pending question are kept, with when and where they came from', async () => {
    const workspace = new TestWorkspace();
    const first = await workspace.reopen();
    await first.chat.merge({ order: '17', branch: 'main' }, 'turn-1');
    await first.chat.merge({ branch: 'next' }, 'turn-2');
    await first.chat.forget({ params: ['order'] });
    await first.chat.saveTurn(workspace.turn('turn-2'));
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
    assert.equal(valuesOf(chat.snapshot()!).get('branch')?.turnId, 'turn-2');
    assert.deepEqual(chat.waiting(), waiting);
    await chat.setWaiting(undefined);
    assert.equal(chat.waiting(), undefined);
    const fresh = (await workspace.reopen()).memory.forConversation('fresh');
    await fresh.setWaiting(waiting);
    assert.equal(fresh.waiting(), undefined, 'the turn that asks is not there');
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
    assert.doesNotMatch(JSON.stringify(store.get('assistant.memory')), /question a|order/);
    assert.deepEqual([workspace.filesWith('question a'), workspace.filesWith('order')], [[], []]);
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
    assert.doesNotMatch(left, /question/);
    assert.deepEqual(workspace.filesWith('question'), []);
  });

  it('M26: deleting all does not say that it did while the database cannot be opened', async () => {
    const workspace = new TestWorkspace();
    const before = await workspace.reopen();
    await before.chat.saveTurn(workspace.turn('a'));
    before.close();
    const open = async () => {
      throw new StoreError('failed');
    };
    const { memory } = await workspace.reopen({ open });
    await assert.rejects(memory.deleteAll(), StoreError);
    assert.deepEqual(memory.conversations(), []);
  });

  it('M8, M20: a turn that runs while all is deleted is found again whole after a kill', async () => {
    const workspace = new TestWorkspace();
    const { chat, memory, kill } = await workspace.reopen();
    const running = chat.begin(workspace.turn('a'));
    const rounds: Message[] = [
      { role: 'user', content: 'question a' },
      { role: 'assistant', content: [{ type: 'tool_use', id: 't', name: 'read_file', input: {} }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'found' }] },
    ];
    await running.record(rounds);
    await memory.deleteAll();
    await running.record([...rounds, { role: 'assistant', content: 'More.' }]);
    kill();
    assert.deepEqual(remembered((await workspace.reopen()).memory), ['a']);
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
