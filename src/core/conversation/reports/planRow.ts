import * as l10n from '@vscode/l10n';
import { tokenCount } from '../../receipt';
import { escapeMarkdown } from '../../text/markdown';
import { timeAgo } from '../../text/timeSpan';
import { stateOf, stepsOf, titleOf, type Plan } from '../../tools/plans/plan';
import { describeProgress, progressInWords } from '../../tools/plans/planReport';
import { labelChars, paragraphs, row, shortened, spokenChars, type MemoryNode } from './memoryRow';

/** The plan that is open, and those that were closed (N2). */
export function planNodes(plans: readonly Plan[], now: number): readonly MemoryNode[] {
  const open = plans.filter(({ isClosed }) => !isClosed);
  const closed = plans.filter(({ isClosed }) => isClosed);
  return [
    ...open.map((plan) => planNode(plan, now)),
    ...(closed.length > 0 ? [closedNode(closed, now)] : []),
  ];
}

/** Steps are many where plans are long: enough to see where it stands. */
const shownSteps = 15;
const charsPerToken = 4;

function planNode(plan: Plan, now: number): MemoryNode {
  const title = titleOf(plan.text);
  const label = shortened(title, labelChars) || l10n.t('(empty)');
  const state = stateOf(plan);
  const age = timeAgo(now - plan.changedAt);
  const steps = stepsOf(plan.text);
  const listed = steps
    .slice(0, shownSteps)
    .map(({ title: step, isDone }) => `- ${isDone ? '☑' : '☐'} ${escapeMarkdown(shortened(step, 80))}`);
  const more = steps.length > shownSteps ? [`- ${l10n.t('{0} more', steps.length - shownSteps)}`] : [];
  const tokens = `≈${tokenCount(Math.ceil(plan.text.length / charsPerToken))}`;
  return row({
    id: `plan/${plan.id}`,
    subject: { kind: 'plan', id: plan.id, state },
    label,
    details: [describeProgress(plan), ...(state === 'closed' ? [age] : [])],
    tooltip: paragraphs([
      `**${escapeMarkdown(shortened(title, 200))}**`,
      [...listed, ...more].join('\n'),
      state === 'closed'
        ? l10n.t('Closed: Claude does not get it. Changed {0}.', age)
        : l10n.t('Claude gets it with each message ({0} tokens), as it is saved. Changed {1}.', tokens, age),
    ]),
    spoken: l10n.t('Plan: {0}, {1}', shortened(title, spokenChars) || label, progressInWords(plan)),
  });
}

function closedNode(closed: readonly Plan[], now: number): MemoryNode {
  return row({
    id: 'plans',
    subject: { kind: 'plans' },
    label: l10n.t('Closed plans'),
    details: [String(closed.length)],
    tooltip: l10n.t('Claude does not know them, unless you start one again.'),
    children: closed.map((plan) => planNode(plan, now)),
  });
}
