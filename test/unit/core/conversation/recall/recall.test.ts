import assert from 'node:assert/strict';
import { createArchive } from '../../../../../src/core/conversation/archive/archive';
import { findTurns } from '../../../../../src/core/conversation/recall/findTurns';
import { createRecall } from '../../../../../src/core/conversation/recall/recall';
import { searchTurns } from '../../../../../src/core/conversation/recall/searchTurns';
import { StoreError } from '../../../../../src/core/conversation/store';
import type { Message } from '../../../../../src/core/messages';
import { createMemoryDatabase } from '../../../../../src/storage/memoryDatabase';
import { Sqlite } from '../../../../../src/storage/sqlite';
import { ChatWindow, ShownThread } from '../../../../support/conversation/shownThread';
import { TestWorkspace, type TestWindow } from '../../../../support/conversation/testWorkspace';

describe('recall', () => {
  let workspace: TestWorkspace;
  let window: TestWindow;

  beforeEach(async () => {
    workspace = new TestWorkspace();
    window = await workspace.reopen();
  });

  async function say(id: string, asked: string, answered = 'Done.', between: readonly Message[] = []) {
    workspace.now += 60_000;
    const messages: Message[] = [
      { role: 'user', content: asked },
      ...between,
      { role: 'assistant', content: answered },
    ];
    await window.chat.saveTurn(workspace.turn(id, messages));
  }

  /** The ids of what is found for a question, best first. */
  async function find(question: string, inSight: readonly string[] = []): Promise<readonly string[]> {
    const found = await window.memory.search((search) =>
      findTurns(search, question, { limit: 10, inSight: new Set(inSight) }),
    );
    return (found ?? []).map(({ turn }) => turn);
  }

  describe('M27: finds what left memory', () => {
    it('by the cap', async () => {
      workspace.limits = { ...workspace.limits, maxTurns: 1 };
      await say('old', 'Which port does the proxy use?', 'It listens on 8124.');
      await say('new', 'Thanks');
      assert.deepEqual(
        window.chat.snapshot()?.turns.map(({ id }) => id),
        ['new'],
      );
      assert.equal((await find('proxy port'))[0], 'old');
    });

    it('by expiry and by a fresh start', async () => {
      await say('expired', 'Which port does the proxy use?');
      workspace.now += 10_000_000;
      await say('left', 'Which proxy do we trust?');
      await createArchive(window.memory).startFresh('workspace');
      await say('now', 'Hello');
      assert.deepEqual((await find('proxy')).toSorted(), ['expired', 'left']);
    });

    it('by the summary, and by the budget', async () => {
      await say('told', 'Which port does the proxy use?');
      await window.chat.summarize('They talked.', ['told']);
      workspace.limits = { ...workspace.limits, tokenBudget: 60 };
      await say('over', 'A proxy of another kind, with many words that fill the budget to the brim');
      await say('now', 'Hello');
      assert.deepEqual((await find('proxy', ['now'])).toSorted(), ['over', 'told']);
    });
  });

  it('M27: leaves out what is in sight', async () => {
    await say('a', 'Which port does the proxy use?');
    await say('b', 'And the proxy in staging?');
    assert.deepEqual(await find('proxy', ['b']), ['a']);
  });

  it('M13, M27: does not find what a rewind has cut, though the user can search it', async () => {
    const chat = new ChatWindow(workspace, window);
    const thread = new ShownThread('s');
    await chat.ask(thread, 'a', { words: 'the zebra stays' });
    await chat.ask(thread, 'b', { words: 'the zebra goes' });
    thread.shown.pop();
    await chat.ask(thread, 'c', { words: 'something else' });
    assert.deepEqual(await find('zebra'), ['a', 'c']);
    const found = await searchTurns(window.memory, 'zebra');
    assert.deepEqual(found.map(({ turn }) => turn).toSorted(), ['a', 'b']);
    const [cut = ''] = found.filter(({ turn }) => turn === 'b').map(({ turn }) => turn);
    assert.equal(await createRecall(window.memory).whole(cut), '');
  });

  it('M13, M27: does not find what was removed from the chat when it had left memory already', async () => {
    workspace.limits = { ...workspace.limits, maxTurns: 2 };
    const chat = new ChatWindow(workspace, window);
    const thread = new ShownThread('s');
    for (const id of ['a', 'b', 'c', 'd']) await chat.ask(thread, id, { words: `zebra ${id}` });
    thread.shown = thread.shown.slice(0, 1);
    const { view } = await chat.ask(thread, 'e');
    const recall = createRecall(window.memory, { inSight: new Set(['e']), isRemoved: view.isRemoved });
    const found = await recall.find('zebra', 5);
    assert.deepEqual(
      found?.map((text) => /, turn (\w+)/.exec(text)?.[1]),
      ['a'],
    );
    assert.equal(await recall.whole('b'), '');
    assert.match((await recall.whole('a')) ?? '', /zebra a/);

    const elsewhere = await chat.ask(new ShownThread('t'), 'f');
    assert.equal(elsewhere.view.isRemoved(window.chat.snapshot()!.turns[0]!), false);
  });

  it('M13, M27: does not find a copy of what a rewind has cut, which the archive has kept since', async () => {
    const archive = createArchive(window.memory);
    const chat = new ChatWindow(workspace, window);
    const thread = new ShownThread('s');
    for (const id of ['a', 'b', 'c']) await chat.ask(thread, id, { words: `zebra ${id}` });
    const { archivedAs = '' } = await archive.startFresh('workspace');
    workspace.limits = { ...workspace.limits, maxTurns: 2 };
    // Not all of it fits, so that the archive keeps it.
    await archive.resume('workspace', archivedAs);
    await chat.ask(thread, 'd');
    thread.cutFrom('d');
    thread.shown.pop();
    await chat.ask(thread, 'e');
    assert.deepEqual((await find('zebra', ['e'])).toSorted(), ['a', 'b']);
    assert.equal(await createRecall(window.memory).whole('c'), '');

    workspace.limits = { ...workspace.limits, maxTurns: 10 };
    const branch = (await archive.list()).find(({ ending }) => ending.kind === 'branch');
    await archive.resume('workspace', branch!.id);
    assert.deepEqual((await find('zebra', ['d', 'e'])).toSorted(), ['a', 'b', 'c']);
  });

  it('M13, M27: finds the one exchange among the copies that many a Retry has left', async () => {
    const chat = new ChatWindow(workspace, window);
    workspace.limits = { ...workspace.limits, maxTurns: 20, archiveSize: 100 };
    await chat.ask(new ShownThread('s'), 'wanted', { words: 'the zebra, and all that was decided about it' });
    await createArchive(window.memory).startFresh('workspace');
    const thread = new ShownThread('t');
    for (let count = 0; count < 10; count++) await chat.ask(thread, `t${count}`, { words: 'zebra zebra' });
    for (let count = 0; count < 25; count++) {
      thread.shown.pop();
      await chat.ask(thread, `retry${count}`, { words: 'zebra' });
    }
    const inSight = window.chat.snapshot()?.turns.map(({ id }) => id);
    assert.deepEqual(await find('zebra', inSight), ['wanted']);
    const typed = await searchTurns(window.memory, 'zebra');
    assert.ok(typed.some(({ turn }) => turn === 'wanted'));
  });

  it('M23, M27: takes a long text without spaces that was said many times over', async () => {
    const signs = Array.from({ length: 999 }, (_, at) => String.fromCodePoint(0x4e00 + ((at * 37) % 3000)));
    const text = signs.join('');
    for (const id of ['a', 'b', 'c']) await say(id, text.repeat(20), text.repeat(20));
    const start = performance.now();
    assert.equal((await createRecall(window.memory).find(text, 5))?.length, 3);
    // What grows with the square takes four seconds for each.
    assert.ok(performance.now() - start < 4_000);
  });

  it('M26, M27: does not find what was forgotten or cleared', async () => {
    await say('a', 'the zebra one');
    await say('b', 'the zebra two');
    await window.chat.forget({ turns: ['a'] });
    assert.deepEqual(await find('zebra'), ['b']);
    await window.chat.clear();
    assert.deepEqual(await find('zebra'), []);
  });

  it('M20, M27: finds what had left memory also after Clear, or Delete from the archive, was undone', async () => {
    workspace.limits = { ...workspace.limits, maxTurns: 2 };
    for (const id of ['a', 'b', 'c', 'd']) await say(id, `zebra ${id}`);
    const cleared = await window.chat.clear();
    assert.deepEqual(await find('zebra'), []);
    await window.chat.restore(cleared!);
    assert.deepEqual((await find('zebra')).toSorted(), ['a', 'b', 'c', 'd']);
    assert.deepEqual(
      window.chat.snapshot()?.turns.map(({ id }) => id),
      ['c', 'd'],
    );

    const archive = createArchive(window.memory);
    const { archivedAs = '' } = await archive.startFresh('workspace');
    const bringBack = await archive.remove((await archive.get(archivedAs))!);
    assert.deepEqual(await find('zebra'), []);
    await bringBack();
    assert.deepEqual((await find('zebra')).toSorted(), ['a', 'b', 'c', 'd']);
    assert.deepEqual(
      (await archive.list()).map(({ turns }) => turns),
      [2],
    );
  });

  it('M27: finds nothing while an erased turn could not be taken out of the database', async () => {
    let isFull = false;
    const full = await workspace.reopen({
      open: async () => {
        const database = createMemoryDatabase(await Sqlite.open(workspace.file));
        const commit: typeof database.commit = (...args) => {
          if (isFull) throw new StoreError('failed');
          return database.commit(...args);
        };
        return { ...database, commit };
      },
      wait: async () => undefined,
    });
    window = full;
    await say('a', 'the zebra one');
    assert.deepEqual(await find('zebra'), ['a']);
    isFull = true;
    await window.chat.forget({ turns: ['a'] });
    assert.equal(await createRecall(window.memory).find('zebra', 5), undefined);
  });

  it('M27: each exchange once, in its newest state, however many copies of it are kept', async () => {
    const archive = createArchive(window.memory);
    await say('a', 'the zebra one', 'a first answer');
    const { archivedAs = '' } = await archive.startFresh('workspace');
    workspace.limits = { ...workspace.limits, maxTurns: 1 };
    await archive.resume('workspace', archivedAs);
    await say('b', 'another zebra');
    assert.deepEqual((await find('zebra')).toSorted(), ['a', 'b']);
  });

  describe('finds', () => {
    it('other forms of a word', async () => {
      await say('a', 'Why do retries fail?', 'The client gave up after 3 attempts.');
      assert.deepEqual(await find('retrying failed'), ['a']);
    });

    it('a name by its parts, and its parts by the name', async () => {
      await say('a', 'Look at maxRetryDelay', 'It is 30 s.');
      await say('b', 'The max retry delay again', 'Still 30 s.');
      assert.deepEqual((await find('retry delay')).toSorted(), ['a', 'b']);
      assert.deepEqual((await find('maxRetryDelay')).toSorted(), ['a', 'b']);
    });

    it('paths and codes of errors as they are, also where only a tool told of them', async () => {
      await say('a', 'What is wrong here?', 'A type.', [
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 't', name: 'read_file', input: { path: 'src/pay/client.ts' } }],
        },
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 't', content: 'client.ts(3,1): error TS2345: no' }],
        },
      ]);
      await say('b', 'Unrelated');
      assert.equal((await find('TS2345'))[0], 'a');
      assert.equal((await find('client.ts in pay'))[0], 'a');
    });

    it('words of languages without spaces', async () => {
      await say('a', '認証トークンの有効期限は?', '三十分です。');
      await say('b', '天気はどうですか', '晴れです。');
      assert.equal((await find('トークンの期限'))[0], 'a');
      assert.deepEqual(
        (await searchTurns(window.memory, '有効期限')).map(({ turn }) => turn),
        ['a'],
      );
    });

    it('a terse follow-up by what the exchange before it is about', async () => {
      await say('x', 'Something about invoices');
      await say('a', 'Which port does the proxy use in production?', 'It is 443.');
      await say('b', 'and in staging?', 'There it is another one.');
      await say('y', 'Something about mails');
      assert.deepEqual(await find('proxy port'), ['a', 'b', 'x']);
    });

    it('nothing that the remember tool was given', async () => {
      await say('a', 'Keep this', 'Kept.', [
        {
          role: 'assistant',
          content: [{ type: 'tool_use', id: 't', name: 'remember', input: { name: 'n', value: 'zebra42' } }],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 't', content: 'Remembered n.' }] },
      ]);
      assert.deepEqual(await find('zebra42'), []);
    });
  });

  it('M27: gives excerpts with date, conversation and turn, and one exchange whole', async () => {
    await say('a', 'Which port does the proxy use?', `${'Well. '.repeat(300)}It listens on 8124, the proxy.`);
    const recall = createRecall(window.memory);
    const [first = ''] = (await recall.find('proxy port', 5)) ?? [];
    const [heading, asked, answered = ''] = first.split('\n');
    assert.equal(heading, '[1970-01-12 13:47 UTC, conversation "Which port does the proxy use?", turn a]');
    assert.equal(asked, 'Person: Which port does the proxy use?');
    assert.match(answered, /^Claude: ….*It listens on 8124, the proxy\.$/);
    assert.ok(answered.length < 720);
    assert.match((await recall.whole('a')) ?? '', /turn a\]\n<turn>\nPerson: Which port[^]*8124/);
    assert.equal(await recall.whole('none'), '');
    await say('x]\n[2020-01-01', 'A zebra of an imported file');
    const [odd = ''] = (await recall.find('zebra', 1)) ?? [];
    assert.match(odd, /^\[[^\n]*turn "x\]\\n\[2020-01-01"\]\n/);
  });

  it('M20: what is typed is found as it grows, all words of it, or else what comes nearest', async () => {
    await say('a', 'Add tests for the Invoice totals', 'Added.');
    await say('b', 'Fix the total', 'Fixed the Straße.');
    const typed = async (text: string) => (await searchTurns(window.memory, text)).map(({ turn }) => turn);
    assert.deepEqual(await typed('inv'), ['a']);
    assert.deepEqual((await typed('total')).toSorted(), ['a', 'b']);
    assert.deepEqual(await typed('total straß'), ['b']);
    assert.deepEqual((await typed('invoice straße')).toSorted(), ['a', 'b']);
    assert.deepEqual(await typed('   '), []);
    const [found] = await searchTurns(window.memory, 'straße');
    assert.deepEqual(
      [found?.excerpt, found?.title],
      ['Fixed the Straße.', 'Add tests for the Invoice totals'],
    );
  });

  describe('continuing from a turn', () => {
    it('M20: remembers what was said up to there, with the values of then, and archives the rest', async () => {
      const archive = createArchive(window.memory);
      for (const id of ['a', 'b', 'c']) {
        await say(id, `question ${id}`);
        await window.chat.merge({ at: id }, id);
      }
      const { from, remembered, archivedAs } = await archive.continueFrom('workspace', { turn: 'b' });
      assert.deepEqual([from.id, remembered, archivedAs !== undefined], ['b', 2, true]);
      assert.deepEqual(
        window.chat.snapshot()?.turns.map(({ id }) => id),
        ['a', 'b'],
      );
      assert.deepEqual(window.chat.params(), { at: 'b' });
      const left = await archive.get(archivedAs ?? '');
      assert.deepEqual(
        left?.conversation.turns.map(({ id }) => id),
        ['a', 'b', 'c'],
      );
    });

    it('M3, M20: from one that the cap had evicted, with as many as the cap lets in', async () => {
      workspace.limits = { ...workspace.limits, maxTurns: 2 };
      for (const id of ['a', 'b', 'c', 'd', 'e']) await say(id, `question ${id}`);
      await createArchive(window.memory).continueFrom('workspace', { turn: 'c' });
      assert.deepEqual(
        window.chat.snapshot()?.turns.map(({ id }) => id),
        ['b', 'c'],
      );
      assert.deepEqual((await find('question')).toSorted(), ['a', 'b', 'c', 'd', 'e']);
    });

    it('M13: from one that a rewind has cut', async () => {
      const chat = new ChatWindow(workspace, window);
      const thread = new ShownThread('s');
      await chat.ask(thread, 'a');
      await chat.ask(thread, 'b', { words: 'the zebra' });
      thread.shown.pop();
      await chat.ask(thread, 'c');
      const [found] = await searchTurns(window.memory, 'zebra');
      assert.ok(found);
      await createArchive(window.memory).continueFrom('workspace', found);
      assert.equal(window.chat.snapshot()?.turns.at(-1)?.id, 'b');
    });

    it('M20: of another chat that goes on: Clear leaves that one what was cut from it', async () => {
      const chat = new ChatWindow(workspace, window, () => 'thread');
      const thread = new ShownThread('s');
      for (const id of ['a', 'b']) await chat.ask(thread, id);
      thread.shown.pop();
      await chat.ask(thread, 'c');
      await createArchive(window.memory).continueFrom('thread-t', { turn: 'a', key: 'live/thread-s' });
      await window.memory.forConversation('thread-t').clear();
      assert.equal((await chat.branches()).length, 1);
      await window.memory.forConversation('thread-s').clear();
      assert.equal((await chat.branches()).length, 0);
    });

    it('says so where it is no longer there, and changes nothing', async () => {
      await say('a', 'question a');
      await assert.rejects(
        createArchive(window.memory).continueFrom('workspace', { turn: 'x' }),
        /no longer/,
      );
      assert.equal(window.chat.snapshot()?.turns.length, 1);
    });
  });
});
