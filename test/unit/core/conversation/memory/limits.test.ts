import assert from 'node:assert/strict';
import type { Conversation } from '../../../../../src/core/conversation/turn';
import { Sqlite } from '../../../../../src/storage/sqlite';
import { exchange, remembered, TestWorkspace } from '../../../../support/conversation/testWorkspace';

function idsOf(conversations: readonly (Conversation | undefined)[]): readonly (readonly string[])[] {
  return conversations.map((conversation) => conversation?.turns.map(({ id }) => id) ?? []);
}

describe('the limits of memory', () => {
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
    const { chat, memory } = await workspace.reopen();
    await chat.saveTurn(workspace.turn('a'));
    workspace.now += 3600_000;
    await memory.refresh();
    await memory.refresh();
    assert.deepEqual(
      (await memory.archived()).map(({ title }) => title),
      ['question a'],
    );
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

  it('F28, F36: a clock set back neither shuffles turns nor makes a conversation eternal', async () => {
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

  it('F28: a message that came while the clock was a day ahead keeps nothing alive for that long', async () => {
    const workspace = new TestWorkspace();
    const { chat, memory } = await workspace.reopen();
    const { now } = workspace;
    workspace.now += 86_400_000;
    await chat.saveTurn(workspace.turn('a'));
    chat.touch();
    workspace.now = now;
    await memory.refresh();
    assert.deepEqual(remembered(memory), ['a']);
    workspace.now += 1_801_000;
    await memory.refresh();
    assert.deepEqual(remembered(memory), []);
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

  it('M3: with eviction half no pinned turn goes that the cap has room for', async () => {
    const workspace = new TestWorkspace();
    workspace.limits = { ...workspace.limits, maxTurns: 4, eviction: 'half' };
    const { chat, memory } = await workspace.reopen();
    for (const id of ['a', 'b', 'c']) {
      await chat.saveTurn(workspace.turn(id));
      await chat.setPinned(id, true);
    }
    for (const id of ['d', 'e']) await chat.saveTurn(workspace.turn(id));
    assert.deepEqual(remembered(memory), ['a', 'b', 'c', 'e']);
  });

  it('M20: Clear of a conversation that has expired meanwhile leaves it in the archive', async () => {
    const workspace = new TestWorkspace();
    const { chat, memory } = await workspace.reopen();
    await chat.saveTurn(workspace.turn('a'));
    workspace.now += 3600_000;
    assert.equal(await chat.clear(), undefined);
    const [ended] = await memory.archived();
    assert.deepEqual([ended?.ending.kind, ended?.turns], ['ended', 1]);
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

  it('M27: of what the cap drops, the last ten thousand turns stay in the database', async () => {
    const workspace = new TestWorkspace();
    workspace.limits = { ...workspace.limits, maxTurns: 1 };
    const { chat } = await workspace.reopen();
    const sqlite = await Sqlite.open(workspace.file);
    sqlite.run(
      `INSERT INTO turns (conversation, id, state, position, words, turn, changed)
       WITH RECURSIVE older (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM older WHERE n < 10100)
       SELECT 'live/workspace', 'older' || n, 'cap', n, '', '{}', 0 FROM older`,
    );
    sqlite.close();
    for (let index = 0; index < 60; index++) await chat.saveTurn(workspace.turn(`t${index}`));
    const rows = await workspace.rows("SELECT id FROM turns WHERE state = 'cap' ORDER BY position, number");
    assert.ok(rows.length >= 10_000 && rows.length <= 10_050, `${rows.length} rows`);
    assert.equal(rows.at(-1)?.['id'], 't58');
  });
});
