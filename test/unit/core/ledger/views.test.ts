import assert from 'node:assert/strict';
import { compactRecord } from '../../../../src/core/ledger/compactRecord';
import { ledgerReport } from '../../../../src/core/ledger/ledgerReport';
import type { AnswerRecord, DepartureRecord, LedgerRecord } from '../../../../src/core/ledger/record';
import { usageReport } from '../../../../src/core/ledger/usageReport';
import type { AnswerRow } from '../../../../src/core/ledger/usageRows';
import { usageView } from '../../../../src/core/ledger/usageView';
import { noUsage } from '../../../../src/core/messages';

const options = {
  nameOfModel: (id: string) => `Model ${id}`,
  formats: { number: (value: number) => value.toLocaleString('en'), time: (at: number) => `at ${at}` },
};

function answered(turn: string, at: number, more: Partial<AnswerRecord> = {}): AnswerRecord {
  return {
    version: 1,
    kind: 'answer',
    turn,
    conversation: 'workspace',
    startedAt: at,
    endedAt: at + 5,
    model: 'm1',
    end: 'answered',
    words: `question ${turn}`,
    requests: 2,
    usage: { input: 100, cacheRead: 1500, cacheWrite: 400, output: 50, cost: 0.0123 },
    sent: [
      { kind: 'system', tokens: 700 },
      { kind: 'tools', tokens: 800 },
      { kind: 'message', tokens: 300 },
      { kind: 'rounds', tokens: 200 },
    ],
    leftOut: [],
    ...more,
  };
}

function departed(
  at: number,
  reason: DepartureRecord['reason'],
  ...turns: readonly string[]
): DepartureRecord {
  return {
    version: 1,
    kind: 'left',
    conversation: 'workspace',
    at,
    reason,
    turns: turns.map((turn) => ({ turn, words: `question ${turn}`, tokens: 70 })),
  };
}

