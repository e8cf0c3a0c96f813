// A window that works in a loop, turn after turn, until the budget of the day has stopped it before its first request.
import { createClaude } from '../../../src/claude/client';
import { TurnModel } from '../../../src/core/agent/turnModel';
import { openSpending } from '../spending';
import { ranTurn, tool } from '../turns';

const [file = '', url = '', day = '0', rounds = '40'] = process.argv.slice(2);

async function run(): Promise<void> {
  const { spending, sqlite } = await openSpending(Date.now, file);
  const claude = createClaude({ apiKey: async () => 'sk-ant-test', baseUrl: url });
  for (;;) {
    const model = new TurnModel(claude);
    model.guard(spending.gate({ turn: 0, day: Number(day) }));
    const { end } = await ranTurn({
      model,
      modelId: 'claude-sonnet-5-5',
      system: [{ type: 'text', text: 'Be kind. '.repeat(1000) }],
      tools: [
        tool('look', ({ input }) => ({ content: `${JSON.stringify(input)} ${'a garden '.repeat(300)}` })),
      ],
      maxRounds: Number(rounds),
      maxOutputTokens: 8_000,
    });
    process.stdout.write(`${end.end.reason} ${end.usage.cost ?? 0}\n`);
    const isHeld = end.end.reason === 'budget' && end.end.isHeld;
    if (isHeld || end.end.reason !== 'budget') break;
  }
  sqlite.close();
}

void run();
