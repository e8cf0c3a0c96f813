import * as l10n from '@vscode/l10n';
import { dollars, tokenCount } from '../../receipt';

/** What was spent on one day in this workspace, over all windows (L14). */
export interface DaySum {
  /** US dollars. */
  readonly cost: number;
  /** Of models whose price is not known. */
  readonly unpricedTokens: number;
}

/** The sum of today, and what may be spent in a day; 0 is no limit. */
export interface Today {
  readonly spent: DaySum;
  readonly limit: number;
}

/** Nothing before anything was spent, unless there is a limit. */
export function daySentences({ spent: { cost, unpricedTokens }, limit }: Today): readonly string[] {
  const spent = `$${cost.toFixed(cost < 1 && cost > 0 ? 4 : 2)}`;
  const ofLimit =
    limit > 0
      ? [l10n.t('Spent today in this workspace: {0} of at most {1}', spent, dollars(limit))]
      : cost > 0
        ? [l10n.t('Spent today in this workspace: {0}', spent)]
        : [];
  const unpriced = l10n.t('At prices that are not known: {0} tokens today', tokenCount(unpricedTokens));
  return unpricedTokens > 0 ? [...ofLimit, unpriced] : ofLimit;
}
