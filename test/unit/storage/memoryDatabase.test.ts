import assert from 'node:assert/strict';
import { rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as fc from 'fast-check';
import { withForgotten, withTurn, withValues } from '../../../src/core/conversation/changes';
import { Draft, type Change } from '../../../src/core/conversation/draft';
import { emptyState, type MemoryDatabase, type MemoryState } from '../../../src/core/conversation/store';
import { createMemoryDatabase } from '../../../src/storage/memoryDatabase';
import { TurnCache } from '../../../src/storage/readState';
import { inMemory, Sqlite } from '../../../src/storage/sqlite';
import { conversations } from '../../support/conversation/conversations';
import { noLimits } from '../../support/conversation/limits';
import { aConversation, aTurn } from '../../support/conversation/stored';
import { testFolder } from '../../support/testFolder';

const root = testFolder('database');
let files = 0;
const newFile = () => join(root, `${++files}`, 'memory.db');
const keep = { archiveSize: 10 };

function commit(database: MemoryDatabase, known: MemoryState, change: Change): MemoryState {
  const build = (state: MemoryState) => {
    const options = {
      limits: noLimits,
      now: 1_000_000_000,
      after: 0,
      maxBytes: 1_000_000,
      activeAt: () => 0,
      archivedConversation: (id: string) => database.archivedConversation(id),
    };
    const draft = new Draft(state, options);
    change(draft);
    return draft;
  };
  return database.commit(known, build, keep).commit.state;
}

const saying =
  (id: string, conversation = 'c'): Change =>
  (draft) => {
    const known = draft.conversations.get(conversation) ?? aConversation(conversation, { lineage: 'l' });
    const turn = aTurn(id);
    draft.put(
      conversation,
      withTurn(known, turn, { order: draft.after + known.turns.length, activation: 'w', now: 1 }),
      'rewind',
    );
  };

const idsIn = (state: MemoryState, id = 'c') =>
  state.conversations.get(id)?.turns.map((turn) => turn.id) ?? [];

const kinds = {
  'in memory': async () => Sqlite.open(inMemory),
  'in a file with a write-ahead log': async () => {
    const sqlite = await Sqlite.open(newFile());
    assert.equal(sqlite.get('PRAGMA journal_mode')?.['journal_mode'], 'wal');
    return sqlite;
  },
  'in a file with a rollback journal': async () => {
    const sqlite = await Sqlite.open(newFile());
    assert.equal(sqlite.get('PRAGMA journal_mode = DELETE')?.['journal_mode'], 'delete');
    return sqlite;
  },
};

for (const [kind, open] of Object.entries(kinds)) {
  describe(`a database ${kind}`, () => {
    let sqlite: Sqlite;
    let database: MemoryDatabase;
    beforeEach(async () => {
      sqlite = await open();
      database = createMemoryDatabase(sqlite);
    });
    afterEach(() => database.close());

    it('begins with nothing, and with number 0', () => {
      assert.deepEqual(database.read(), { state: emptyState, number: 0 });
      assert.deepEqual(database.archived(), []);
      assert.equal(database.archivedConversation('x'), undefined);
    });

    it('gives every change the next number, and none to what changes nothing', () => {
      const state = commit(database, database.read().state, saying('a'));
      assert.equal(database.sequence(), 1);
      assert.equal(
        commit(database, state, () => undefined),
        state,
      );
      assert.equal(database.sequence(), 1);
      commit(database, state, saying('b'));
      assert.equal(database.sequence(), 2);
    });

    it('reads back what was written, whatever a conversation holds', () => {
      fc.assert(
        fc.property(conversations, conversations, (first, second) => {
          const before = database.read().state;
          const known = commit(database, before, (draft) =>
            draft.put('c', { ...first, id: 'c', lineage: 'l' }, 'fresh'),
          );
          const written = commit(database, known, (draft) =>
            draft.put('c', { ...second, id: 'c', lineage: 'l' }, 'fresh'),
          );
          const read = createMemoryDatabase(sqlite).read().state;
          assert.deepEqual(
            read.conversations.get('c'),
            JSON.parse(JSON.stringify(written.conversations.get('c'))),
          );
        }),
        { numRuns: 100 },
      );
    });

    it('writes nothing of a change that throws', () => {
      const state = commit(database, database.read().state, saying('a'));
      assert.throws(
        () =>
          commit(database, state, (draft) => {
            saying('b')(draft);
            throw new Error('no');
          }),
        /no/,
      );
      assert.equal(database.sequence(), 1);
      assert.deepEqual(idsIn(database.read().state), ['a']);
      assert.deepEqual(idsIn(commit(database, state, saying('c'))), ['a', 'c']);
    });

    it('M13: has values as writes, of which the last one counts and the older are there', () => {
      const by = (turnId: string) => ({ now: 1, turnId });
      const state = commit(database, commit(database, database.read().state, saying('a')), (draft) =>
        draft.change('c', (one) =>
          withForgotten(
            withValues(withValues(one, { p: '1' }, by('a')), { p: '2' }, by('b')),
            ['p'],
            by('b'),
          ),
        ),
      );
      const { params } = createMemoryDatabase(sqlite).read().state.conversations.get('c')!;
      assert.deepEqual(params, state.conversations.get('c')?.params);
      assert.deepEqual(
        params.map(({ value }) => value),
        ['1', '2', null],
      );
    });

    it('M8: keeps a running turn with its rounds, until it is over', () => {
      const owner = { pid: 1, startedAt: 2 };
      const messages = [{ role: 'user', content: 'go' } as const];
      const turn = {
        id: 't',
        startedAt: 1,
        conversation: 'c',
        order: 1,
        activation: 'w',
        owner,
        at: 1,
        messages,
      };
      const state = commit(database, database.read().state, (draft) => draft.setRunning('t', turn));
      assert.deepEqual(createMemoryDatabase(sqlite).read().state.running.get('t'), turn);
      commit(database, state, (draft) => draft.setRunning('t', undefined));
      assert.equal(createMemoryDatabase(sqlite).read().state.running.size, 0);
      assert.deepEqual(sqlite.all('SELECT * FROM rounds'), []);
    });

    it('M20: archives, gives back and takes out of the archive', () => {
      const state = commit(database, database.read().state, saying('a'));
      const left = commit(database, state, (draft) => {
        draft.archive(draft.conversations.get('c')!, { kind: 'left' });
        draft.put('c', undefined, 'fresh');
      });
      const [header] = database.archived();
      assert.deepEqual([header?.title, header?.turns, header?.ending], ['question a', 1, { kind: 'left' }]);
      assert.deepEqual(database.archivedConversation(header!.id), state.conversations.get('c'));
      commit(database, left, (draft) => draft.unarchive(header!.id));
      assert.deepEqual([database.archived(), sqlite.all('SELECT * FROM turns')], [[], []]);
    });

    it('M24: keeps an evicted turn out of memory and says why it left', () => {
      let state = commit(database, commit(database, database.read().state, saying('a')), saying('b'));
      state = commit(database, state, (draft) =>
        draft.change('c', (one) => ({ ...one, turns: one.turns.slice(1) }), 'cap'),
      );
      assert.deepEqual(idsIn(createMemoryDatabase(sqlite).read().state), ['b']);
      assert.deepEqual(
        sqlite.all('SELECT id, state FROM turns ORDER BY id').map(({ id, state: why }) => [id, why]),
        [
          ['a', 'cap'],
          ['b', 'remembered'],
        ],
      );
      assert.deepEqual(
        sqlite.all('SELECT turn, reason FROM departures').map(({ turn }) => turn),
        ['a'],
      );
    });

    it('M20: erases all', () => {
      commit(database, commit(database, database.read().state, saying('a')), saying('b', 'other'));
      database.eraseAll();
      assert.deepEqual(database.read().state, emptyState);
      assert.deepEqual(sqlite.all('SELECT * FROM departures'), []);
    });
  });
}

describe('turns that were read or written', () => {
  it('are not held in memory for long once they are no longer remembered', async () => {
    const cache = new TurnCache();
    const database = createMemoryDatabase(await Sqlite.open(inMemory), cache);
    let state = database.read().state;
    for (let count = 0; count < 200; count++) {
      state = commit(database, state, (draft) => {
        saying(`t${count}`)(draft);
        draft.evict('c', [`t${count - 2}`], 'cap');
      });
    }
    assert.deepEqual(idsIn(state), ['t198', 't199']);
    assert.ok(cache.size < 100, `${cache.size} are held`);
    database.close();
  });
});

describe('two connections to one database', () => {
  it('M6: each learns that the other has written, and not of what it wrote itself', async () => {
    const file = newFile();
    const [one, two] = [
      createMemoryDatabase(await Sqlite.open(file)),
      createMemoryDatabase(await Sqlite.open(file)),
    ];
    let [first, second] = [one.read().state, two.read().state];
    first = commit(one, first, saying('a'));
    assert.deepEqual([one.hasNews(), two.hasNews()], [false, true]);
    second = two.read().state;
    assert.deepEqual([idsIn(second), two.hasNews()], [['a'], false]);
    first = commit(one, first, saying('b'));
    assert.deepEqual(
      idsIn(commit(two, second, saying('c'))),
      ['a', 'b', 'c'],
      'a change is made to the newest state',
    );
    assert.deepEqual([one.sequence(), two.sequence()], [3, 3]);
    [one, two].forEach((database) => database.close());
  });

  it('M6: a turn that another one has changed is not taken from what was known of it', async () => {
    const file = newFile();
    const [one, two] = [
      createMemoryDatabase(await Sqlite.open(file)),
      createMemoryDatabase(await Sqlite.open(file)),
    ];
    const first = commit(one, one.read().state, saying('a'));
    two.read();
    commit(one, first, (draft) =>
      draft.change('c', (known) => ({
        ...known,
        turns: known.turns.map((turn) => ({ ...turn, isPinned: true })),
      })),
    );
    assert.equal(two.read().state.conversations.get('c')?.turns[0]?.isPinned, true);
    [one, two].forEach((database) => database.close());
  });

  it('M6: what is written while the other one reads is news to it', async () => {
    const file = newFile();
    const [sqlite, two] = [await Sqlite.open(file), createMemoryDatabase(await Sqlite.open(file))];
    const one = createMemoryDatabase(sqlite);
    let second = commit(two, two.read().state, saying('a'));
    const all = sqlite.all.bind(sqlite);
    sqlite.all = (sql, ...values) => {
      const rows = all(sql, ...values);
      if (sql.includes('FROM running') && idsIn(second).length === 1)
        second = commit(two, second, saying('b'));
      return rows;
    };
    const first = one.read().state;
    assert.deepEqual([idsIn(first), idsIn(second), one.hasNews()], [['a'], ['a', 'b'], true]);
    assert.deepEqual(idsIn(one.read().state), ['a', 'b']);
    [one, two].forEach((database) => database.close());
  });

  it('M6: what could not be read to its end is news still', async () => {
    const file = newFile();
    const [sqlite, two] = [await Sqlite.open(file), createMemoryDatabase(await Sqlite.open(file))];
    const one = createMemoryDatabase(sqlite);
    one.read();
    commit(two, two.read().state, saying('a'));
    const get = sqlite.get.bind(sqlite);
    sqlite.get = (sql, ...values) => {
      if (sql.includes('FROM sequence')) throw new Error('disk I/O error');
      return get(sql, ...values);
    };
    assert.throws(() => one.read(), /disk/);
    sqlite.get = get;
    assert.equal(one.hasNews(), true);
    assert.deepEqual(idsIn(one.read().state), ['a']);
    [one, two].forEach((database) => database.close());
  });

  // Windows knows no such rights, and lets nobody delete what is open.
  if (process.platform !== 'win32') {
    it('is read by nobody else on the machine', async () => {
      const file = newFile();
      const database = createMemoryDatabase(await Sqlite.open(file));
      commit(database, database.read().state, saying('a'));
      const assertHidden = () => {
        for (const end of ['', '-wal', '-shm'])
          assert.equal(statSync(`${file}${end}`).mode & 0o777, 0o600, end);
      };
      assertHidden();
      rmSync(dirname(file), { recursive: true });
      commit(database, database.read().state, saying('b'));
      // Written again after somebody deleted it.
      assertHidden();
      database.close();
    });
  }
});
