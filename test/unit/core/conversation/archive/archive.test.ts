import assert from 'node:assert/strict';
import { createArchive } from '../../../../../src/core/conversation/archive/archive';
import { StoreError } from '../../../../../src/core/conversation/store';
import type { Conversation, Ending } from '../../../../../src/core/conversation/turn';
import { createMemoryDatabase } from '../../../../../src/storage/memoryDatabase';
import { Sqlite } from '../../../../../src/storage/sqlite';
import { aConversation, aTurn } from '../../../../support/conversation/stored';
import { TestWorkspace, type TestWindow } from '../../../../support/conversation/testWorkspace';

describe('the archive', () => {
  let workspace: TestWorkspace;
  let window: TestWindow;
  beforeEach(async () => {
    workspace = new TestWorkspace();
    setSize(3);
    window = await workspace.reopen();
  });
  const setSize = (archiveSize: number) => (workspace.limits = { ...workspace.limits, archiveSize });
  const archive = (conversation: Conversation, ending: Ending, sparing?: string) =>
    archiveIn(window, conversation, ending, sparing);
  const list = () => createArchive(window.memory).list();
  const titles = async () => (await list()).map(({ title }) => title);
  const turnsOf = async (id: string) =>
    (await window.memory.archivedConversation(id))?.turns.map((turn) => turn.id);

  it('M20: is there again after a look at it that another process kept from', async () => {
    await archive(talk('a', 5, ['one']), { kind: 'left' });
    window.close();
    let isHeld = false;
    const database = createMemoryDatabase(await Sqlite.open(workspace.file));
    const held = {
      ...database,
      archived: () => {
        if (isHeld) throw new StoreError('busy');
        return database.archived();
      },
    };
    const { memory } = await workspace.reopen({ open: async () => held, wait: async () => undefined });
    isHeld = true;
    assert.deepEqual(await memory.archived(), []);
    isHeld = false;
    assert.equal((await memory.archived()).length, 1);
  });

  it('M13: a branch has no copy of what the summary stands for, which stays where the conversation goes on', async () => {
    const { chat, memory } = window;
    for (const id of ['a', 'b', 'c']) await chat.saveTurn(workspace.turn(id));
    await chat.summarize('They said a and b.', ['a', 'b'], undefined);
    await chat.rewind(['c']);
    const [branch] = await list();
    const told = (await memory.archivedConversation(branch!.id))?.summarized;
    assert.deepEqual(
      told?.map(({ id, messages }) => [id, messages.length]),
      [
        ['a', 0],
        ['b', 0],
      ],
    );
    // Where one of those is taken back, it is all there.
    await chat.rewind(['b']);
    assert.equal(JSON.stringify(chat.history()).includes('question a'), true);
    const [cut] = await list();
    const whole = (await memory.archivedConversation(cut!.id))?.turns;
    assert.deepEqual(
      whole?.map(({ id, messages }) => [id, messages.length]),
      [
        ['a', 2],
        ['b', 2],
      ],
    );
  });

  it('M20: keeps a conversation as it was, but for the question that waited', async () => {
    const asked = talk('a', 5, ['one', 'two'], {
      summary: { text: 'Before.', at: 1, turns: 1 },
      summarized: [aTurn('zero', { order: 0 })],
      params: [{ name: 'order', value: '17', at: 1, turnId: 'one' }],
    });
    const waiting = {
      param: 'p',
      question: 'Which?',
      turnId: 'two',
      askedAt: 1,
      tries: 1,
      toolUse: { type: 'tool_use', id: 'u', name: 'ask_user', input: {} },
      results: [],
    } as const;
    const id = (await archive({ ...asked, waiting }, { kind: 'ended' })) ?? '';
    const header = {
      id,
      conversationId: 'a',
      lineage: 'l',
      ending: { kind: 'ended' },
      title: 'question one',
      endedAt: 5,
      turns: 2,
    };
    assert.deepEqual(await createArchive(window.memory).get(id), { ...header, conversation: asked });
  });

  it('is read once, however often it is shown, until something changes in any window', async () => {
    let reads = 0;
    const open = async () => {
      const database = createMemoryDatabase(await Sqlite.open(workspace.file));
      return { ...database, archived: () => (reads++, database.archived()) };
    };
    window.close();
    window = await workspace.reopen({ open });
    const other = await workspace.reopen();
    await archiveIn(other, talk('a', 10, ['one']), { kind: 'left' });
    await window.memory.refresh();
    assert.deepEqual([await titles(), await titles(), reads], [['question one'], ['question one'], 1]);
    await other.memory.deleteAll();
    await window.memory.refresh();
    assert.deepEqual([await titles(), reads], [[], 2]);
    await archive(talk('b', 10, ['two']), { kind: 'left' });
    assert.deepEqual(await titles(), ['question two']);
  });

  it('M20: lists the newest first, and a branch by what was cut of it', async () => {
    await archive(talk('a', 10, ['one']), { kind: 'left' });
    await archive(talk('b', 9, ['two', 'three']), { kind: 'branch', firstCut: 'three' });
    await archive(talk('c', 1e12, ['four']), { kind: 'ended' });
    assert.deepEqual(await titles(), ['question four', 'question one', 'question three']);
  });

  it('M20: two windows that archive the same conversation have it once', async () => {
    const other = await workspace.reopen();
    const ids = await Promise.all(
      [window, other].map((one) => archiveIn(one, talk('a', 7, ['one']), { kind: 'ended' })),
    );
    assert.equal(ids[0], ids[1]);
    assert.equal((await list()).length, 1);
  });

  it('M13: two rewinds of one conversation are two branches', async () => {
    await archive(talk('a', 7, ['one', 'two']), { kind: 'branch', firstCut: 'one' });
    await archive(talk('a', 7, ['one', 'three']), { kind: 'branch', firstCut: 'three' });
    assert.equal((await list()).length, 2);
  });

  it('M20: conversations of any id have entries of their own', async () => {
    setSize(100);
    const ids = ['a/../b', 'a\\b', 'CON', 'é'.repeat(200), 'live/a', 'A', 'a', "'; DROP TABLE turns --"];
    for (const id of ids) await archive(talk(id, 7, [`turn of ${id}`]), { kind: 'left' });
    assert.equal(new Set((await list()).map(({ id }) => id)).size, ids.length);
    const begins = (title: string) => title.slice(0, 40);
    assert.deepEqual(
      (await titles()).map(begins).toSorted(),
      ids.map((id) => begins(`question turn of ${id}`)).toSorted(),
    );
  });

  it('M20: over its size branches leave first, then the oldest', async () => {
    await archive(talk('a', 1, ['one']), { kind: 'left' });
    await archive(talk('b', 2, ['two']), { kind: 'branch', firstCut: 'two' });
    await archive(talk('c', 3, ['three']), { kind: 'branch', firstCut: 'three' });
    await archive(talk('d', 4, ['four']), { kind: 'ended' });
    assert.deepEqual(await titles(), ['question four', 'question three', 'question one']);
    setSize(2);
    await archive(talk('e', 5, ['five']), { kind: 'ended' });
    assert.deepEqual(await titles(), ['question five', 'question four']);
    assert.equal(
      (await workspace.rows("SELECT id FROM turns WHERE id IN ('one', 'two', 'three')")).length,
      0,
    );
  });

  it('M20: what was just archived stays, however old it is, and so does what is to be spared', async () => {
    setSize(1);
    const spared = await archive(talk('a', 1, ['one']), { kind: 'left' });
    await archive(talk('b', 9, ['two']), { kind: 'left' }, spared);
    await archive(talk('c', 0, ['three']), { kind: 'left' }, spared);
    assert.deepEqual(await titles(), ['question one', 'question three']);
  });

  it('M20: a size of 0 keeps nothing, and an empty conversation is nothing to keep', async () => {
    assert.equal(await archive(talk('a', 1, []), { kind: 'left' }), undefined);
    setSize(0);
    assert.equal(createArchive(window.memory).isOff, true);
    assert.equal(await archive(talk('a', 1, ['one']), { kind: 'left' }), undefined);
    assert.deepEqual(await list(), []);
  });

  it('M20, M27: once the size is 0, what was kept before goes with the next change', async () => {
    workspace.limits = { ...workspace.limits, maxTurns: 1 };
    await archive(talk('a', 1, ['one']), { kind: 'left' });
    for (const id of ['two', 'three']) await window.chat.saveTurn(workspace.turn(id));
    workspace.limits = { ...workspace.limits, archiveSize: 0 };
    await window.chat.saveTurn(workspace.turn('four'));
    assert.deepEqual(await list(), []);
    assert.deepEqual(
      (await workspace.rows('SELECT id FROM turns')).map(({ id }) => id),
      ['four'],
    );
  });

  it('M20: a lowered size holds with the next change, branches first', async () => {
    for (const [at, id] of ['one', 'two', 'three'].entries())
      await archive(
        talk(id, at + 1, [id]),
        id === 'three' ? { kind: 'branch', firstCut: id } : { kind: 'left' },
      );
    setSize(1);
    await window.chat.saveTurn(workspace.turn('four'));
    assert.deepEqual(await titles(), ['question two']);
  });

  it('M20: a window without a database has an archive in which nothing is', async () => {
    const { memory } = await workspace.reopen({ database: false });
    const none = createArchive(memory);
    assert.deepEqual([none.isOff, await none.list(), await none.get('x')], [true, [], undefined]);
  });

  it('M20: a copy goes when a newer entry holds all of it', async () => {
    await archive(talk('a', 1, ['one', 'two']), { kind: 'ended' });
    await archive(talk('a', 2, ['one', 'three']), { kind: 'left' });
    await archive(talk('a', 3, ['one', 'two', 'four']), { kind: 'left' });
    const all = await Promise.all((await list()).map(({ id }) => turnsOf(id)));
    assert.deepEqual(all, [
      ['one', 'two', 'four'],
      ['one', 'three'],
    ]);
  });

  it('M10: a turn that cannot be read is left out, and the others are there', async () => {
    const id = (await archive(talk('a', 1, ['one', 'two']), { kind: 'left' })) ?? '';
    await workspace.rows("UPDATE turns SET turn = '{' WHERE id = 'one'");
    assert.deepEqual(await turnsOf(id), ['two']);
    assert.deepEqual(await titles(), ['question one']);
  });

  it('M20: removes one, and brings it back as it was', async () => {
    const id = (await archive(talk('a', 1, ['one']), { kind: 'branch', firstCut: 'one' })) ?? '';
    await archive(talk('b', 2, ['two']), { kind: 'left' });
    const before = await createArchive(window.memory).get(id);
    const bringBack = await createArchive(window.memory).remove(before!);
    assert.deepEqual(await titles(), ['question two']);
    assert.deepEqual(workspace.filesWith('question one'), []);
    await bringBack();
    assert.deepEqual(await createArchive(window.memory).get(id), before);
  });

  it('M20: what is brought back takes nothing newer with it', async () => {
    const id = (await archive(talk('a', 1, ['one', 'two']), { kind: 'branch', firstCut: 'two' })) ?? '';
    await archive(talk('a', 1, ['one']), { kind: 'left' });
    const bringBack = await createArchive(window.memory).remove(
      (await createArchive(window.memory).get(id))!,
    );
    await bringBack();
    assert.deepEqual(await titles(), ['question one', 'question two']);
  });

  it('M20: what was evicted from a conversation goes along with it, and is gone when it is', async () => {
    workspace.limits = { ...workspace.limits, maxTurns: 1 };
    await window.chat.saveTurn(workspace.turn('one'));
    await window.chat.saveTurn(workspace.turn('two'));
    const { archivedAs = '' } = await createArchive(window.memory).startFresh('workspace');
    assert.deepEqual(await turnsOf(archivedAs), ['two']);
    assert.equal(
      (await workspace.rows(`SELECT id FROM turns WHERE conversation = '${archivedAs}'`)).length,
      2,
    );
    await createArchive(window.memory).remove((await createArchive(window.memory).get(archivedAs))!);
    assert.deepEqual(workspace.filesWith('question one'), []);
  });
});

async function archiveIn(
  { memory }: TestWindow,
  conversation: Conversation,
  ending: Ending,
  sparing?: string,
): Promise<string | undefined> {
  let id: string | undefined;
  await memory.change(
    (draft) => (id = draft.archive(conversation, ending)),
    sparing === undefined ? {} : { sparing },
  );
  return id;
}

function talk(
  id: string,
  lastActive: number,
  names: readonly string[],
  rest: Partial<Conversation> = {},
): Conversation {
  const turns = names.map((name, index) => aTurn(name, { order: index + 1 }));
  return aConversation(id, { lastActive, lineage: 'l', turns, ...rest });
}
