import { resultOf, withoutTags, type Conversation, type FinishedCall } from './mindConversation';
import type { Move, Rule } from './mindRules';
import { replacementIn, termIn } from './mindTerms';

/** Looks where the words of the request stand, and makes a step for each file. */
export const makePlan: Rule = (conversation) => {
  const { question, isPlanning } = conversation;
  if (!isPlanning) return undefined;
  if (resultOf(conversation, 'write_plan')) {
    return {
      say: 'The plan is open in the editor. Change it as you like: I do the steps that are there when you start it.',
    };
  }
  const replacement = replacementIn(question);
  if (replacement?.file !== undefined) return written(question, [question]);
  const term = termIn(replacement ? `"${replacement.oldText}"` : question);
  if (!term) return { say: 'I have nothing to look for. Name something that stands in the files.' };
  const found = resultOf(conversation, 'search_text');
  if (!found) {
    const input = { pattern: term.pattern, literal: term.isLiteral };
    return { say: `I search for ${term.shown}.`, call: { tool: 'search_text', input } };
  }
  const files = filesIn(found);
  if (files.length === 0)
    return { say: `I found no ${term.shown} in the workspace, so there is nothing to plan.` };
  if (!replacement) return written(question, [...files.slice(0, 3).map((file) => `Read ${file}`), question]);
  const { oldText, newText } = replacement;
  return written(
    question,
    files.map((file) => `Replace "${oldText}" with "${newText}" in ${file}`),
  );
};

function written(question: string, steps: readonly string[]): Move {
  const markdown = [
    `# ${question}`,
    '',
    'I do a step by the same rules as a message. What they cannot do, Claude would.',
    '',
    ...steps.map((step) => `- [ ] ${step}`),
  ].join('\n');
  return { say: 'I write the plan.', call: { tool: 'write_plan', input: { markdown } } };
}

/** The names stand above the lines that were found. */
function filesIn({ output }: FinishedCall): readonly string[] {
  const lines = withoutTags(output).split('\n');
  return lines.filter((line, at) => !/^\d+[:-]/.test(line) && /^\d+:/.test(lines[at + 1] ?? ''));
}

const openStep = /^(\s*[-*+] )\[ \] (\S.*)$/m;

/** Does one step after another as if it were a message, and ticks it. */
export function workOnPlan(nextMove: (conversation: Conversation) => Move): Rule {
  return (conversation) => {
    const { plan, isPlanning, question, calls } = conversation;
    // The message of the button is in the person's language.
    if (!plan?.isStarted || isPlanning || !/plan|プラン|计划/i.test(question)) return undefined;
    const ticked = calls.findLastIndex(({ tool }) => tool === 'write_plan');
    const markdownNow = calls[ticked]?.input['markdown'];
    const text = typeof markdownNow === 'string' ? markdownNow : plan.text;
    const step = openStep.exec(text)?.[2];
    if (step === undefined) return { say: 'All steps of the plan are done.' };
    const ofStep = calls.slice(ticked + 1);
    const move = nextMove({ ...conversation, plan: undefined, question: step, calls: ofStep });
    if (move.call) return move;
    if (ofStep.length === 0) return { say: `I stop at the step “${step}”. ${move.say}` };
    const markdown = text.replace(openStep, '$1[x] $2');
    return { say: move.say, call: { tool: 'write_plan', input: { markdown } } };
  };
}
