import assert from 'node:assert/strict';
import { createArchive } from '../../../../../src/core/conversation/archive/archive';
import { exchange, remembered, TestWorkspace } from '../../../../support/conversation/testWorkspace';

describe('summaries in memory', () => {
  it('M18: turns that are to be summarized wait unseen, and their summary goes first in the history', async () => {
    const workspace = new TestWorkspace();
    workspace.limits = { ...workspace.limits, maxTurns: 2, whenFull: 'summarize' };
    const first = await workspace.reopen();
    for (const id of ['a', 'b', 'c', 'd']) await first.chat.saveTurn(workspace.turn(id));
    first.kill();
    const { chat, memory } = await workspace.reopen();
    assert.deepEqual(
      [remembered(memory), chat.evicted().map(({ id }) => id)],
      [
        ['c', 'd'],
        ['a', 'b'],
      ],
    );
    assert.equal(await chat.summarize('We said a and z.', ['a', 'z']), undefined);
    assert.ok(await chat.summarize('We said a and b.', ['a', 'b']));
    const [summary, answer, ...rest] = chat.history();
    assert.match(JSON.stringify(summary), /We said a and b\./);
    assert.equal(answer?.role, 'assistant');
    assert.deepEqual(rest, [...exchange('c'), ...exchange('d')]);
    assert.deepEqual([chat.snapshot()?.summary?.turns, chat.evicted()], [2, []]);
  });

  it('M18: a summary outlives a kill, is replaced by the next and goes when the person empties it', async () => {
    const workspace = new TestWorkspace();
    const first = await workspace.reopen();
    for (const id of ['a', 'b', 'c']) await first.chat.saveTurn(workspace.turn(id));
    await first.chat.summarize('about a', ['a']);
    await first.chat.summarize('about a and b', ['b'], first.chat.snapshot()?.summary);
    first.kill();
    const { chat, memory } = await workspace.reopen();
    assert.deepEqual([chat.snapshot()?.summary?.text, chat.snapshot()?.summary?.turns], ['about a and b', 2]);
    await chat.setSummary('my own words');
    assert.equal(chat.snapshot()?.summary?.text, 'my own words');
    await chat.setSummary('');
    assert.deepEqual([chat.snapshot()?.summary, remembered(memory)], [undefined, ['c']]);
  });

  it('M18: a summary is taken back with the summary before it, for good', async () => {
    const workspace = new TestWorkspace();
    const first = await workspace.reopen();
    for (const id of ['a', 'b', 'c', 'd']) await first.chat.saveTurn(workspace.turn(id));
    const early = await first.chat.summarize('about a', ['a']);
    const before = first.chat.history();
    const late = await first.chat.summarize('about a to c', ['b', 'c'], early?.summary);
    assert.deepEqual(remembered(first.memory).slice(1), ['d']);
    assert.equal(await first.chat.undoSummary(late!), true);
    assert.deepEqual(first.chat.history(), before);
    assert.equal(await first.chat.undoSummary(late!), false, 'once');
    first.kill();
    const { chat, memory } = await workspace.reopen();
    assert.deepEqual(chat.history(), before);
    const only = await chat.summarize('about b', ['b'], chat.snapshot()?.summary);
    assert.equal(await chat.undoSummary(only!), true);
    await chat.setSummary(undefined);
    const own = await chat.summarize('about b', ['b']);
    assert.equal(await chat.undoSummary(own!), true);
    assert.deepEqual([remembered(memory), chat.snapshot()?.summary], [['b', 'c', 'd'], undefined]);
  });

  it('M18: a summary stays once something was asked, or the summary was changed or erased', async () => {
    const workspace = new TestWorkspace();
    const { chat, memory } = await workspace.reopen();
    const summarized = async () => {
      await chat.clear();
      for (const id of ['a', 'b', 'c']) await chat.saveTurn(workspace.turn(id));
      const done = await chat.summarize('about a', ['a']);
      assert.ok(done);
      return done;
    };
    const asked = await summarized();
    await chat.saveTurn(workspace.turn('d'));
    assert.equal(await chat.undoSummary(asked), false);
    assert.deepEqual(
      [remembered(memory).slice(1), chat.snapshot()?.summary?.text],
      [['b', 'c', 'd'], 'about a'],
    );
    const changed = await summarized();
    await chat.setSummary('my own words');
    assert.equal(await chat.undoSummary(changed), false);
    const erased = await summarized();
    await chat.clear();
    assert.deepEqual([await chat.undoSummary(erased), chat.history()], [false, []]);
    const forgotten = await summarized();
    await chat.forget({ turns: ['b'] });
    assert.deepEqual([await chat.undoSummary(forgotten), remembered(memory)], [true, ['a', 'c']]);
  });

  it('M24: says of every turn that leaves why it does', async () => {
    const workspace = new TestWorkspace();
    workspace.limits = { ...workspace.limits, maxTurns: 6 };
    const { chat, memory } = await workspace.reopen();
    for (const id of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) {
      await chat.saveTurn({ ...workspace.turn(id), tokens: 100 });
    }
    workspace.limits = { ...workspace.limits, tokenBudget: 500 };
    await memory.refresh();
    await chat.rewind(['g']);
    await chat.forget({ turns: ['c'] });
    await chat.summarize('d in short', ['d']);
    await chat.saveTurn(workspace.turn('h', [{ role: 'user', content: 'x'.repeat(300_000) }]));
    await createArchive(memory).startFresh('workspace');
    await chat.saveTurn(workspace.turn('i'));
    workspace.now += 3600_000;
    await memory.refresh();
    await chat.saveTurn(workspace.turn('j'));
    await chat.clear();
    const left = await workspace.rows('SELECT turn, reason FROM departures ORDER BY number');
    assert.deepEqual(
      left.map(({ turn, reason }) => `${String(turn)} ${String(reason)}`),
      [
        'a cap',
        'b budget',
        'g rewind',
        'c forgotten',
        'd summary',
        'e budget',
        'f budget',
        'h fresh',
        'd fresh',
        'i expiry',
        'j cleared',
      ],
    );
  });
});
