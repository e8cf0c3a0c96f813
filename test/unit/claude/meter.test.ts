import assert from 'node:assert/strict';
import { createForecast } from '../../../src/core/agent/forecast';
import { createMeter } from '../../../src/core/agent/meter';
import { toRequest } from '../../../src/core/agent/prompt';
import type { Message } from '../../../src/core/messages';
import { measureForecast, people, sessions } from '../../bench/cost';

describe('the forecast of the next message', () => {
  const assertClose = (errors: readonly number[]) => {
    const close = errors.filter((error) => error <= 0.05).length;
    const listed = errors.map((error) => error.toFixed(3)).join(' ');
    assert.ok(close >= 0.9 * errors.length, `${close} of ${errors.length}: ${listed}`);
  };

  for (const [name, session] of Object.entries(sessions)) {
    it(`P6: is at most 5 % off in nine of ten messages, and requests: ${name}`, async () => {
      const { messages, requests } = await measureForecast(session);
      assert.equal(messages.length, session.turns - 1);
      assertClose(messages);
      assert.ok(requests.length >= 3 * messages.length);
      assertClose(requests);
    });
  }

  for (const [name, pauses] of Object.entries(people)) {
    it(`P6: also with pauses: ${name}`, async () => {
      const { messages, requests } = await measureForecast(
        { ...sessions['eviction half'], turns: 15 },
        pauses,
      );
      assertClose(messages);
      assertClose(requests);
    });
  }

  it('P6: knows when the history goes cold and when the rest, which is kept for an hour', () => {
    let now = 1_000_000;
    const forecast = createForecast(() => now);
    const meter = createMeter({
      forecast,
      priceOf: () => ({ input: 2, output: 10, cacheRead: 0.1 }),
      windowOf: () => 1_000_000,
      systemTtl: () => '1h',
      clock: () => now,
    });
    const history: Message[] = [
      { role: 'user', content: 'Where? '.repeat(3000) },
      { role: 'assistant', content: 'There.' },
    ];
    const sent = {
      modelId: 'm',
      system: [{ type: 'text', text: 'Be kind. '.repeat(2000) }],
      ...{ tools: [], notes: undefined, plan: undefined, context: undefined },
    } as const;
    assert.equal(meter.next(history), undefined);
    meter.note(sent);
    const costNow = () => {
      const cost = meter.next(history)?.cost;
      assert.ok(cost && 'later' in cost);
      return cost;
    };
    assert.deepEqual(costNow().later, []);
    const prompt = { system: sent.system, tools: [], history, context: undefined, flattened: 0 };
    const turn = [{ message: { role: 'user', content: 'And?' } as const }];
    const request = toRequest({ ...prompt, turn }, sent, '1h');
    forecast.learn(request, { input: 0, cacheRead: 0, cacheWrite: 13_000, output: 10 }, now);
    now += 60_000;
    const warm = costNow();
    assert.deepEqual(
      warm.later.map(({ at }) => at),
      [1_300_000, 4_600_000],
    );
    const [half, cold] = warm.later;
    assert.ok(half && cold && warm.now < half.cost / 5 && half.cost < cold.cost);
    now = 1_300_000;
    assert.deepEqual([costNow().now, costNow().later], [half.cost, [cold]]);
    now = 4_600_000;
    assert.deepEqual(costNow(), { now: cold.cost, later: [] });
  });
});
