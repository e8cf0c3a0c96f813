import assert from 'node:assert/strict';
import { dollars, receiptLine, tokenCount } from '../../../src/core/receipt';
import { inLanguage } from '../../support/inLanguage';

describe('receiptLine', () => {
  it('P6: names model, tokens in and out, what was cached, and the cost', () => {
    const usage = { input: 300, cacheRead: 11_000, cacheWrite: 1_000, output: 412, cost: 0.0123 };
    assert.equal(
      receiptLine('Claude Sonnet 5.5', usage),
      'Sonnet 5.5 · $0.0123 · 12.3k in (11.0k cached) · 412 out',
    );
  });

  it('P8: is written as the person’s own language writes words and figures', () => {
    const usage = { input: 300, cacheRead: 11_000, cacheWrite: 1_000, output: 412, cost: 0.0123 };
    const german = { en: 'de', '{0} in ({1} cached)': '{0} rein ({1} aus dem Cache)', '{0} out': '{0} raus' };
    assert.equal(
      inLanguage(german, () => receiptLine('Claude Sonnet 5.5', usage)),
      'Sonnet 5.5 · 0,0123\u00a0$ · 12,3k rein (11,0k aus dem Cache) · 412 raus',
    );
  });

  it('L16, L17: names what scouts and the web took of it', () => {
    const usage = { input: 300, cacheRead: 0, cacheWrite: 0, output: 12, cost: 0.05 };
    const own = { input: 100, cacheRead: 0, cacheWrite: 0, output: 10 };
    assert.equal(
      receiptLine('Claude Sonnet 5.5', usage, [
        { kind: 'scouts', usage: { ...own, cost: 0.001 } },
        { kind: 'web', usage: own },
      ]),
      'Sonnet 5.5 · $0.0500 · 300 in · 12 out · scouts $0.0010 · web 110',
    );
  });

  it('leaves out what is not there', () => {
    assert.equal(
      receiptLine('Mine', { input: 999, cacheRead: 0, cacheWrite: 0, output: 1 }),
      'Mine · 999 in · 1 out',
    );
  });

  it('shows no more digits than anybody reads', () => {
    const usage = { input: 99_949, cacheRead: 0, cacheWrite: 0, output: 99_950 };
    assert.equal(receiptLine('M', usage), 'M · 99.9k in · 100k out');
  });

  it('rounds large and small figures sensibly', () => {
    const usage = { input: 1_234_567, cacheRead: 0, cacheWrite: 0, output: 999_960 };
    assert.equal(receiptLine('M', { ...usage, cost: 12.3456 }), 'M · $12.35 · 1.23M in · 1.00M out');
    assert.equal(receiptLine('M', { ...usage, cost: 0.000_01 }), 'M · <$0.0001 · 1.23M in · 1.00M out');
  });

  it('changes the unit where rounding does', () => {
    assert.deepEqual([0, 999, 1000, 99_949, 99_950, 999_499, 999_500, 1_000_000].map(tokenCount), [
      '0',
      '999',
      '1.0k',
      '99.9k',
      '100k',
      '999k',
      '1.00M',
      '1.00M',
    ]);
    assert.deepEqual([0.000_099, 0.0001, 0.9999, 1, 1.005].map(dollars), [
      '<$0.0001',
      '$0.0001',
      '$0.9999',
      '$1.00',
      '$1.01',
    ]);
  });

  it('says so when nothing was paid', () => {
    const usage = { input: 10, cacheRead: 0, cacheWrite: 0, output: 1, cost: 0 };
    assert.equal(receiptLine('M', usage), 'M · free · 10 in · 1 out');
  });
});
