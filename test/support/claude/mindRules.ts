import { resultOf, withoutTags, type Conversation, type FinishedCall } from './mindConversation';
import { makePlan, workOnPlan } from './mindPlans';
import { nameIn, replacementIn, termIn } from './mindTerms';

/** What the mind does next: says something, and perhaps calls one of our tools. */
export interface Move {
  readonly say: string;
  readonly call?: { readonly tool: string; readonly input: Readonly<Record<string, unknown>> };
}

const edit = 'Replace "Rye bread" with "Oat bread" in src/catalogue.ts';

/** What it proposes to ask; each can be answered in the sample workspace. */
export const proposals = [
  'What is in this workspace?',
  'Where is applyDiscount?',
  'Read src/orders.ts',
  edit,
  'Remember that the order is O-12345',
  'Note that we use tabs',
  'What is the order?',
  'What has changed?',
  'Ask me which colour I like',
  'What did I ask before?',
  'What did we say about applyDiscount?',
] as const;

/** The same for a plan: one step for each file, and in the first one several places to judge. */
export const plannedProposal = 'Replace "Cents" with "Pennies"';

/** Says what to do when it is the one that fits. */
export type Rule = (conversation: Conversation) => Move | undefined;

/** The first rule that fits decides. */
export function nextMove(conversation: Conversation): Move {
  const last = conversation.calls.at(-1);
  if (last?.isError === true) return { say: failure(last) };
  const rules = [
    ...[makePlan, workOnPlan(nextMove)],
    ...[recall, whatWasAsked, note, remember, rememberedValue, askBack, replace, otherOrder],
    ...[search, report, readFile, lookAround, searchWords],
  ];
  for (const rule of rules) {
    const move = rule(conversation);
    // A tool may be switched off, or not there in Restricted Mode.
    if (move && (!move.call || conversation.tools.has(move.call.tool))) return move;
  }
  return { say: introduction(conversation) };
}

function introduction({ tools, question }: Conversation): string {
  if (tools.size === 0) return 'No tools came with this message, so I cannot look at any file.';
  const beginning = /^(hello|help|hey|hi)\b/i.test(question) ? 'Hello!' : 'I have no rule for that.';
  return [
    `${beginning} Try one of these:`,
    '',
    ...proposals.map((proposal) => `- ${proposal}`),
    '',
    `With \`/plan ${plannedProposal}\` I make a plan first, which you can edit and start.`,
  ].join('\n');
}

/** What follows the first sentence of an error is advice to Claude. */
function failure({ tool, output }: FinishedCall): string {
  if (output.startsWith('The person did not allow')) return 'You did not allow that, so nothing was done.';
  const [sentence = ''] = inOneLine(output).split(/(?<=[.!?]) (?=[A-Z])/);
  return `\`${tool}\` did not work: ${sentence} I leave it at that.`;
}

const recall: Rule = (conversation) => {
  const query =
    /\b(?:what did (?:we|you|i) \w+|what was said|recall|remind me) (?:about|of|on|what) (.+?)[?.!]*$/i.exec(
      conversation.question,
    )?.[1];
  if (query === undefined) return undefined;
  const found = resultOf(conversation, 'recall');
  if (!found) return { say: 'I look through what was said.', call: { tool: 'recall', input: { query } } };
  if (found.output.startsWith('Nothing'))
    return { say: `I recall nothing more about ${query} than what is still in sight here.` };
  return { say: `I recall this:\n\n${quoted(found.output)}` };
};

function whatWasAsked({ question, earlier }: Conversation): Move | undefined {
  if (!/\bwhat did i (ask|say|tell)\b/i.test(question)) return undefined;
  if (earlier.length === 0) return { say: 'Nothing: this is the first message of the conversation.' };
  return { say: ['You said before:', '', ...earlier.map((said) => `1. ${inOneLine(said)}`)].join('\n') };
}

const note: Rule = (conversation) => {
  const said = /^(?:please )?note (?:that )?(.+?)[.!]?$/i.exec(conversation.question)?.[1];
  if (said === undefined) return undefined;
  if (resultOf(conversation, 'note')) return { say: 'I keep that in mind.' };
  const input = { text: `${said[0]?.toUpperCase()}${said.slice(1)}.` };
  return { say: 'I make a note of that.', call: { tool: 'note', input } };
};

const remember: Rule = (conversation) => {
  const [, name = '', value = ''] =
    /\bremember (?:that )?(?:the |my |our )?(.+?) (?:is |(?=\S*\d\S*$))(.+?)[.!]?$/i.exec(
      conversation.question,
    ) ?? [];
  if (value === '') return undefined;
  if (resultOf(conversation, 'remember')) return { say: `Remembered: **${name}** is ${value}.` };
  const input = { name: name.replaceAll(/\W+/g, '_'), value };
  return { say: 'I remember that.', call: { tool: 'remember', input } };
};

