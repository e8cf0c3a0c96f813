import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { retentionReport } from '../../../../../src/core/conversation/reports/retentionReport';
import { maxRecords } from '../../../../../src/core/ledger/record';
import { settingRules } from '../../../../../src/core/settings';
import { maxTotalSize } from '../../../../../src/core/tools/changes/changeRows';
import { maxClosedPlans } from '../../../../../src/core/tools/plans/plan';
import { projectRoot } from '../../../../support/projectPaths';

describe('what is said of what is kept', () => {
  it('M26: stands in the README in the same words', () => {
    assert.ok(readFileSync(join(projectRoot, 'README.md'), 'utf8').includes(retentionReport()));
  });

  it('M2, M3, M20: names the limits as they come', () => {
    const { maxTurns, conversationTimeout, archiveSize } = settingRules();
    assert.deepEqual(
      [maxTurns.fallback, conversationTimeout.fallback, archiveSize.fallback],
      [10, 1800, 100],
    );
    assert.match(retentionReport(), /last 10 turns \(`assistant\.maxTurns`\), until half an hour/);
    assert.match(retentionReport(), /newest 100 conversations \(`assistant\.archiveSize`\)/);
  });

  it('N2, C4, M24: names how much is kept of plans, changes and what was sent', () => {
    const kept = `${maxClosedPlans} plans, ${maxTotalSize / 2 ** 20} MB, ${maxRecords} answers`;
    assert.equal(kept, '20 plans, 50 MB, 300 answers');
    assert.match(retentionReport(), /last 20 that were closed.*at most 50 MB.*last 300 answers/s);
  });

  it('M26: says that Delete All takes plans and the way back from changes along', () => {
    const lines = retentionReport()
      .split('\n')
      .filter((line) => /^- \*\*(Plans|Changes)/.test(line));
    assert.equal(lines.filter((line) => line.includes('**Delete All Conversations…**')).length, 2);
  });
});
