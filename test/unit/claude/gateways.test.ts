import assert from 'node:assert/strict';
import { createClaude } from '../../../src/claude/client';
import type { AgentEvent } from '../../../src/core/agent/events';
import { gatewayWays } from '../../support/claude/gateway';
import { reply, text, thinking, toolUse, viaGateway } from '../../support/claude/script';
import { startStandIn, type StandIn } from '../../support/claude/standIn';
import { ranTurn, tool } from '../../support/turns';

/** Through public gateways answers come in other forms than from Claude itself. All of these are one and the same answer. */
describe('answers through gateways, over HTTP', () => {
  let standIn: StandIn;
  before(async () => {
    standIn = await startStandIn({ allowsMissingThinking: true });
  });
  beforeEach(() => standIn.reset());
  after(() => standIn.close());

  const ran: unknown[] = [];
  const read = tool('read_file', ({ input }) => {
    ran.push(input);
    return { content: 'let a;' };
  });
  const model = () =>
    createClaude({ apiKey: () => Promise.resolve('sk-ant-test'), baseUrl: standIn.url, idleTimeoutMs: 500 });
  const turn = () => ranTurn({ model: model(), modelId: 'claude-sonnet-5-5', tools: [read] });

  const together = ['unnamed events', 'nulls', 'usage alone', 'one index'] as const;
  for (const ways of [...gatewayWays.map((way) => [way]), together]) {
    it(`L8: are understood with ${ways.join(', ')}`, async () => {
      ran.length = 0;
      standIn.script(
        viaGateway(
          ways,
          thinking('I should look.'),
          text('Let me ', 'look.'),
          toolUse('read_file', { path: 'a.ts' }, { id: 'toolu_1' }),
          toolUse('read_file', {}, { id: 'toolu_2' }),
        ),
        viaGateway(ways, thinking('So.'), text('It is empty.')),
      );
      const { end, events, shown } = await turn();
      assert.deepEqual(end.end, { reason: 'answered' });
      assert.deepEqual(ran, [{ path: 'a.ts' }, {}]);
      assert.equal(shown, 'Let me look.It is empty.');
      assert.equal(thoughtsIn(events), 'I should look.So.');
      assert.deepEqual([standIn.journal.messages.length, standIn.journal.refused], [2, []]);
      if (ways[0] !== 'no usage')
        assert.ok(end.usage.input > 0 && end.usage.output > 5, JSON.stringify(end.usage));
    });
  }

  it('L10: sends thinking back that began without its signature, and not what never got one', async () => {
    for (const [way, isSent] of [
      ['bare thinking', true],
      ['nulls', true],
      ['unsigned thinking', false],
    ] as const) {
      standIn.reset();
      standIn.script(
        viaGateway([way], thinking('I should look.'), toolUse('read_file', { path: 'a.ts' })),
        reply(text('Done.')),
      );
      await turn();
      assert.equal(/"type":"thinking"/.test(standIn.journal.messages[1]!.bodyText), isSent, way);
    }
  });
});

function thoughtsIn(events: readonly AgentEvent[]): string {
  return events.flatMap((event) => (event.type === 'thinking-delta' ? [event.text] : [])).join('');
}
