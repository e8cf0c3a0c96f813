import assert from 'node:assert/strict';
import { timeSpan } from '../../../../src/core/text/timeSpan';

describe('timeSpan', () => {
  it('is in the largest unit that is still true', () => {
    const minute = 60_000;
    const spans = [
      -1,
      40_000,
      24 * minute,
      60 * minute,
      90 * minute,
      599 * minute,
      640 * minute,
      3000 * minute,
    ];
    assert.deepEqual(
      spans.map((ms) => timeSpan(ms)),
      ['0 s', '40 s', '24 min', '1 h', '1 h 30 min', '9 h 59 min', '11 h', '2 days'],
    );
  });
});