const rememberedValue: Rule = ({ question, remembered }) => {
  const asked = /\bwhat(?:'s| is| was) (?:the |my |our )?(.+?)[?.]*$/i.exec(question)?.[1];
  const name = asked?.replaceAll(/\W+/g, '_').toLowerCase();
  const value = remembered.find(([candidate]) => candidate.toLowerCase() === name)?.[1];
  return value === undefined ? undefined : { say: `I remember it: **${asked}** is ${value}.` };
};

const askBack: Rule = (conversation) => {
  const param = /\bask me (?:which|what) (\w+)/i.exec(conversation.question)?.[1];
  if (param === undefined) return undefined;
  const answer = resultOf(conversation, 'ask_user');
  if (answer) return { say: `You answered: ${inOneLine(answer.output)}` };
  const options = /^colou?r$/i.test(param) ? { options: ['red', 'green', 'blue'] } : {};
  const input = { param, question: `Which ${param}?`, ...options };
  return { say: 'One question first.', call: { tool: 'ask_user', input } };
};

const replace: Rule = (conversation) => {
  const { oldText, newText, file } = replacementIn(conversation.question) ?? {};
  if (oldText === undefined || newText === undefined || file === undefined) return undefined;
  if (resultOf(conversation, 'edit_file')) return { say: `Done: “${oldText}” now reads “${newText}”.` };
  const path = locate(conversation, file);
  if (typeof path !== 'string') return path;
  if (!resultOf(conversation, 'read_file')) {
    return { say: `I read \`${path}\` first.`, call: { tool: 'read_file', input: { path } } };
  }
  const input = { path, edits: [{ old_text: oldText, new_text: newText, replace_all: true }] };
  return { say: 'Now the edit.', call: { tool: 'edit_file', input } };
};

const otherOrder: Rule = ({ question }) => {
  const orders =
    /^(?:please |can you |could you )*(?:add|change|create|delete|fix|implement|make|move|remove|rename|write)\b/i;
  if (!orders.test(question)) return undefined;
  return { say: `Claude would do that. I can only replace one text with another, such as: ${edit}` };
};

const search: Rule = (conversation) => {
  const { question } = conversation;
  const isAboutPlaces = /\b(where|find|search|look for|uses?|used|calls?|called)\b/i.test(question);
  return isAboutPlaces || nameIn(question) !== undefined ? searchTerm(conversation) : undefined;
};

/** Any other question: what is said about it somewhere may be the answer. */
const searchWords: Rule = (conversation) =>
  /\?\s*$|^(explain|describe|show|tell)\b/i.test(conversation.question)
    ? searchTerm(conversation)
    : undefined;

const searchTerm: Rule = (conversation) => {
  const term = termIn(conversation.question);
  if (!term) return undefined;
  const found = resultOf(conversation, 'search_text');
  if (found?.output.includes('No match for')) return { say: `I found no ${term.shown} in the workspace.` };
  if (found) return { say: `This is where I found ${term.shown}:\n\n${quoted(found.output)}` };
  const input = { pattern: term.pattern, literal: term.isLiteral, context_lines: 1 };
  return { say: `I search for ${term.shown}.`, call: { tool: 'search_text', input } };
};

const reports = [
  { about: /\b(changed|changes|diff|uncommitted)\b/i, tool: 'get_changes' },
  { about: /\b(problems?|errors?|warnings?)\b/i, tool: 'get_diagnostics' },
];

const report: Rule = (conversation) => {
  const tool = reports.find(({ about }) => about.test(conversation.question))?.tool;
  if (tool === undefined) return undefined;
  const told = resultOf(conversation, tool);
  if (told) return { say: `\`${tool}\` says:\n\n${quoted(told.output)}` };
  return { say: 'I have a look.', call: { tool, input: {} } };
};

const readFile: Rule = (conversation) => {
  const { question } = conversation;
  const written = /(?:^|[\s`'"(])([\w./-]*\w\.[a-z]\w{0,7})\b/i.exec(question)?.[1];
  const named = written ?? (/\breadme\b/i.test(question) ? 'README.md' : undefined);
  if (named === undefined) return undefined;
  const path = locate(conversation, named);
  if (typeof path !== 'string') return path;
  const opened = resultOf(conversation, 'read_file');
  if (opened) return { say: `\`${path}\` begins:\n\n${quoted(opened.output)}` };
  return { say: `I read \`${path}\`.`, call: { tool: 'read_file', input: { path } } };
};

/** The path of a file that people call by its name alone, or what to do to find out. */
function locate(conversation: Conversation, named: string): string | Move {
  if (named.includes('/') || !conversation.tools.has('find_files')) return named;
  const found = resultOf(conversation, 'find_files');
  if (!found) {
    return { say: `I look for \`${named}\`.`, call: { tool: 'find_files', input: { pattern: named } } };
  }
  const path = withoutTags(found.output).split('\n')[0] ?? '';
  return path.endsWith(named) ? path : { say: `There is no \`${named}\` in the workspace.` };
}

const lookAround: Rule = (conversation) => {
  if (
    !/\b(workspace|project|folder|repo(sitory)?|files?|(this|the) code|here)\b/i.test(conversation.question)
  ) {
    return undefined;
  }
  const listed = resultOf(conversation, 'list_directory');
  if (!listed) return { say: 'I look around.', call: { tool: 'list_directory', input: {} } };
  const readme = /\bREADME\.\w+/i.exec(listed.output)?.[0];
  const opened = resultOf(conversation, 'read_file');
  if (readme !== undefined && !opened) {
    return { say: `I read \`${readme}\`.`, call: { tool: 'read_file', input: { path: readme } } };
  }
  const about = opened ? `\n\n\`${readme}\` says:\n\n${quoted(opened.output)}` : '';
  return { say: `This is in the workspace:\n\n${quoted(listed.output)}${about}` };
};

const shownLines = 20;

/** The beginning of what a tool returned, as it is. */
function quoted(output: string): string {
  const lines = withoutTags(output).split('\n');
  const more = lines.length > shownLines ? [`… and ${lines.length - shownLines} more lines`] : [];
  return ['```text', ...lines.slice(0, shownLines), ...more, '```'].join('\n');
}

function inOneLine(output: string): string {
  return withoutTags(output).replaceAll(/\s+/g, ' ').slice(0, 200);
}
