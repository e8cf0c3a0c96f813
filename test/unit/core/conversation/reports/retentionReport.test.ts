import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { retentionReport } from '../../../../../src/core/conversation/reports/retentionReport';
import { settingRules } from '../../../../../src/core/settings';
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
});