describe('the document of an answer', () => {
  const report = (answer: AnswerRecord, ...others: readonly LedgerRecord[]) =>
    ledgerReport(answer, [...others, answer], options);
  const rows = (document: string, heading: string) => {
    const section = document.split(/^## /m).find((part) => part.startsWith(heading)) ?? '';
    return section
      .split('\n')
      .filter((line) => line.startsWith('|') && !line.includes('---'))
      .slice(1);
  };

  it('M24: lists what was sent with tokens, values by name only, and the sum that was reported', () => {
    const document = report(
      answered('b', 20, {
        sent: [
          { kind: 'system', tokens: 700 },
          { kind: 'summary', tokens: 100 },
          { kind: 'turn', turn: 'a', words: 'Is a | b **bold**?', tokens: 300 },
          { kind: 'param', name: 'order_id', tokens: 10 },
          { kind: 'message', tokens: 890 },
        ],
      }),
    );
    assert.deepEqual(rows(document, 'Sent'), [
      '| Instructions | 700 |',
      '| Summary of earlier turns | 100 |',
      '| Turn: Is a \\| b \\*\\*bold\\*\\*? | 300 |',
      '| Remembered value: **order\\_id** | 10 |',
      '| Your message, with what was attached | 890 |',
      '| **Sum** | **2,000** |',
    ]);
    assert.match(document, /\| Tokens in \| 2,000, of which 1,500 from the cache \(75%\) \|/);
    assert.match(document, /\| Model \| Model m1 \|/);
    assert.match(document, /\| Cost \| \$0\.0123 \|/);
  });

  it('M24: says what left before, newest first, and why', () => {
    const document = report(
      answered('d', 50, { leftOut: [{ turn: 'c', words: 'question c', tokens: 90, reason: 'size' }] }),
      departed(10, 'cap', 'a'),
      departed(20, 'budget', 'b'),
    );
    assert.deepEqual(rows(document, 'Left out'), [
      '| question c | 90 | no room |',
      '| question b | 70 | token budget |',
      '| question a | 70 | turn limit |',
    ]);
  });

  it('M24: does not say that a turn was left out which left later, or which was sent', () => {
    const document = report(
      answered('c', 50, { sent: [{ kind: 'turn', turn: 'a', words: 'question a', tokens: 2000 }] }),
      departed(10, 'fresh', 'a'),
      departed(60, 'cap', 'b'),
    );
    assert.match(document, /Nothing: all that is remembered was sent\./);
  });

  it('M24: speaks of the conversation that ended before, and not of older ones', () => {
    const document = report(
      answered('c', 50),
      departed(10, 'cap', 'old'),
      departed(20, 'expiry', 'older'),
      departed(30, 'expiry', 'a', 'b'),
    );
    assert.deepEqual(rows(document, 'Left out'), [
      '| question b | 70 | expired |',
      '| question a | 70 | expired |',
    ]);
  });

  it('M24: names the reason why a turn left, rather than that it was about to', () => {
    const document = report(
      answered('b', 50, { leftOut: [{ turn: 'a', words: 'question a', tokens: 70, reason: 'full' }] }),
      departed(51, 'summary', 'a'),
    );
    assert.deepEqual(rows(document, 'Left out'), ['| question a | 70 | folded into the summary |']);
  });

  it('M5: lists placeholders with the turn they stand in', () => {
    const placeholders = ['[Image sent: photo]', '[Document sent: plan.pdf]'];
    const document = report(
      answered('b', 20, { sent: [{ kind: 'turn', turn: 'a', words: 'look', tokens: 2000, placeholders }] }),
    );
    assert.deepEqual(rows(document, 'Sent as placeholders'), [
      '| look | \\[Image sent: photo\\] |',
      '| look | \\[Document sent: plan\\.pdf\\] |',
    ]);
  });

  it('M20: says that words were erased', () => {
    const { words: _erased, ...record } = answered('a', 10);
    assert.match(report(record), /^> \\\(erased\\\)$/m);
  });

  it('M12: says that nothing was sent of the conversation', () => {
    const { conversation: _none, words: _kept, ...record } = answered('a', 10);
    const document = report(record, departed(5, 'cap', 'x'));
    assert.match(document, /asked without memory: nothing of the conversation was sent/);
    assert.doesNotMatch(document, /question x/);
  });
});

describe('the usage page', () => {
  const current = { id: 'workspace', turns: [] };
  const scopes = (...records: readonly LedgerRecord[]) => usageView(current, records, options).scopes;

  it('P6: adds up what was recorded, for this conversation and for all', () => {
    const [conversation, all] = scopes(
      answered('a', 10),
      departed(20, 'expiry', 'a'),
      answered('b', 30),
      answered('c', 40, { conversation: 'other' }),
      answered('d', 50),
    );
    assert.deepEqual(
      [conversation?.summary, conversation?.cost],
      ['2 answers · 4.0k in, 75% cached · 100 out', '$0.0246'],
    );
    assert.deepEqual([all?.summary, all?.cost], ['4 answers · 8.0k in, 75% cached · 200 out', '$0.0492']);
    assert.deepEqual(all?.sums, [
      'Sum',
      '',
      '$0.0492',
      ...['8,000', '6,000', '1,600', '400'],
      ...['6,000', '0', '800', '1,200', '200'],
    ]);
  });

  it('has as many cells in each row as there are columns', () => {
    const { labels, scopes: all } = usageView(current, [answered('a', 10)], options);
    const [row] = all[0]!.rows as readonly AnswerRow[];
    assert.equal(row!.cells.length, labels.columns.length);
    assert.equal(all[0]!.sums.length, labels.columns.length);
  });

  it('P4: counts what /compact took', () => {
    const usage = { input: 10, cacheRead: 0, cacheWrite: 0, output: 5, cost: 0.001 };
    const outcome = {
      type: 'cancelled',
      usage,
      modelId: 'm2',
      turns: 3,
      pinned: 0,
      tokensBefore: 9,
      tokensAfter: 9,
    } as const;
    const about = { turn: 'c', conversation: 'workspace', startedAt: 20, endedAt: 21 };
    const record = compactRecord(outcome, about)!;
    const [conversation] = scopes(answered('a', 10), record);
    assert.equal(conversation?.summary, '2 answers · 2.0k in, 75% cached · 55 out');
    assert.deepEqual(
      conversation?.rows.map((row) => row.kind === 'answer' && row.words),
      ['/compact', 'question a'],
    );
    assert.equal(compactRecord({ ...outcome, usage: noUsage }, about), undefined);
    assert.equal(compactRecord({ type: 'nothing', pinned: 0 }, about), undefined);
  });

  it('P8: tells what the bars of a row show', () => {
    const [row] = scopes(answered('a', 10, { end: 'cancelled' }))[0]!.rows as readonly AnswerRow[];
    assert.equal(row!.summary, 'stopped by you · 2.0k in, 75% cached · 50 out · 2 requests');
    assert.equal(
      row!.spoken,
      'Instructions and tools: 1,500; History: 0; Tool results: 200; Your message: 300; Answer: 50',
    );
  });

  it('M24: shows what left between answers, newest first, together what left together', () => {
    const [conversation] = scopes(
      answered('a', 10),
      answered('b', 20),
      departed(30, 'cap', 'a'),
      departed(31, 'cap', 'b'),
      departed(32, 'rewind', 'c'),
      answered('d', 40),
    );
    assert.deepEqual(
      conversation?.rows.map((row) => (row.kind === 'answer' ? row.words : [row.text, row.turns])),
      [
        'question d',
        ['1 turn left the memory: taken back in the chat', ['question c']],
        ['2 turns left the memory: turn limit', ['question a', 'question b']],
        'question b',
        'question a',
      ],
    );
  });

  it('has nothing to show while nothing was recorded', () => {
    assert.deepEqual(
      scopes().map(({ rows }) => rows),
      [[], []],
    );
  });
});

describe('/usage', () => {
  const report = (turns: readonly string[], ...records: readonly LedgerRecord[]) =>
    usageReport({ id: 'workspace', turns }, records, options.nameOfModel).split('\n');

  it('P4: adds up tokens and cost, and says how answers ended and which words were erased', () => {
    const { words: _erased, ...forgotten } = answered('b', 20);
    const lines = report(
      ['a'],
      answered('a', 10, { words: 'Is a | b **bold**?' }),
      forgotten,
      departed(30, 'cap', 'b'),
      answered('c', 40, { end: 'cancelled', words: 'long '.repeat(12), model: 'm2' }),
    );
    const each = '\\$0\\.0123 · 2\\.0k in \\(1\\.5k cached\\) · 50 out';
    assert.deepEqual(lines.slice(0, 5), [
      '**Model m1, Model m2 · \\$0\\.0369 · 6\\.0k in \\(4\\.5k cached\\) · 150 out**',
      '',
      `1. Is a \\| b \\*\\*bold\\*\\*? — ${each}`,
      `2. \\(erased\\) — ${each}`,
      `3. ${'long '.repeat(8)}… \\(stopped by you\\) — ${each}`,
    ]);
    assert.match(
      lines.at(-1)!,
      /^This counts every answer since the conversation began.*It leaves out \/once\.$/,
    );
    const nothing = ['Nothing was used in this conversation yet.'];
    assert.deepEqual(report([]), nothing);
    assert.deepEqual(report([], answered('a', 10, { end: 'failed', usage: noUsage })), nothing);
  });

  it('P4: shows the newest answers, and the others as a sum', () => {
    const answers = Array.from({ length: 23 }, (_, index) => answered(`t${index}`, index * 10));
    const lines = report([], ...answers);
    assert.match(lines[2]!, /^3 earlier answers — \\\$0\\\.0369 · /);
    assert.match(lines[4]!, /^4\. question t3 — /);
    assert.match(lines.join('\n'), /^23\. question t22 — [^\n]*\n\nThis counts/m);
  });

  it('P4: says what it cannot count', () => {
    assert.match(
      report(['a', 'b', 'c'], answered('a', 10)).at(-1)!,
      /What 2 remembered turns took is not known here\.$/,
    );
    const full = Array.from({ length: 300 }, (_, index) => answered(`t${index}`, index * 10));
    assert.match(report([], ...full).at(-1)!, /Only the newest 300 records are kept\.$/);
  });

  it('M11: counts what a fork shares with the thread that it came from', () => {
    const elsewhere = { conversation: 'thread-s' };
    const lines = report(
      ['a'],
      answered('a', 10, elsewhere),
      answered('x', 20, elsewhere),
      answered('b', 30),
    );
    assert.match(lines[0]!, /0246/);
  });
});
