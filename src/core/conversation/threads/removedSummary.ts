import * as l10n from '@vscode/l10n';
import { paragraph } from '../../text/joined';
import { type Conversation, type StoredTurn, isOneOf } from '../turn';

/** What became of the other turns in a summary that had to go, since it told of turns that were taken back. */
export interface RemovedSummary {
  /** How many are remembered as they were. */
  readonly back: number;
  /** How many are no longer remembered: there was no room to keep them, or there is none for them now. */
  readonly lost: number;
}

/** Nothing when the summary tells of no turn that was cut. */
export function removedSummaryBy(
  cut: readonly StoredTurn[],
  before: Conversation | undefined,
  turnsNow: readonly StoredTurn[],
): RemovedSummary | undefined {
  if (!before?.summary) return undefined;
  const taken = before.summarized.filter(isOneOf(cut)).length;
  const back = before.summarized.filter(isOneOf(turnsNow)).length;
  return taken > 0 ? { back, lost: Math.max(0, before.summary.turns - taken - back) } : undefined;
}

/** One line for the user (M13). */
export function removedSummaryNotice({ back, lost }: RemovedSummary): string {
  const gone = l10n.t('The summary told of turns that you took back, so it is gone.');
  const others =
    back === 1
      ? l10n.t('The other turn in it is remembered as it was.')
      : l10n.t('The {0} other turns in it are remembered as they were.', back);
  const missing =
    lost === 1
      ? l10n.t('There was no room to keep 1 turn that was in it.')
      : l10n.t('There was no room to keep {0} turns that were in it.', lost);
  return paragraph([gone, ...(back > 0 ? [others] : []), ...(lost > 0 ? [missing] : [])]);
}
