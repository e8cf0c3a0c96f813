import assert from 'node:assert/strict';
import { addUsage, noUsage } from '../../../src/core/messages';
import { startStandIn, type StandIn } from '../../support/claude/standIn';
import { inputTokens, runLongSession, sessionSummary } from '../../support/longSession';

describe('the token budget over HTTP', () => {
  let standIn: StandIn;
  before(async () => {
    standIn = await startStandIn();
  });
  beforeEach(() => standIn.reset());
  after(() => standIn.close());

  const budget = 12_000;
  /** From a few lines to a good part of the budget. */
  const resultChars = (turn: number) => [300, 9_000, 2_000, 15_000, 600][turn % 5] ?? 0;

  for (const eviction of ['oldest', 'half'] as const) {
    for (const whenFull of ['drop', 'summarize'] as const) {
      it(`M18: what is sent of a long conversation stays within it (${eviction}, ${whenFull})`, async () => {
        const { historyTokens, folds, window } = await runLongSession(standIn, {
          turns: 16,
          limits: { maxTurns: 0, tokenBudget: budget, eviction, whenFull },
          resultChars,
        });
        assert.deepEqual(standIn.journal.refused, []);
        const most = Math.max(...historyTokens);
        assert.ok(most <= budget, `${most} tokens of history`);
        // It is used, too: all that fits is sent.
        assert.ok(most > budget / 2, `${most} tokens of history`);
        assert.equal(folds.length > 0, whenFull === 'summarize');
        const sent = JSON.stringify(standIn.journal.messages.at(-1)?.body);
        assert.equal(sent.includes(sessionSummary.trim()), whenFull === 'summarize');
        assert.equal(window.chat.snapshot()?.turns.at(-1)?.messages.length, 4);
      });
    }
  }

  it('P3, M18: what is said of usage and money adds up to what was reported, summaries included', async () => {
    const { usages, folds } = await runLongSession(standIn, {
      turns: 12,
      limits: { maxTurns: 4, whenFull: 'summarize' },
      resultChars,
    });
    const said = usages.reduce(addUsage, noUsage);
    const entries = standIn.journal.messages;
    const reported = entries.reduce((sum, entry) => sum + inputTokens(entry), 0);
    assert.equal(said.input + said.cacheRead + said.cacheWrite, reported);
    assert.equal(
      said.output,
      entries.reduce((sum, { outcome }) => sum + (outcome.usage?.output_tokens ?? 0), 0),
    );
    assert.ok(folds.length >= 3);
    assert.deepEqual(
      folds.map(({ body }) => [(body as { model: string }).model, (body as { thinking: unknown }).thinking]),
      folds.map(() => ['claude-haiku-5-5', { type: 'disabled' }]),
    );
    const money = entries.reduce((sum, { body, outcome: { usage } }) => {
      const [input, output, read] =
        (body as { model: string }).model === 'claude-haiku-5-5' ? [0.1, 0.5, 0.01] : [2, 10, 0.1];
      return (
        sum +
        ((usage?.input_tokens ?? 0) * input +
          (usage?.cache_creation_input_tokens ?? 0) * input * 1.25 +
          (usage?.cache_read_input_tokens ?? 0) * read +
          (usage?.output_tokens ?? 0) * output) /
          1_000_000
      );
    }, 0);
    assert.ok(Math.abs((said.cost ?? 0) - money) < 1e-9, `${said.cost} is not ${money}`);
  });

  it('M18: folding the older half at once costs far less than turn by turn', async () => {
    const long = { turns: 20, limits: { maxTurns: 6, whenFull: 'summarize' } as const, resultChars };
    const halves = await runLongSession(standIn, long);
    standIn.reset();
    const single = await runLongSession(standIn, { ...long, summarizesSingly: true });
    assert.ok(halves.folds.length * 2 < single.folds.length, `${halves.folds.length} ${single.folds.length}`);
    assert.ok(halves.cost < single.cost * 0.8, `${halves.cost} ${single.cost}`);
  });
});
