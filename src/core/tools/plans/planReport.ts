import * as l10n from '@vscode/l10n';
import { progressOf, stateOf, type Plan } from './plan';

/** How far a plan is, for the Memory view, where room is short. */
export function describeProgress(plan: Plan): string {
  const { done, total } = progressOf(plan.text);
  const state = stateOf(plan);
  if (state === 'draft') return l10n.t('{0}, not started', stepCount(total));
  if (total === 0) return state === 'closed' ? l10n.t('closed') : l10n.t('at work');
  return `${done}/${total}`;
}

function stepCount(total: number): string {
  return total === 1 ? l10n.t('1 step') : l10n.t('{0} steps', total);
}

/** The same in words, below an answer and for those who only hear it. */
export function progressInWords(plan: Plan): string {
  const { done, total } = progressOf(plan.text);
  return stateOf(plan) === 'draft' || total === 0
    ? describeProgress(plan)
    : l10n.t('{0} of {1} steps done', done, total);
}
