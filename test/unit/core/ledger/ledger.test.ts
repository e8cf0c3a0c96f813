import assert from 'node:assert/strict';
import { StoreError } from '../../../../src/core/conversation/store';
import type { EvictReason } from '../../../../src/core/conversation/turn';
import { decodeRecord } from '../../../../src/core/ledger/decodeRecord';
import { createLedger, type Ledger } from '../../../../src/core/ledger/ledger';
import { paramId, type AnswerRecord } from '../../../../src/core/ledger/record';
import { decodeDepartures, decodeOlderAnswer } from '../../../../src/storage/older/olderRecords';
import { ledgerTableInMemory, type LedgerTableInMemory } from '../../../support/ledgerTable';

describe('the ledger', () => {
  let table: LedgerTableInMemory;
  let isThere: boolean;
  let ledger: Ledger;
  let logged: unknown[][];

  beforeEach(() => {
    table = ledgerTableInMemory();
    isThere = true;
    logged = [];
    ledger = createLedger({
      table: async () => (isThere ? table : undefined),
      log: { info: () => undefined, warn: () => undefined, error: (...line) => logged.push(line) },
    });
  });

  const evict = (at: number, reason: EvictReason, turn: string) =>
    table.departed.push({ conversation: 'workspace', turn, reason, tokens: 77, at });
  /** Without what is not known. */
  const records = async () => JSON.parse(JSON.stringify(await ledger.records())) as unknown;

  it('M24: knows a value by the same number in every version', () => {
    // Test vectors of FNV-1a.
    assert.deepEqual(['', 'a', 'foobar'].map(paramId), [0x811c9dc5, 0xe40c292c, 0xbf9cf968]);
  });

  it('M24: gives records back in the order of time', async () => {
    ledger.add(answerRecord('b', { startedAt: 20, endedAt: 30 }));
    ledger.add(answerRecord('a', { startedAt: 10, endedAt: 15 }));
    evict(25, 'cap', 'a');
    evict(30, 'budget', 'c');
    assert.deepEqual(
      (await ledger.records()).map((record) => (record.kind === 'evicted' ? record.reason : record.turn)),
      ['a', 'cap', 'budget', 'b'],
    );
  });

  it('M24: says which turns were evicted, and why', async () => {
    table.words.set('a', 'question a');
    evict(1000, 'budget', 'a');
    evict(1000, 'budget', 'b');
    const evicted = { kind: 'evicted', conversation: 'workspace', reason: 'budget', tokens: 77, at: 1000 };
    assert.deepEqual(await records(), [
      { ...evicted, turn: 'a', words: 'question a' },
      { ...evicted, turn: 'b' },
    ]);
  });

  it('M24, M28: names notes by what they say now, and keeps none of it', async () => {
    table.noteTexts.set(1, 'We use tabs.');
    const sent = [1, 2].map((note) => ({ kind: 'note', note, tokens: 5 }) as const);
    ledger.add(answerRecord('a', { sent, unsentNotes: [1, 3] }));
    const [record] = await ledger.records();
    assert.ok(record?.kind === 'answer');
    assert.deepEqual(
      record.sent.map(({ words }) => words),
      ['We use tabs.', undefined],
    );
    assert.deepEqual(record.unsentNoteTexts, ['We use tabs.']);
    assert.doesNotMatch(table.stored.join(), /tabs/);
    assert.deepEqual(decodeRecord({ ...answerRecord('a', {}), unsentNotes: ['x'] }), undefined);
  });

  it('M24: names turns and values by what is known of them now, and turns by their time otherwise', async () => {
    for (const turn of ['a', 'b', 'c']) table.words.set(turn, `question ${turn}`);
    table.params.add('order');
    ledger.add(answerRecord('a'));
    const excluded = [{ turn: 'c', tokens: 9, reason: 'size' }] as const;
    ledger.add(answerRecord('b', { startedAt: 30, endedAt: 40, excluded }, 'a', 'x'));
    evict(35, 'cap', 'a');
    const shown = async () => {
      const [, evicted, b] = (await records()) as readonly Record<string, unknown>[];
      const labels = (list: unknown) =>
        (list as AnswerLabel[]).map(({ words, startedAt }) => words ?? startedAt ?? 'unknown');
      return [evicted?.['words'], b?.['words'], ...labels(b?.['sent']), ...labels(b?.['excluded'])];
    };
    assert.deepEqual(await shown(), [
      'question a',
      'question b',
      'question a',
      'unknown',
      'order',
      'question c',
    ]);
    table.words.clear();
    table.params.clear();
    assert.deepEqual(
      await shown(),
      [null, null, 10, 'unknown', 'unknown', 'unknown'].map((x) => x ?? undefined),
    );
  });

  it('M26: stores neither words nor names of values', async () => {
    table.words.set('a', 'question a');
    table.params.add('order');
    ledger.add(answerRecord('b', {}, 'a'));
    assert.match(JSON.stringify(await ledger.records()), /question a.*order/);
    assert.doesNotMatch(table.stored.join(), /question|order/);
  });

  it('M20: erases all records', async () => {
    ledger.add(answerRecord('a'));
    evict(1, 'cap', 'x');
    await ledger.clear();
    assert.deepEqual(await ledger.records(), []);
  });

  it('skips what is damaged, and what a later version wrote', async () => {
    table.stored.push(
      'null',
      JSON.stringify({ ...answerRecord('x'), version: 2 }),
      JSON.stringify({ ...answerRecord('x'), sent: [{ kind: 'turn', tokens: -1 }] }),
      JSON.stringify({ ...answerRecord('x'), sent: [{ kind: 'turn', tokens: 1 }] }),
      JSON.stringify({ ...answerRecord('x'), excluded: [{ turn: 'y', tokens: 1, reason: 'mood' }] }),
      JSON.stringify({ ...answerRecord('x'), usage: { input: 'many' } }),
      ...[{}, { by: 'mood' }, { by: 'rule', tool: 'x' }].map((because) =>
        JSON.stringify({ ...answerRecord('x'), unasked: [{ tool: 'x', because, count: 1 }] }),
      ),
    );
    const because = { by: 'rule', rule: 1, tool: 'x', path: 'src/**' } as const;
    const whole = { ...answerRecord('a'), unasked: [{ tool: 'x', because, count: 1 }] };
    ledger.add(whole);
    assert.deepEqual(await records(), [whole]);
  });

  it('logs that a record could not be written, without what it says, and goes on', async () => {
    const add = table.add.bind(table);
    table.add = () => {
      throw new StoreError('failed', { cause: new Error('could not write "question a"') });
    };
    ledger.add(answerRecord('a'));
    await ledger.records();
    table.add = add;
    ledger.add(answerRecord('b'));
    assert.equal((await ledger.records()).length, 1);
    assert.deepEqual(logged, [['ledger: a record could not be written (failed)']]);
  });

  it('logs of any other error what kind it is, and not what it says', async () => {
    for (const thrown of [new TypeError('could not read "question a"'), 'question a']) {
      table.add = () => {
        throw thrown;
      };
      ledger.add(answerRecord('a'));
      await ledger.records();
    }
    assert.deepEqual(logged, [
      ['ledger: a record could not be written (TypeError)'],
      ['ledger: a record could not be written (string)'],
    ]);
  });

  it('without a database, keeps records as long as the window is open', async () => {
    isThere = false;
    ledger.add(answerRecord('a'));
    assert.deepEqual(await ledger.records(), [answerRecord('a')]);
    await ledger.clear();
    assert.deepEqual(await ledger.records(), []);
  });

  it('tells of each change', async () => {
    let changes = 0;
    const subscription = ledger.onDidChange(() => changes++);
    ledger.add(answerRecord('a'));
    await ledger.clear();
    assert.equal(changes, 2);
    subscription.dispose();
    await ledger.clear();
    assert.equal(changes, 2);
  });
});

