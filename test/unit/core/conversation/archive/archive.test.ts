import assert from 'node:assert/strict';
import { createArchive } from '../../../../../src/core/conversation/archive/archive';
import type { Conversation, StoredTurn } from '../../../../../src/core/conversation/turn';
import { BreakableTexts } from '../../../../support/conversation/breakableTexts';
import { exchange } from '../../../../support/conversation/testWorkspace';

describe('the archive', () => {
  let folder: BreakableTexts;
  let size: number;
  let logged: string[];
  beforeEach(() => {
    folder = new BreakableTexts();
    size = 3;
    logged = [];
  });
  const log = {
    info: (line: string) => logged.push(line),
    warn: (line: string) => logged.push(line),
    error: (line: string) => logged.push(line),
  };
  const open = () => createArchive({ files: folder, size: () => size, log });
  const titles = async () => (await open().list()).conversations.map(({ title }) => title);

  it('M20: keeps a conversation as it was, but for the question that waited', async () => {
    const asked = conversation('a', 5, ['one', 'two']);
    const waiting = {
      param: 'p',
      question: 'Which?',
      turnId: 'two',
      askedAt: 1,
      tries: 1,
      toolUse: { type: 'tool_use', id: 'u', name: 'ask_user', input: {} },
      results: [],
    } as const;
    const id = await open().put({ ...asked, waiting }, { kind: 'ended' });
    assert.deepEqual(await open().get(id ?? ''), {
      id,
      ending: { kind: 'ended' },
      title: 'question one',
      endedAt: 5,
      conversation: asked,
      isDamaged: false,
    });
  });

  it('M20: lists the newest first, and a branch by what was cut of it', async () => {
    await open().put(conversation('a', 10, ['one']), { kind: 'left' });
    await open().put(conversation('b', 9, ['two', 'three']), { kind: 'branch', firstCut: 'three' });
    await open().put(conversation('c', 1e12, ['four']), { kind: 'ended' });
    assert.deepEqual(await titles(), ['question four', 'question one', 'question three']);
  });

  it('M20: two windows that archive the same conversation write the same file', async () => {
    const both = [open(), open()] as const;
    const ids = await Promise.all(
      both.map((one) => one.put(conversation('a', 7, ['one']), { kind: 'ended' })),
    );
    assert.equal(ids[0], ids[1]);
    assert.equal(folder.files.size, 1);
  });

  it('M13: two rewinds of one conversation are two branches', async () => {
    await open().put(conversation('a', 7, ['one', 'two']), { kind: 'branch', firstCut: 'one' });
    await open().put(conversation('a', 7, ['one', 'three']), { kind: 'branch', firstCut: 'three' });
    assert.equal(folder.files.size, 2);
  });

  it('M20: conversations of any id have files of their own, with names that every disk takes', async () => {
    size = 100;
    const ids = ['a/../b', 'a\\b', 'CON', 'é'.repeat(200), '', 'A', 'a', 'workspace'];
    for (const id of ids) await open().put(conversation(id, 7, [`turn of ${id}`]), { kind: 'left' });
    assert.equal(folder.files.size, ids.length);
    assert.ok([...folder.files.keys()].every((name) => /^[\w-]+\.json$/.test(name)));
    assert.equal(new Set([...folder.files.keys()].map((name) => name.toLowerCase())).size, ids.length);
  });

  it('M20: over its size branches leave first, then the oldest', async () => {
    await open().put(conversation('a', 1, ['one']), { kind: 'left' });
    await open().put(conversation('b', 2, ['two']), { kind: 'branch', firstCut: 'two' });
    await open().put(conversation('c', 3, ['three']), { kind: 'branch', firstCut: 'three' });
    await open().put(conversation('d', 4, ['four']), { kind: 'ended' });
    assert.deepEqual(await titles(), ['question four', 'question three', 'question one']);
    size = 2;
    await open().put(conversation('e', 5, ['five']), { kind: 'ended' });
    assert.deepEqual(await titles(), ['question five', 'question four']);
  });

  it('M20: what was just put stays, however old it is, and so does what is to be spared', async () => {
    size = 1;
    const spared = await open().put(conversation('a', 1, ['one']), { kind: 'left' });
    await open().put(conversation('b', 9, ['two']), { kind: 'left' }, spared);
    await open().put(conversation('c', 0, ['three']), { kind: 'left' }, spared);
    assert.deepEqual(await titles(), ['question one', 'question three']);
  });

  it('M20: a size of 0 keeps nothing, and an empty conversation is nothing to keep', async () => {
    assert.equal(await open().put(conversation('a', 1, []), { kind: 'left' }), undefined);
    size = 0;
    assert.equal(open().isOff, true);
    assert.equal(await open().put(conversation('a', 1, ['one']), { kind: 'left' }), undefined);
    assert.equal(folder.files.size, 0);
  });

  it('M20: a window without a folder has an archive in which nothing is', async () => {
    const archive = createArchive({ files: undefined, size: () => size, log });
    assert.equal(archive.isOff, true);
    assert.equal(await archive.put(conversation('a', 1, ['one']), { kind: 'left' }), undefined);
    assert.deepEqual(await archive.list(), { conversations: [], unreadable: [] });
    await archive.clear();
  });

  it('M20: a copy that a crash left goes when a newer entry holds all of it', async () => {
    await open().put(conversation('a', 1, ['one', 'two']), { kind: 'ended' });
    await open().put(conversation('a', 2, ['one', 'three']), { kind: 'left' });
    await open().put(conversation('a', 3, ['one', 'two', 'four']), { kind: 'left' });
    const turns = (await open().list()).conversations.map((one) =>
      one.conversation.turns.map(({ id }) => id),
    );
    assert.deepEqual(turns, [
      ['one', 'two', 'four'],
      ['one', 'three'],
    ]);
  });

  it('M10: names damaged and newer files, leaves them where they are and lists the rest', async () => {
    const id = (await open().put(conversation('a', 1, ['one']), { kind: 'left' })) ?? '';
    const sound = folder.files.get(`${id}.json`) ?? '';
    const name = (number: number) => `00000000000000${number}-ended-0123456789abcdef.json`;
    folder.files.set(name(2), sound.slice(0, 50));
    folder.files.set(name(3), sound.replace('"version":1', '"version":2'));
    folder.files.set(name(4), sound.replace('"version":2', '"version":3'));
    folder.files.set(name(5), '{"version":1,"memory":{"version":2,"conversations":{}}}');
    folder.files.set(name(6), 'null');
    folder.files.set('notes.json', 'of somebody else');
    const listing = await open().list();
    assert.deepEqual(
      listing.conversations.map((one) => one.title),
      ['question one'],
    );
    assert.deepEqual(listing.unreadable, [
      { name: name(2), why: 'damaged' },
      { name: name(3), why: 'newer' },
      { name: name(4), why: 'newer' },
      { name: name(5), why: 'damaged' },
      { name: name(6), why: 'damaged' },
    ]);
    size = 1;
    await open().put(conversation('b', 9, ['two']), { kind: 'left' });
    assert.equal(folder.files.size, 7);
    await assert.rejects(open().get(name(2).replace('.json', '')), /0123456789abcdef\.json is damaged/);
    await assert.rejects(open().get(name(3).replace('.json', '')), /newer version/);
  });

  it('M10: keeps the sound turns of a damaged conversation, and its file', async () => {
    const id = (await open().put(conversation('a', 1, ['one', 'two']), { kind: 'left' })) ?? '';
    const text = folder.files.get(`${id}.json`) ?? '';
    folder.files.set(`${id}.json`, text.replace('"startedAt":0,', '"startedAt":"never",'));
    const archived = await open().get(id);
    assert.deepEqual(
      archived?.conversation.turns.map((turn) => turn.id),
      ['two'],
    );
    assert.equal(archived?.isDamaged, true);
    await open().put(conversation('a', 2, ['one', 'two']), { kind: 'left' });
    assert.ok(folder.files.has(`${id}.json`));
  });

  it('S1: takes no path for an id', async () => {
    folder.files.set('../secret.json', 'x');
    assert.equal(await open().get('../secret'), undefined);
    await open().remove('../secret');
    assert.ok(folder.files.has('../secret.json'));
  });

  it('M20: a put that cannot be written rejects; one that cannot make room does not', async () => {
    folder.onAccess = (access) => {
      if (access === 'write') throw new Error('ENOSPC');
    };
    await assert.rejects(open().put(conversation('a', 1, ['one']), { kind: 'left' }), /ENOSPC/);
    folder.onAccess = (access) => {
      if (access === 'names') throw new Error('EACCES');
    };
    assert.ok(await open().put(conversation('a', 1, ['one']), { kind: 'left' }));
    assert.deepEqual(logged, ['archive: making room failed']);
  });

  it('M20: removes one, and all of it, unreadable files included', async () => {
    const id = (await open().put(conversation('a', 1, ['one']), { kind: 'left' })) ?? '';
    await open().put(conversation('b', 2, ['two']), { kind: 'left' });
    folder.files.set('damaged', 'x');
    await open().remove(id);
    assert.deepEqual(await titles(), ['question two']);
    await open().clear();
    assert.equal(folder.files.size, 0);
  });
});

function conversation(id: string, lastActive: number, names: readonly string[]): Conversation {
  const turns = names.map((name, index): StoredTurn => ({
    id: name,
    order: index,
    revision: 1,
    startedAt: index,
    endedAt: index,
    outcome: 'finished',
    messages: exchange(name),
  }));
  return { id, lastActive, turns, params: {}, waitingRevision: 0 };
}
