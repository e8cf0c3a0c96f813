import assert from 'node:assert/strict';
import { createCachePace } from '../../../../src/core/agent/cachePace';
import type { CacheTtl } from '../../../../src/core/cacheTtl';
import { seededRandom } from '../../../support/random';

const minute = 60_000;

/** What is chosen for a first request and after each of these pauses. */
function livesAfter(...pauses: readonly number[]): readonly CacheTtl[] {
  let now = 1_700_000_000_000;
  const pace = createCachePace(() => now);
  return [0, ...pauses].map((pause) => {
    now += pause;
    return pace.nextTtl();
  });
}

describe('createCachePace', () => {
  it('begins with five minutes and stays there while nobody pauses for longer', () => {
    assert.deepEqual(livesAfter(minute, 5 * minute, 10_000), ['5m', '5m', '5m', '5m']);
  });

  it('takes an hour once a pause was too long for five minutes, and keeps to it', () => {
    assert.deepEqual(livesAfter(minute, 6 * minute, minute, 60 * minute, 10_000), [
      '5m',
      '5m',
      '1h',
      '1h',
      '1h',
      '1h',
    ]);
  });

  it('spends no hour on people who come back later than that', () => {
    assert.deepEqual(livesAfter(120 * minute, 90 * minute, minute), ['5m', '5m', '5m', '5m']);
  });

  it('weighs pauses against absences', () => {
    const afterLunch = [20 * minute, 120 * minute] as const;
    assert.deepEqual(livesAfter(...afterLunch), ['5m', '1h', '5m']);
    assert.deepEqual(livesAfter(...afterLunch, minute, 20 * minute), ['5m', '1h', '5m', '5m', '1h']);
  });

  it('L9: changes its mind only when nothing is kept any more that would have to be written again', () => {
    const random = seededRandom(3);
    const pauses = Array.from({ length: 2_000 }, () => minute * Math.exp(2.5 * random() * 2 - 1));
    const lives = livesAfter(...pauses);
    assert.deepEqual(new Set(lives), new Set(['5m', '1h']));
    for (const [index, pause] of pauses.entries()) {
      const kept = lives[index] === '5m' ? 5 * minute : 60 * minute;
      if (lives[index + 1] !== lives[index]) assert.ok(pause > kept, `after ${pause} ms`);
    }
  });

  it('never takes an hour again from somebody who refused it', () => {
    let now = 0;
    const pace = createCachePace(() => now);
    const after = (pause: number): CacheTtl => {
      now += pause;
      return pace.nextTtl();
    };
    assert.deepEqual([after(0), after(10 * minute)], ['5m', '1h']);
    pace.disableHourTtl();
    assert.deepEqual([after(0), after(10 * minute)], ['5m', '5m']);
  });
});
