import assert from 'node:assert/strict';
import { array, assert as assertProperty, integer, nat, property } from 'fast-check';
import { apportion } from '../../../../src/core/ledger/recorder';

describe('apportion', () => {
  it('adds up exactly, and is never off by a whole one', () => {
    assertProperty(
      property(nat(1_000_000), array(nat(100_000), { minLength: 1, maxLength: 30 }), (whole, weights) => {
        const shares = apportion(whole, weights);
        const sum = weights.reduce((all, weight) => all + weight, 0);
        assert.equal(
          shares.reduce((all, share) => all + share, 0),
          whole,
        );
        if (sum === 0) return;
        for (const [index, share] of shares.entries()) {
          assert.ok(Math.abs(share - (whole * weights[index]!) / sum) < 1);
        }
      }),
    );
  });

  it('gives nothing to what weighs nothing', () => {
    assertProperty(
      property(nat(10_000), array(integer({ min: 1, max: 1000 }), { minLength: 1 }), (whole, weights) => {
        assert.equal(apportion(whole, [0, ...weights, 0]).at(-1), 0);
      }),
    );
  });

  it('rounds the largest remainder up', () => assert.deepEqual(apportion(10, [1, 2, 0]), [3, 7, 0]));
});
