import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { decodeRecord } from '../../src/core/ledger/decodeRecord';
import { ledgerReport } from '../../src/core/ledger/ledgerReport';
import { usageSums } from '../../src/core/ledger/usageSums';
import { usageView } from '../../src/core/ledger/usageView';
import type { Usage } from '../../src/core/messages';
import { answered, wording } from '../support/ledgerRecords';
import { changeValue, hostileText, inShortTime, valueChange } from './mutations';
import { fuzzTarget, type FuzzTarget } from './target';

/** Records of the ledger as they stand in the database: of other versions, damaged, and with names of any kind in them. */
export function usageSumsTarget(): FuzzTarget {
  return fuzzTarget({
    name: 'usage sums',
    share: 6,
    input: fc.array(
      fc.record({
        model: hostileText,
        at: fc.nat(4e8),
        usage,
        changes: fc.array(valueChange, { maxLength: 2 }),
      }),
      {
        maxLength: 6,
      },
    ),
    holds: async (given) => inShortTime(() => add(given)),
  });
}

const count = fc.nat(2_000_000);
const usage = fc.record(
  {
    input: count,
    cacheRead: count,
    cacheWrite: count,
    output: count,
    cost: fc.double({ min: 0, max: 50, noNaN: true }),
  },
  { requiredKeys: ['input', 'cacheRead', 'cacheWrite', 'output'] },
);

function add(
  given: readonly {
    readonly model: string;
    readonly at: number;
    readonly usage: Usage;
    readonly changes: Parameters<typeof changeValue>[1];
  }[],
): void {
  const answers = given.flatMap(({ model, at, usage: took, changes }, index) => {
    const { words, ...written } = { ...answered(`t${index}`, at), model, usage: took };
    const read = decodeRecord(changeValue(JSON.parse(JSON.stringify(written)), changes));
    return read ? [{ ...read, words }] : [];
  });
  const [days, models] = usageSums(answers, wording);
  for (const { columns, rows } of [days!, models!]) {
    assert.ok(rows.every((row) => row.length === columns.length));
    assert.equal(
      rows.reduce((sum, row) => sum + Number(row[1]?.replaceAll(/\D/g, '')), 0),
      answers.length,
    );
    assert.ok(
      rows
        .flat()
        .every(
          (cell) =>
            !/NaN|undefined|Infinity/.test(cell) ||
            given.some(({ model }) => /NaN|undefined|Infinity/.test(model)),
        ),
    );
  }
  const view = JSON.stringify(usageView({ id: 'workspace', turns: [] }, answers, wording));
  assert.doesNotMatch(view, /:null|NaN/);
  for (const answer of answers) assert.match(ledgerReport(answer, answers, wording), /^# /);
}
