import assert from 'node:assert/strict';
import { caseFoldPath } from '../../../../../src/core/tools/paths/caseFold';
import { cpuTime } from '../../../../support/cpuTime';

describe('one spelling for a path', () => {
  it('S5: takes no time, however many dots and spaces are in a name', () => {
    const blanks = `.vscode${'. '.repeat(50_000)}`;
    assert.equal(caseFoldPath(`${blanks}/settings.json`), '.vscode/settings.json');
    assert.ok(cpuTime(() => caseFoldPath(`${blanks}x/settings.json`)) < 500);
  });
});
