import assert from 'node:assert/strict';
import type { LeaveReason, StoredTurn } from '../../../../src/core/conversation/turn';
import { datedName } from '../../../../src/core/datedTexts';
import { createLedger } from '../../../../src/core/ledger/ledger';
import type { AnswerRecord } from '../../../../src/core/ledger/record';
import type { TextFiles } from '../../../../src/core/ports';
import { createTextsInMemory } from '../../../../src/core/textsInMemory';
import { exchange } from '../../../support/conversation/testWorkspace';

describe('the ledger', () => {
  let files: TextFiles;
  let ledger: ReturnType<typeof createLedger>;
  let logged: string[];
  let failures: number[];
  let now: number;

  beforeEach(() => {
    files = createTextsInMemory();
    logged = [];
    now = 1000;
    failures = [];
    ledger = open();
  });

  const open = () =>
    createLedger({
      files,
      clock: () => now,
      log: { info: () => undefined, warn: () => undefined, error: (line) => logged.push(line) },
      onEraseFailed: (records) => failures.push(records),
    });

  const left = (reason: LeaveReason, ...ids: readonly string[]) =>
    ledger.left({ conversation: 'workspace', turns: ids.map(storedTurn), reason });
  const all = async () => JSON.stringify(await ledger.records());

  it('M24: gives records back in the order of time', async () => {
    ledger.add(answerRecord('b', { startedAt: 20, endedAt: 30 }));
    ledger.add(answerRecord('a', { startedAt: 10, endedAt: 15 }));
    now = 25;
    left('cap', 'a');
    assert.deepEqual(
      (await ledger.records()).map((record) => (record.kind === 'left' ? record.reason : record.turn)),
      ['a', 'cap', 'b'],
    );
  });

  it('M24: says which turns left, and why', async () => {
    left('budget', 'a', 'b');
    assert.deepEqual(await ledger.records(), [
      {
        version: 1,
        kind: 'left',
        conversation: 'workspace',
        at: 1000,
        reason: 'budget',
        turns: [
          { turn: 'a', words: 'question a', tokens: 77 },
          { turn: 'b', words: 'question b', tokens: 77 },
        ],
      },
    ]);
  });

  it('M20: keeps no words of a turn that was forgotten, and keeps its figures', async () => {
    ledger.add(answerRecord('a', { words: 'question a' }));
    ledger.add(answerRecord('b', { words: 'question b' }, 'a'));
    left('size', 'a');
    left('forgotten', 'a');
    assert.doesNotMatch(await all(), /question a/);
    assert.match(await all(), /question b/);
    assert.equal((await ledger.records()).length, 4);
    const a = (await ledger.records()).find((record) => record.kind === 'answer');
    assert.deepEqual(a?.usage, answerRecord('a').usage);
    assert.doesNotMatch(JSON.stringify(a), /order/);
  });

  it('M20: keeps no words of a conversation that was cleared, also of turns that had left it before', async () => {
    ledger.add(answerRecord('old', { words: 'question old', startedAt: 1, endedAt: 2 }));
    now = 3;
    left('expiry', 'old');
    ledger.add(answerRecord('a', { words: 'question a', startedAt: 4, endedAt: 5 }));
    ledger.add(answerRecord('b', { words: 'question b', startedAt: 6, endedAt: 7 }, 'a'));
    now = 7;
    left('cap', 'a');
    now = 8;
    left('cleared', 'b');
    assert.doesNotMatch(await all(), /question [ab]/);
    assert.match(await all(), /question old/);
  });

  it('M20: keeps no words of a conversation that went on after it had ended, and was cleared then', async () => {
    ledger.add(answerRecord('a', { words: 'question a', startedAt: 1, endedAt: 2 }));
    now = 3;
    left('cap', 'a');
    ledger.add(answerRecord('b', { words: 'question b', startedAt: 4, endedAt: 5 }));
    now = 6;
    left('expiry', 'b');
    now = 7;
    left('cleared', 'b');
    assert.doesNotMatch(await all(), /question [ab]/);
  });

  it('M20: keeps no words of a turn that was forgotten while the answer still ran', async () => {
    left('forgotten', 'a');
    ledger.add(answerRecord('b', {}, 'a'));
    assert.doesNotMatch(await all(), /question a/);
  });

  describe('with a record that cannot be changed', () => {
    let isLocked = true;
    /** What stands in the files, whatever anybody is shown. */
    const onDisk = async () =>
      (await Promise.all((await files.names()).map((name) => files.read(name)))).join('\n');

    beforeEach(async () => {
      for (let at = 1; at <= 4; at++) {
        const [turn, words] = [`turn-${at}`, `question ${at}`];
        ledger.add(answerRecord(turn, { words, startedAt: at, endedAt: at }));
      }
      await ledger.records();
      isLocked = true;
      const unlocked = files;
      const refuse = (name: string) => {
        if (isLocked && name.includes('turn-2')) throw Object.assign(new Error('locked'), { code: 'EBUSY' });
      };
      files = {
        ...unlocked,
        write: async (name, text) => {
          refuse(name);
          await unlocked.write(name, text);
        },
        remove: async (name) => {
          refuse(name);
          await unlocked.remove(name);
        },
      };
      ledger = open();
    });

    it('M26: erases the words of all others, says so, and shows none of them', async () => {
      left('cleared', 'turn-4');
      assert.doesNotMatch(await all(), /question/);
      assert.deepEqual((await onDisk()).match(/question \d/g), ['question 2']);
      assert.deepEqual(failures, [1]);
    });

    it('M26: erases the rest with the next record, once that is possible', async () => {
      left('cleared', 'turn-4');
      await ledger.records();
      isLocked = false;
      ledger.add(answerRecord('turn-5', { words: 'question 5', startedAt: 2000, endedAt: 2000 }));
      await ledger.records();
      assert.deepEqual((await onDisk()).match(/question \d/g), ['question 5']);
      assert.deepEqual(failures, [1], 'and does not speak of it again');
    });

    it('M26: still does after a restart, or a crash in the middle of it', async () => {
      left('cleared', 'turn-4');
      await ledger.records();
      isLocked = false;
      ledger = open();
      ledger.add(answerRecord('turn-5', { words: 'question 5', startedAt: 2000, endedAt: 2000 }));
      await ledger.records();
      assert.deepEqual((await onDisk()).match(/question \d/g), ['question 5']);
    });

    it('M26: shows none of them after a restart either, while it is still locked', async () => {
      left('cleared', 'turn-4');
      await ledger.records();
      ledger = open();
      assert.doesNotMatch(await all(), /question/);
    });
  });

  it('M26: on a full disk, records go with their words', async () => {
    ledger.add(answerRecord('a', { words: 'question a' }));
    ledger.add(answerRecord('b', { words: 'question b' }));
    await ledger.records();
    files.write = () => Promise.reject(new Error('disk full'));
    await ledger.forget(['a']);
    assert.doesNotMatch(await all(), /question a/);
    assert.equal((await files.names()).length, 1);
    assert.deepEqual(failures, []);
  });

  it('M26: a damaged record that speaks of an erased turn goes', async () => {
    await files.write(datedName(1, 'x'), '{"version":1,"kind":"answer","turn":"a","words":"question a"');
    await files.write(datedName(2, 'x'), '{"version":1,"kind":"answer","turn":"b","words":"question b"');
    await ledger.forget(['a']);
    assert.deepEqual(await files.names(), [datedName(2, 'x')]);
  });

  it('M24: one record that cannot be read hides no other', async () => {
    for (const turn of ['a', 'b', 'c']) ledger.add(answerRecord(turn));
    await ledger.records();
    const read = files.read.bind(files);
    files.read = (name) => (name.includes('-b.') ? Promise.reject(new Error('locked')) : read(name));
    assert.equal((await ledger.records()).length, 2);
  });

  it('M20: erases all records', async () => {
    ledger.add(answerRecord('a'));
    await ledger.clear();
    assert.deepEqual(await ledger.records(), []);
  });

  it('skips what is damaged, and what a later version wrote', async () => {
    await files.write(datedName(1, 'x'), '{"version":1,"kind":"ans');
    await files.write(datedName(2, 'x'), JSON.stringify({ ...answerRecord('x'), version: 2 }));
    await files.write(
      datedName(3, 'x'),
      JSON.stringify({ ...answerRecord('x'), sent: [{ kind: 'turn', tokens: -1 }] }),
    );
    await files.write(datedName(4, 'x'), JSON.stringify({ ...answerRecord('x'), usage: { input: 'many' } }));
    ledger.add(answerRecord('a'));
    assert.deepEqual(await ledger.records(), [answerRecord('a')]);
  });

  it('keeps the newest 300 records', async () => {
    for (let at = 1; at <= 302; at++) ledger.add(answerRecord(`turn-${at}`, { startedAt: at, endedAt: at }));
    const records = await ledger.records();
    assert.deepEqual(
      [records.length, records[0]],
      [300, answerRecord('turn-3', { startedAt: 3, endedAt: 3 })],
    );
  });

  it('logs that a record could not be written, and goes on', async () => {
    let isFull = true;
    const write = files.write.bind(files);
    files.write = (...args) => (isFull ? Promise.reject(new Error('disk full')) : write(...args));
    ledger.add(answerRecord('a'));
    await ledger.records();
    isFull = false;
    ledger.add(answerRecord('b'));
    assert.equal((await ledger.records()).length, 1);
    assert.equal(logged.length, 1);
  });

  it('tells of each change', async () => {
    let changes = 0;
    const subscription = ledger.onDidChange(() => changes++);
    ledger.add(answerRecord('a'));
    await ledger.forget(['a']);
    assert.equal(changes, 2);
    subscription.dispose();
    await ledger.clear();
    assert.equal(changes, 2);
  });
});

function storedTurn(id: string): StoredTurn {
  const rest = { startedAt: 1, endedAt: 1, order: 1, revision: 1, outcome: 'finished' } as const;
  return { id, ...rest, messages: exchange(id), tokens: 77 };
}

function answerRecord(
  turn: string,
  more: Partial<AnswerRecord> = {},
  ...sent: readonly string[]
): AnswerRecord {
  return {
    version: 1,
    kind: 'answer',
    turn,
    conversation: 'workspace',
    startedAt: 10,
    endedAt: 20,
    model: 'claude-sonnet-5-5',
    end: 'answered',
    requests: 1,
    usage: { input: 100, cacheRead: 0, cacheWrite: 0, output: 5 },
    sent: [
      ...sent.map((id) => ({ kind: 'turn', turn: id, words: `question ${id}`, tokens: 60 }) as const),
      { kind: 'param', name: 'order', tokens: 40 },
    ],
    leftOut: [],
    ...more,
  };
}
