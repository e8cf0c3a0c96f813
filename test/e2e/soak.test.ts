import assert from 'node:assert/strict';
import { runSoak } from '../soak/soak';

describe('a short soak', function () {
  this.timeout(240_000);

  it('M6–M9, M13: after each of 15 turns with faults, memory is what was acknowledged, and all requests are valid', async () => {
    const { fates } = await runSoak({ turns: 15, seed: 719 });
    const expected = [
      'dropped',
      'overloaded',
      'stopped',
      'retried',
      'edited',
      'killed',
      'failed after a round',
    ];
    assert.deepEqual(
      expected.filter((fate) => !Object.keys(fates).includes(fate)),
      [],
      'the seed no longer gives every fate',
    );
  });
});
