import assert from 'node:assert/strict';
import { createClaude } from '../../../src/claude/client';
import type { CacheTtl } from '../../../src/core/cacheTtl';
import type { Usage } from '../../../src/core/messages';
import { reply, text } from '../../support/claude/script';
import { startStandIn, type StandIn } from '../../support/claude/standIn';

describe('what caching saved', () => {
  let standIn: StandIn;
  before(async () => {
    standIn = await startStandIn({ mind: reply(text('ok')) });
  });
  beforeEach(() => standIn.reset());
  after(() => standIn.close());

  async function ask(ttl: CacheTtl, model = 'claude-sonnet-5-5', length = 1000): Promise<Usage> {
    const claude = createClaude({ apiKey: async () => 'sk-ant-test', baseUrl: standIn.url });
    const request = {
      model,
      system: [
        { type: 'text', text: 'Be kind. '.repeat(length), cache_control: { type: 'ephemeral', ttl } },
      ] as const,
      tools: [],
      messages: [{ role: 'user', content: 'Hello' }] as const,
    };
    for await (const event of claude.stream(request, new AbortController().signal))
      if (event.type === 'answer') return event.answer.usage;
    return assert.fail('no answer');
  }
  const close = (actual: number | undefined, expected: number) =>
    assert.ok(Math.abs((actual ?? NaN) - expected) < 1e-12, `${actual} and not ${expected}`);

  it('P6: is what reading spares, less what writing costs more: a quarter, or as much again for an hour', async () => {
    const short = await ask('5m');
    close(short.saved, (-short.cacheWrite * 2 * 0.25) / 1_000_000);
    const read = await ask('5m');
    assert.ok(read.cacheRead > 1000);
    close(read.saved, (read.cacheRead * (2 - 0.1)) / 1_000_000);
    standIn.reset();
    const hour = await ask('1h');
    close(hour.saved, (-hour.cacheWrite * 2) / 1_000_000);
  });

  it('P6: is at the price of a long prompt, where that is another', async () => {
    const long = await ask('5m', 'claude-haiku-5-5', 50_000);
    assert.ok(long.cacheWrite > 100_000);
    close(long.saved, (-long.cacheWrite * 0.5 * 0.25) / 1_000_000);
  });
});
