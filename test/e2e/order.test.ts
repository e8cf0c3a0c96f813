import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Message } from '../../src/core/messages';
import { reply, text, thinking, toolUse } from '../support/claude/script';
import { screenshotInBothThemes } from '../support/window/bothThemes';
import { filesBelow } from '../support/window/filesBelow';
import { withWindow } from '../support/window/withWindow';

const key = 'sk-ant-e2e-order';
const orderId = 'O-12345';

/** One story: each test goes on where the one before it ended. */
describe('checking an order over many turns', () => {
  const { standIn, window } = withWindow({
    key,
    settings: { 'assistant.maxTurns': 4, 'window.autoDetectColorScheme': true },
  });

  const newest = () =>
    JSON.stringify((standIn.journal.messages.at(-1)!.body as { messages: Message[] }).messages.at(-1));

  const screenshots = (name: string) => screenshotInBothThemes(window, name);

  it('M15, M16: asks for the id, uses it, and still knows it ten turns later', async () => {
    const { panel, card } = window;
    standIn.script(
      reply(
        thinking('Which one?'),
        toolUse(
          'ask_user',
          { param: 'order_id', question: 'Which order?', options: ['The last one', 'Another one'] },
          { id: 'toolu_ask' },
        ),
      ),
      reply(
        thinking('Now I can look.'),
        toolUse('remember', { name: 'order_id', value: orderId }),
        toolUse('search_text', { pattern: orderId }, { id: 'toolu_search' }),
      ),
      reply(text('Your order was shipped.')),
      ...Array.from({ length: 9 }, (_, turn) => reply(text(`Answer ${turn}.`))),
      reply(text('It is the one that you told me.')),
    );
    await panel.send('I want to check my order');
    await card.asks('Which order?');
    await screenshots('question-card');
    await card.dismiss();
    await panel.finished();
    await panel.followUp('The last one').waitFor();
    await screenshots('question-options');
    assert.match(await panel.ask(`It's ${orderId}`), /Your order was shipped\./);
    assert.match(newest(), /toolu_search/);
    for (let turn = 0; turn < 9; turn++) assert.equal(await panel.ask(`question ${turn}`), `Answer ${turn}.`);
    await panel.ask('which order was it');
    assert.match(newest(), new RegExp(`order_id: .{1,4}${orderId}`));
    assert.doesNotMatch(standIn.journal.messages.at(-1)!.bodyText, /I want to check my order/);
  });

  it('P4: /memory and /usage show what there is, without values', async () => {
    const { panel } = window;
    const memory = await panel.ask('/memory');
    assert.match(memory, /Remembered: 4 of at most 4 turns/);
    assert.match(memory, /dropped next/);
    assert.match(memory, /order_id\s+••••••/);
    assert.doesNotMatch(memory, new RegExp(orderId));
    await screenshots('memory-command');
    assert.match(await panel.ask('/usage'), /^Sonnet 5\.5 · \$\d[^]*question 6/);
    await screenshots('usage-command');
    assert.equal(standIn.remaining, 0);
  });

  it('M12: /once knows nothing of it and leaves no trace', async () => {
    const { panel } = window;
    standIn.script(reply(text('What order?')));
    const before = await panel.ask('/memory');
    assert.equal(await panel.ask('/once which order was it'), 'What order?');
    assert.doesNotMatch(standIn.journal.messages.at(-1)!.bodyText, new RegExp(`${orderId}|"remember"`));
    const turns = (report: string) => report.match(/question \d|which order/g);
    assert.deepEqual(turns(await panel.ask('/memory')), turns(before));
  });

  it('M22, S7: no log holds a value, and nothing at all holds the key', async () => {
    const data = window.server.dataFolder;
    const logs = filesBelow(join(data, 'data/logs'));
    assert.match(
      logs.map(({ content }) => content).join('\n'),
      /responded conversation=workspace [^\n]*params=\[order_id\]/,
    );
    const holding = (files: typeof logs, secret: string) =>
      files.filter(({ content }) => content.includes(secret)).map(({ path }) => path);
    assert.deepEqual(holding(logs, orderId), []);
    assert.deepEqual(holding(filesBelow(data), key), []);
    const state = await window.page.evaluate(readAllDatabases);
    assert.match(state, /assistant\.memory/);
    assert.equal(state.includes(key), false);
  });
});

/** Runs in the page: all that VS Code has stored there, workspace state included. */
async function readAllDatabases(): Promise<string> {
  const done = <T>(request: IDBRequest<T>) =>
    new Promise<T>((resolve, reject) => {
      request.addEventListener('success', () => resolve(request.result));
      request.addEventListener('error', () => reject(new Error('cannot be read')));
    });
  const texts: string[] = [JSON.stringify(Object.entries(localStorage))];
  for (const { name } of await indexedDB.databases()) {
    const database = await done(indexedDB.open(name ?? ''));
    for (const store of database.objectStoreNames) {
      const objects = database.transaction(store).objectStore(store);
      texts.push(
        JSON.stringify([name, store, await done(objects.getAllKeys()), await done(objects.getAll())]),
      );
    }
    database.close();
  }
  return texts.join('\n');
}
