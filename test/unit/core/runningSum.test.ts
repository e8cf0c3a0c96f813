import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { runningSum } from '../../../src/core/runningSum';

interface Item {
  readonly size: number;
}

const total = (list: readonly Item[]) => list.reduce((sum, { size }) => sum + size, 0);

describe('a running sum', () => {
  it('is the sum, whatever the lists have in common', () => {
    const size = fc.integer({ min: 1, max: 50 });
    const step = fc.record({
      at: fc.nat(8),
      removed: fc.nat(4),
      added: fc.array(size, { maxLength: 2 }),
      isAsked: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const sum = runningSum(({ size: own }: Item) => own);
        let list: readonly Item[] = [];
        for (const { at, removed, added, isAsked } of steps) {
          list = list.toSpliced(at, removed, ...added.map((own) => ({ size: own })));
          if (isAsked) assert.equal(sum(list), total(list));
        }
        assert.equal(sum(list.toReversed()), total(list));
      }),
      { numRuns: 500 },
    );
  });

  it('measures of a long list only what came and what went', () => {
    let measured = 0;
    const sum = runningSum(({ size }: Item) => {
      measured++;
      return size;
    });
    const measuredBy = (list: readonly Item[]) => {
      measured = 0;
      assert.equal(sum(list), total(list));
      return measured;
    };
    const all = Array.from({ length: 1_000 }, (_, index) => ({ size: index }));
    assert.equal(measuredBy(all), 1_000);
    assert.equal(measuredBy(all), 0);
    const longer = [...all, { size: 7 }];
    assert.equal(measuredBy(longer), 1, 'one was added');
    const moved = [...longer.slice(2), { size: 8 }];
    assert.equal(measuredBy(moved), 3, 'the first two left for another one');
    assert.equal(measuredBy(moved.with(500, { size: 9 })), 2, 'one was replaced');
  });
});
