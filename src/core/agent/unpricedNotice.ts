import * as l10n from '@vscode/l10n';
import { tokenCount } from '../receipt';
import { wordList } from '../text/joined';
import type { BudgetLimits, Spending } from './spending';

/** A limit in dollars says nothing about a model whose price is not known (L14). */
export async function unpricedNotice(
  spending: Spending | undefined,
  { turn, day }: BudgetLimits,
  models: readonly string[],
): Promise<string | undefined> {
  if (!spending || turn + day === 0) return undefined;
  const unpriced = [...new Set(models)].filter((id) => spending.priceOf(id) === undefined);
  if (unpriced.length === 0) return undefined;
  const { unpricedTokens } = await spending.today();
  return l10n.t(
    'The price of {0} is not known, so the budget cannot hold it back. It is counted in tokens: {1} so far today.',
    wordList(unpriced),
    tokenCount(unpricedTokens),
  );
}
