import assert from 'node:assert/strict';
import { measureForecast, people, sessions } from '../../bench/cost';

describe('the forecast of the next message', () => {
  const isClose = (error: number) => error <= 0.05;

  for (const [name, session] of Object.entries(sessions)) {
    it(`P6: is at most 5 % off in nine of ten messages: ${name}`, async () => {
      const errors = await measureForecast(session);
      const close = errors.filter(isClose).length;
      assert.equal(errors.length, session.turns - 1);
      assert.ok(
        close >= 0.9 * errors.length,
        `${close} of ${errors.length}: ${errors.map((e) => e.toFixed(3)).join(' ')}`,
      );
    });
  }

  for (const [name, pauses] of Object.entries(people)) {
    it(`P6: also with pauses: ${name}`, async () => {
      const errors = await measureForecast({ ...sessions['eviction half'], turns: 15 }, pauses);
      const close = errors.filter(isClose).length;
      assert.ok(
        close >= 0.9 * errors.length,
        `${close} of ${errors.length}: ${errors.map((e) => e.toFixed(3)).join(' ')}`,
      );
    });
  }
});
