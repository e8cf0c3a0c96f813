import assert from 'node:assert/strict';
import { maxRecords, type LedgerRecord } from '../../../../src/core/ledger/record';
import { usageReport } from '../../../../src/core/ledger/usageReport';
import { noUsage } from '../../../../src/core/messages';
import { answered, evicted, wording } from '../../../support/ledgerRecords';

describe('/usage', () => {
  const report = (turns: readonly string[], ...records: readonly LedgerRecord[]) =>
    usageReport({ id: 'workspace', turns }, records, wording).split('\n');

  it('P4: adds up tokens and cost, and says how answers ended and when those were whose words are not known', () => {
    const { words: _erased, ...forgotten } = answered('b', 20);
    const lines = report(
      ['a'],
      answered('a', 10, { words: 'Is a | b **bold**?' }),
      forgotten,
      ...evicted(30, 'cap', 'b'),
      answered('c', 40, { end: 'cancelled', words: 'long '.repeat(12), model: 'm2' }),
    );
    const each = '\\$0\\.0123 · 2\\.0k in \\(1\\.5k cached\\) · 50 out';
    assert.deepEqual(lines.slice(0, 5), [
      '**Model m1, Model m2 · \\$0\\.0369 · 6\\.0k in \\(4\\.5k cached\\) · 150 out**',
      '',
      `1. Is a \\| b \\*\\*bold\\*\\*? — ${each}`,
      `2. turn of at 20 — ${each}`,
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
    const full = Array.from({ length: maxRecords }, (_, index) => answered(`t${index}`, index * 10));
    assert.match(report([], ...full).at(-1)!, /Only the newest 300 answers are recorded\.$/);
  });

  it('P4: begins anew with the conversation, and is whole again when any turn of it comes back', () => {
    const records = [
      answered('a', 10),
      ...evicted(16, 'cap', 'a'),
      answered('b', 20),
      ...evicted(30, 'cleared', 'b', 'c'),
      answered('d', 40),
      ...evicted(50, 'fresh', 'd', 'e'),
    ];
    assert.match(report([], ...records, answered('f', 60))[0]!, /0123/);
    assert.match(report(['c'], ...records)[0]!, /0246/);
    assert.match(report(['e', 'f'], ...records, answered('f', 60))[0]!, /0246/);
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
