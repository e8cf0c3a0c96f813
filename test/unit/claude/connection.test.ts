import assert from 'node:assert/strict';
import { createConnection } from '../../../src/claude/connection';
import type { ModelError } from '../../../src/core/errors';
import { parseSettings, type Settings } from '../../../src/core/settings';
import { reply, stall, text } from '../../support/claude/script';
import { startStandIn, type StandIn } from '../../support/claude/standIn';

const request = {
  model: 'claude-sonnet-5-5',
  system: [],
  tools: [],
  messages: [{ role: 'user' as const, content: 'hi' }],
};

describe('the connection to Claude', () => {
  let standIn: StandIn;
  const signal = new AbortController().signal;

  before(async () => {
    standIn = await startStandIn();
  });
  beforeEach(() => standIn.reset());
  after(() => standIn.close());

  function settings(more: Partial<Settings> = {}): Settings {
    return { ...parseSettings(() => undefined).settings, ...more };
  }

  async function askOnce(options: { baseUrl?: string; environment?: Record<string, string> }): Promise<void> {
    standIn.script(reply(text('Hello.')));
    const connect = createConnection({
      apiKey: async () => 'sk-ant-1',
      environment: options.environment ?? {},
    });
    for await (const event of connect(settings({ baseUrl: options.baseUrl ?? '' })).stream(request, signal)) {
      if (event.type === 'answer') return;
    }
  }

  it('goes where the setting says, before the environment', async () => {
    await askOnce({ baseUrl: standIn.url, environment: { ANTHROPIC_BASE_URL: 'http://127.0.0.1:1' } });
    assert.equal(standIn.journal.messages.length, 1);
  });

  it('goes where the environment says when nothing is set', async () => {
    await askOnce({ environment: { ANTHROPIC_BASE_URL: standIn.url } });
    assert.equal(standIn.journal.messages.length, 1);
  });

  it('F6: waits in the middle of an answer no longer than for its beginning, as the setting says', async () => {
    standIn.script(reply(text('One'), stall()));
    const connect = createConnection({
      apiKey: async () => 'sk-ant-1',
      environment: { ANTHROPIC_BASE_URL: standIn.url },
    });
    await assert.rejects(
      async () => {
        for await (const _ of connect(settings({ requestTimeout: 0.05 })).stream(request, signal));
      },
      ({ kind }: ModelError) => kind === 'stalled',
    );
  });

  it('is the same for the same settings, and another for others', () => {
    const connect = createConnection({ apiKey: async () => undefined, environment: {} });
    const first = connect(settings());
    assert.equal(connect(settings({ maxTurns: 3 })), first);
    assert.notEqual(connect(settings({ baseUrl: standIn.url })), first);
  });
});
