import assert from 'node:assert/strict';
import type { Message } from '../../../../../src/core/messages';
import { refusal } from '../../../../support/conversation/accepted';
import { exchange, remembered, TestWorkspace } from '../../../../support/conversation/testWorkspace';

const round = (id: string): Message[] => [
  { role: 'assistant', content: [{ type: 'tool_use', id, name: 'edit_file', input: { path: id } }] },
  { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content: 'changed' }] },
];
const prompt: Message = { role: 'user', content: 'question a' };
const ending = {
  role: 'assistant',
  content: [
    {
      type: 'text',
      text: '[This turn was interrupted: VS Code stopped before it was finished. What is above was done.]',
    },
  ],
};

describe('crash safety', () => {
  it('M8, F24, F35: a turn is there after a kill before VS Code flushed anything', async () => {
    const workspace = new TestWorkspace();
    const first = await workspace.reopen();
    await first.chat.saveTurn(workspace.turn('a'));
    first.kill();
    const { chat, store } = await workspace.reopen();
    assert.deepEqual(chat.history(), exchange('a'));
    assert.match(JSON.stringify(store.get('assistant.memory')), /answer a/, 'and is stored again');
  });

  it('M8, F35: a turn is on the disk before the state is updated', async () => {
    const workspace = new TestWorkspace();
    const { chat, store } = await workspace.reopen();
    const updates: boolean[] = [];
    const update = store.update.bind(store);
    store.update = (key, value) => {
      updates.push(workspace.filesWith('answer a').length > 0);
      return update(key, value);
    };
    await chat.saveTurn(workspace.turn('a'));
    assert.deepEqual(updates, [true]);
  });

  it('M8, F23: a turn that was running is found again with all its finished rounds', async () => {
    const workspace = new TestWorkspace();
    const first = await workspace.reopen();
    const turn = first.chat.begin(workspace.turn('a'));
    await turn.record([prompt, ...round('one')]);
    await turn.record([prompt, ...round('one'), ...round('two')]);
    first.kill();
    const second = await workspace.reopen();
    assert.deepEqual(second.chat.history(), [prompt, ...round('one'), ...round('two'), ending]);
    assert.equal(second.chat.snapshot()?.turns[0]?.outcome, 'interrupted');
    assert.deepEqual(
      workspace.logged.filter((line) => line.includes('recovered')),
      ['memory: recovered 1 interrupted turn(s)'],
    );
    second.kill();
    assert.equal((await workspace.reopen()).chat.snapshot()?.turns.length, 1);
  });

  it('M8: each round is written once, however many there are', async () => {
    const workspace = new TestWorkspace();
    const { chat } = await workspace.reopen();
    const turn = chat.begin(workspace.turn('a'));
    const messages: Message[] = [prompt];
    for (let number = 0; number < 25; number++) {
      messages.push(...round(`r${number}`));
      await turn.record(structuredClone(messages));
    }
    // A row that is written again has a new number.
    const rows = await workspace.rows('SELECT rowid FROM rounds');
    assert.deepEqual(
      rows.map(({ rowid }) => Number(rowid)),
      Array.from({ length: 51 }, (_, index) => index + 1),
    );
  });

  it('M8: a turn that was finished stays so, whatever else is left of it', async () => {
    const workspace = new TestWorkspace();
    const first = await workspace.reopen();
    await first.chat.saveTurn(workspace.turn('a'));
    await first.chat.begin(workspace.turn('a')).record([prompt, ...round('one')]);
    first.kill();
    const { chat } = await workspace.reopen();
    assert.deepEqual([chat.history(), chat.snapshot()?.turns[0]?.outcome], [exchange('a'), 'finished']);
    assert.deepEqual(await workspace.rows('SELECT * FROM running'), []);
  });

  it('M7: a turn that was killed before any tool returned leaves nothing', async () => {
    const workspace = new TestWorkspace();
    const first = await workspace.reopen();
    await first.chat.begin(workspace.turn('a')).record([prompt, round('one')[0]!]);
    first.kill();
    assert.deepEqual((await workspace.reopen()).chat.history(), []);
    assert.doesNotMatch(workspace.logged.join('\n'), /recovered/);
  });

  it('M7: an abandoned turn is not found again, nor is anything of it', async () => {
    const workspace = new TestWorkspace();
    const first = await workspace.reopen();
    const turn = first.chat.begin(workspace.turn('a'));
    await turn.record([prompt, ...round('one')]);
    await turn.abandon();
    first.kill();
    assert.deepEqual((await workspace.reopen()).chat.history(), []);
    assert.deepEqual(await workspace.rows('SELECT * FROM rounds'), []);
  });

  it('M8: a round that was half done when VS Code died is answered as interrupted', async () => {
    const workspace = new TestWorkspace();
    const first = await workspace.reopen();
    await first.chat.begin(workspace.turn('a')).record([prompt, ...round('one'), round('two')[0]!]);
    first.kill();
    const { chat } = await workspace.reopen();
    assert.equal(refusal(chat.history()), undefined);
    assert.match(JSON.stringify(chat.history().at(-2)), /is_error.*true/);
  });

  it('M6, F25: two windows keep both their turns whoever stores last', async () => {
    const workspace = new TestWorkspace();
    const [one, two] = [await workspace.reopen(), await workspace.reopen()];
    await one.chat.saveTurn(workspace.turn('a'));
    workspace.now += 1;
    await two.chat.saveTurn(workspace.turn('b'));
    workspace.now += 1;
    await one.chat.saveTurn(workspace.turn('c'));
    assert.deepEqual(
      remembered(two.memory),
      ['a', 'b'],
      'until it looks, a window knows what was before its last turn',
    );
    await one.memory.refresh();
    await two.memory.refresh();
    assert.deepEqual(remembered(one.memory), ['a', 'b', 'c']);
    assert.deepEqual(remembered(two.memory), ['a', 'b', 'c']);
    one.close();
    two.close();
    assert.deepEqual(remembered((await workspace.reopen()).memory), ['a', 'b', 'c']);
  });

  it('M2: a window that looks late does not end what another one kept alive', async () => {
    const workspace = new TestWorkspace();
    const [one, two] = [await workspace.reopen(), await workspace.reopen()];
    await one.chat.saveTurn(workspace.turn('a'));
    await two.memory.refresh();
    workspace.now += 1200_000;
    await two.chat.saveTurn(workspace.turn('b'));
    workspace.now += 1200_000;
    one.chat.history();
    await one.memory.refresh();
    await two.memory.refresh();
    assert.deepEqual(remembered(one.memory), ['a', 'b']);
    assert.deepEqual(remembered(two.memory), ['a', 'b']);
  });

  it('M8: a turn that another window is still running is left to it', async () => {
    const workspace = new TestWorkspace();
    const [one, two] = [await workspace.reopen(), await workspace.reopen()];
    const turn = workspace.turn('a');
    await one.chat.begin(turn).record([prompt, ...round('one')]);
    await two.memory.refresh();
    assert.deepEqual(two.chat.history(), []);
    one.kill();
    await two.memory.refresh();
    assert.equal(two.chat.history().length, 4);
  });

  it('a cleared conversation does not come back through another window or a crash', async () => {
    const workspace = new TestWorkspace();
    const [one, two] = [await workspace.reopen(), await workspace.reopen()];
    await one.chat.saveTurn(workspace.turn('a'));
    await two.memory.refresh();
    await two.chat.clear();
    one.store.flush();
    await one.memory.refresh();
    assert.deepEqual(remembered(one.memory), []);
    one.kill();
    two.kill();
    assert.deepEqual(remembered((await workspace.reopen()).memory), []);
  });

  it('what the cap dropped does not come back after a crash with a higher cap', async () => {
    const workspace = new TestWorkspace();
    workspace.limits = { ...workspace.limits, maxTurns: 1 };
    const first = await workspace.reopen();
    await first.chat.saveTurn(workspace.turn('a'));
    await first.chat.saveTurn(workspace.turn('b'));
    first.kill();
    workspace.limits = { ...workspace.limits, maxTurns: 10 };
    assert.deepEqual(remembered((await workspace.reopen()).memory), ['b']);
  });

  it('M10: another window’s long turn keeps the conversation alive, as long as that window lives', async () => {
    const workspace = new TestWorkspace();
    const [one, two] = [await workspace.reopen(), await workspace.reopen()];
    await one.chat.saveTurn(workspace.turn('a'));
    workspace.now += 1000;
    await one.chat.saveTurn(workspace.turn('b'));
    const turn = workspace.turn('c');
    await one.chat.begin(turn).record([prompt]);
    workspace.now += 3600_000;
    await two.memory.refresh();
    assert.deepEqual(remembered(two.memory), ['a', 'b']);
    await one.chat.saveTurn(turn);
    await two.memory.refresh();
    assert.deepEqual(remembered(two.memory), ['a', 'b', 'c']);
    assert.deepEqual(await two.memory.archived(), []);
  });

  it('M10: a long turn whose window died keeps nothing alive', async () => {
    const workspace = new TestWorkspace();
    const [one, two] = [await workspace.reopen(), await workspace.reopen()];
    await one.chat.saveTurn(workspace.turn('a'));
    await one.chat.begin(workspace.turn('c')).record([prompt]);
    one.kill();
    workspace.now += 3600_000;
    await two.memory.refresh();
    await two.memory.refresh();
    assert.deepEqual(remembered(two.memory), []);
    assert.deepEqual(await workspace.rows('SELECT * FROM running'), []);
  });

  it('M8, M20: what is restored in another window survives a crash', async () => {
    const workspace = new TestWorkspace();
    const first = await workspace.reopen();
    await first.chat.saveTurn(workspace.turn('a'));
    const cleared = await first.chat.clear();
    first.close();
    const second = await workspace.reopen();
    workspace.now += 3_000;
    await second.memory.refresh();
    await second.chat.restore(cleared!);
    second.kill();
    assert.deepEqual(remembered((await workspace.reopen()).memory), ['a']);
  });

  it('M8: windows that were opened and never used leave nothing behind', async () => {
    const workspace = new TestWorkspace();
    for (let number = 0; number < 3; number++) (await workspace.reopen()).close();
    const [row] = await workspace.rows('SELECT number FROM sequence');
    assert.equal(row?.['number'], 0);
    assert.equal(workspace.state.bytes, 0);
  });

  it('M14: memory survives an extension host that restarts, before VS Code flushed', async () => {
    const workspace = new TestWorkspace();
    const first = await workspace.reopen();
    await first.chat.saveTurn(workspace.turn('a'));
    first.kill();
    const { memory } = await workspace.reopen({ store: first.store });
    assert.deepEqual(remembered(memory), ['a']);
  });
});
