import { ToolError } from '../../errors';
import { cutText } from '../../text/cutText';
import { fetchingLines } from '../../text/foreignMarkdown';
import { wellFormed } from '../../text/json';
import { objectOf, string } from '../inputSchema';
import type { Tool } from '../tool';
import { maxPlanChars, progressOf, type Plan } from './plan';
import { quotePlan } from './planContext';
import type { Plans, SeenPlan } from './plans';

/** A result has no room for more. */
const maxShownChars = 25_000;

/** Writes the plan of the workspace (N1–N3), never over words of the person that this turn has not seen. */
export function createWritePlan(options: {
  readonly plans: Pick<Plans, 'write' | 'open'>;
  /** As it went with the message. */
  readonly seen: SeenPlan | undefined;
  readonly isPlanning: boolean;
  readonly onWritten: (plan: Plan, signal: AbortSignal) => Promise<void>;
}): Tool {
  const { plans, isPlanning } = options;
  let { seen } = options;
  return {
    name: 'write_plan',
    description:
      'Write the plan of this workspace: a Markdown document that the person reads, edits and keeps, also when this ' +
      'conversation is over. Use it when they ask for a plan. A good one has a heading, what it is about and what was ' +
      'decided in a few lines, and steps as "- [ ] " lines that each can be done and checked, with the files they touch. ' +
      'Give the whole text each time: it takes the place of the one before. While a plan is at work, tick a step ("- [x] ") ' +
      'as soon as it is done and leave all other words as they are.',
    effect: 'writes',
    staysInChat: true,
    inputSchema: objectOf({ markdown: string(`The whole plan, at most ${maxPlanChars} characters.`) }),
    async run({ input }, signal) {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the schema has been checked, see Tool.run
      const { markdown } = input as { readonly markdown: string };
      const text = checkedPlan(markdown, (await plans.open())?.text ?? '');
      const written = await plans.write({ text, seen, isPlanning });
      if (written.kind === 'closed') {
        seen = undefined;
        throw new ToolError(
          'Nothing was written: the person has closed the plan, or deleted it. Write another one only if they ask for it.',
        );
      }
      const { plan } = written;
      if (written.kind === 'changed') {
        if (plan.text.length > maxShownChars) {
          throw new ToolError(
            'Nothing was written: the person has changed the plan since you saw it, and it is too long to be shown here. ' +
              'You get it with their next message: say so.',
          );
        }
        seen = plan;
        throw new ToolError(
          'Nothing was written: the plan has changed since you saw it. Make your change on the text as it is now, keep ' +
            `all other words, and call write_plan again:\n\n${quotePlan(plan.text)}`,
        );
      }
      seen = plan;
      await options.onWritten(plan, signal);
      const { done, total } = progressOf(plan.text);
      return { content: `The plan is written: ${total} steps, ${done} of them done.` };
    },
  };
}

/** Whatever stands in the plan already may stay: the person may have written it. */
function checkedPlan(markdown: string, before: string): string {
  const text = wellFormed(markdown).trim();
  if (text === '') throw new ToolError('The plan is empty, so nothing was written. Give its whole text.');
  if (text.length > maxPlanChars) {
    throw new ToolError(
      `The plan has ${text.length} characters, and ${maxPlanChars} are the most it may have. Nothing was written: make it shorter.`,
    );
  }
  // The plan opens by itself, and a preview that follows the editor would show it (S6).
  const known = new Set(fetchingLines(before).map(unticked));
  const fetching = fetchingLines(text).find((line) => !known.has(unticked(line)));
  if (fetching !== undefined) {
    throw new ToolError(
      'Nothing was written: a plan has no pictures from the web and no HTML with attributes, since a preview of it would ' +
        'fetch them. Write an address as a link, and code between backticks or in a fence that begins at the margin, in ' +
        `the line: ${cutText(fetching, 200)}`,
    );
  }
  return `${text}\n`;
}

/** A step that is ticked is the same line. */
function unticked(line: string): string {
  return line.replace(/^((?:[-*+]|\d+[.)])[ \t]+)\[[xX]\]/, '$1[ ]');
}
