import assert from 'node:assert/strict';
import type { FuzzTarget } from '../fuzz/target';
import { openTargets } from '../fuzz/targets';

/** A fixed sample of what `npm run fuzz` does at length. */
describe('hostile input', () => {
  let targets: readonly FuzzTarget[] = [];
  before(async () => {
    targets = await openTargets();
  });
  after(async () => {
    for (const target of targets) await target.close?.();
  });

  const sample = [
    ['stream', 60],
    ['stored state', 150],
    ['settings', 150],
    ['tool input', 200],
    ['attachments', 150],
    ['imported file', 150],
    ['provider', 150],
    ['recall query', 100],
    ['documents', 100],
    ['guidance', 100],
    ['permissions', 100],
    ['web address', 100],
    ['hunks', 100],
    ['usage sums', 100],
    ['placeholders', 100],
    ['pictures', 300],
  ] as const;
  for (const [name, cases] of sample) {
    it(`${name}: does no harm in ${cases} cases, always the same`, async () => {
      const target = targets.find((one) => one.name === name);
      assert.ok(target);
      const { cases: ran, failure } = await target.run({ cases, seed: 20_261_116 });
      assert.equal(failure, undefined, failure?.report);
      assert.equal(ran, cases);
    });
  }

  it('knows every kind of it', () => {
    // The simulation has its own tests.
    const others = targets.map(({ name }) => name).filter((name) => name !== 'simulation');
    assert.deepEqual(
      others,
      sample.map(([name]) => name),
    );
  });
});
