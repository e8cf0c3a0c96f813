import { createClaude } from '../../src/claude/client';
import { TurnModel } from '../../src/core/agent/turnModel';
import { reply, text, toolUse } from '../support/claude/script';
import { startStandIn, type StandIn } from '../support/claude/standIn';
import { openSpending } from '../support/spending';
import { ranTurn, tool } from '../support/turns';

/** What a turn took of its budget, which it would have spent many times over. */
export interface BudgetFigures {
  readonly times: number;
  /** As long as the API keeps what it cached, and when it drops that after every request. */
  readonly cached: number;
  readonly dropped: number;
}

/** Stops a turn of 60 tool rounds by budgets of a part of what it takes (L14). */
export async function measureBudget(): Promise<readonly BudgetFigures[]> {
  let round = 0;
  const standIn = await startStandIn({
    mind: () => reply(toolUse('look', { round: ++round }), text('On. '.repeat(100))),
  });
  try {
    const free = await spentBy(standIn, 0, () => undefined);
    const figures: BudgetFigures[] = [];
    for (const times of [2, 5, 10, 20]) {
      const turn = free / times;
      figures.push({
        times,
        cached: (await spentBy(standIn, turn, () => undefined)) / turn,
        dropped: (await spentBy(standIn, turn, () => standIn.dropCache())) / turn,
      });
    }
    return figures;
  } finally {
    await standIn.close();
  }
}

async function spentBy({ url }: StandIn, turn: number, onRound: () => void): Promise<number> {
  const { spending, sqlite } = await openSpending();
  const model = new TurnModel(createClaude({ apiKey: async () => 'sk-ant-bench', baseUrl: url }));
  model.guard(spending.gate({ turn, day: 0 }));
  const { end } = await ranTurn({
    model,
    modelId: 'claude-sonnet-5-5',
    system: [{ type: 'text', text: 'Be kind. '.repeat(1500) }],
    tools: [
      tool('look', ({ input }) => {
        onRound();
        return { content: `${JSON.stringify(input)} ${'a garden '.repeat(300)}` };
      }),
    ],
    maxRounds: 60,
    maxOutputTokens: 32_000,
  });
  sqlite.close();
  return end.usage.cost ?? 0;
}