describe('records from before the database', () => {
  const left = { turn: 'a', words: 'question a', tokens: 7 };

  it('M24, M26: keep their figures, and lose their words', () => {
    const { excluded: _none, ...rest } = answerRecord('b');
    const old = {
      ...rest,
      end: 'left',
      words: 'question b',
      sent: [
        { kind: 'fold', tokens: 1 },
        { kind: 'facts', tokens: 2 },
        { ...left, kind: 'turn', placeholders: ['[Image sent: photo]', '[Document sent: plan.pdf]'] },
        { kind: 'param', name: 'order', tokens: 3 },
        { kind: 'param', tokens: 4 },
        { kind: 'rounds', tokens: 90 },
      ],
      leftOut: [{ ...left, reason: 'full' }],
    };
    const decoded = decodeOlderAnswer(old);
    assert.deepEqual(decoded, {
      ...answerRecord('b'),
      end: 'aborted',
      sent: [
        { kind: 'summarize', tokens: 1 },
        { kind: 'context', tokens: 2 },
        { kind: 'turn', turn: 'a', tokens: 7, placeholders: 2 },
        { kind: 'param', param: paramId('order'), tokens: 3 },
        { kind: 'param', param: paramId(''), tokens: 4 },
        { kind: 'rounds', tokens: 90 },
      ],
      excluded: [{ turn: 'a', tokens: 7, reason: 'full' }],
    });
    assert.deepEqual(decodeRecord(decoded), decoded, 'and are the same when they are read again');
  });

  it('P4: are those of /compact if they say so', () => {
    const old = { ...answerRecord('a'), leftOut: [], words: '/compact' };
    assert.equal(decodeOlderAnswer(old)?.command, 'compact');
  });

  it('M24: still say which turns left, and why', () => {
    const turns = [left, { turn: 'b', tokens: 8 }];
    const old = { version: 1, kind: 'left', conversation: 'workspace', at: 5, reason: 'cap', turns };
    const row = { conversation: 'workspace', reason: 'cap', at: 5 };
    assert.deepEqual(decodeDepartures(old), [
      { ...row, turn: 'a', tokens: 7 },
      { ...row, turn: 'b', tokens: 8 },
    ]);
    assert.deepEqual(
      [decodeDepartures({ ...old, turns: [{}] }), decodeDepartures(answerRecord('a'))],
      [[], []],
    );
  });
});

interface AnswerLabel {
  readonly words?: string;
  readonly startedAt?: number;
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
      ...sent.map((id) => ({ kind: 'turn', turn: id, tokens: 60 }) as const),
      { kind: 'param', param: paramId('order'), tokens: 40 },
    ],
    excluded: [],
    ...more,
  };
}
