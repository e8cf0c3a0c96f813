import { progressOf, stateOf, type Plan } from './plan';

/** Why a call has no result of its own while a plan is made (N1). */
export const notWhilePlanning =
  'Not run: the person asked for a plan with /plan, and nothing with side effects runs in this turn. Do not try it in ' +
  'another way: make it a step of the plan. They start the plan, or ask without /plan, when they want it done.';

const planning =
  'The person wants a plan (/plan), and nothing done yet: in this turn whatever has side effects is refused. Read and ' +
  'search what you need, ask with ask_user what only they know, then write the plan with write_plan and say in a few ' +
  'sentences what it comes to.';

/** What goes with the newest message: that a plan is wanted, and the plan as it is now. */
export function planContext(plan: Plan | undefined, isPlanning: boolean): string | undefined {
  const parts = [...(isPlanning ? [planning] : []), ...(plan ? [describePlan(plan)] : [])];
  return parts.length > 0 ? parts.join('\n\n') : undefined;
}

function describePlan(plan: Plan): string {
  const { done, total } = progressOf(plan.text);
  const state =
    stateOf(plan) === 'started'
      ? `It is at work: ${done} of ${total} steps are done. When their message is about it, go on with the next open steps, ` +
        'and tick each with write_plan as soon as it is done. The person sees the steps: do not repeat them in a todo list.'
      : 'It is not started: do nothing of it before they say so.';
  const words = plan.isEdited ? ' They have edited it: their words count.' : '';
  return `The plan of this workspace as it is now, for you and the person to write. ${state}${words}\n${quotePlan(plan.text)}`;
}

/** Whatever stands in it, it ends where it ends. */
export function quotePlan(text: string): string {
  if (text.trim() === '') return '(It is empty: the person has taken all of it out.)';
  let tag = 'plan';
  while (text.includes(`</${tag}>`)) tag += '_';
  return `<${tag}>\n${text}\n</${tag}>`;
}
