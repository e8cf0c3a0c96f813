import type { Conversation, FinishedCall } from './mindConversation';

/** What the mind does next: says something, and perhaps calls one of our tools. */
export interface Move {
  readonly say: string;
  readonly call?: { readonly tool: string; readonly input: Readonly<Record<string, unknown>> };
}

/** What it proposes to ask; each can be answered in the sample workspace. */
export const proposals = [
  'What is in this workspace?',
  'Where is applyDiscount?',
  'Read src/orders.ts',
  'Replace "Rye bread" with "Oat bread" in src/catalogue.ts',
  'Remember that the order is O-12345',
  'Ask me which colour I like',
  'What did I ask before?',
] as const;

/** Says what to do when it is the one that fits. */
type Rule = (conversation: Conversation) => Move | undefined;

/** The first rule that fits decides. */
export function nextMove(conversation: Conversation): Move {
  const last = conversation.calls.at(-1);
  if (last?.isError === true) {
    return { say: `\`${last.tool}\` did not work: ${inOneLine(last.output)} I leave it at that.` };
  }
  const rules = [whatWasAsked, remember, askBack, replace, search, readFile, lookAround];
  for (const rule of rules) {
    const move = rule(conversation);
    // A tool may be switched off, or not there in Restricted Mode.
    if (move && (!move.call || conversation.tools.has(move.call.tool))) return move;
  }
  return { say: introduction(conversation) };
}

function introduction({ tools }: Conversation): string {
  if (tools.size === 0) return 'No tools came with this message, so I cannot look at any file.';
  return ['Hello! Try one of these:', '', ...proposals.map((proposal) => `- ${proposal}`)].join('\n');
}

function whatWasAsked({ question, earlier }: Conversation): Move | undefined {
  if (!/\bwhat did i (ask|say|tell)\b/i.test(question)) return undefined;
  if (earlier.length === 0) return { say: 'Nothing: this is the first message of the conversation.' };
  return { say: ['You said before:', '', ...earlier.map((said) => `1. ${inOneLine(said)}`)].join('\n') };
}

const remember: Rule = (conversation) => {
  const [, name = '', value = ''] =
    /\bremember that (?:the |my |our )?(.+?) is (.+?)[.!]?$/i.exec(conversation.question) ?? [];
  if (value === '') return undefined;
  if (resultOf(conversation, 'remember')) return { say: `Noted: **${name}** is ${value}.` };
  const input = { name: name.replaceAll(/\W+/g, '_'), value };
  return { say: 'I make a note of that.', call: { tool: 'remember', input } };
};

const askBack: Rule = (conversation) => {
  const param = /\bask me (?:which|what) (\w+)/i.exec(conversation.question)?.[1];
  if (param === undefined) return undefined;
  const answer = resultOf(conversation, 'ask_user');
  if (answer) return { say: `You answered: ${inOneLine(answer.output)}` };
  const input = { param, question: `Which ${param}?`, options: ['red', 'green', 'blue'] };
  return { say: 'One question first.', call: { tool: 'ask_user', input } };
};

const replace: Rule = (conversation) => {
  const [, oldText, newText, path] =
    /\breplace ["'`“](.+?)["'`”] with ["'`“](.+?)["'`”] in [`'"]?([^\s`'"]+)/i.exec(conversation.question) ??
    [];
  if (oldText === undefined || newText === undefined || path === undefined) return undefined;
  if (resultOf(conversation, 'edit_file')) return { say: `Done: “${oldText}” now reads “${newText}”.` };
  if (!resultOf(conversation, 'read_file')) {
    return { say: `I read \`${path}\` first.`, call: { tool: 'read_file', input: { path } } };
  }
  const input = { path, edits: [{ old_text: oldText, new_text: newText }] };
  return { say: 'Now the edit.', call: { tool: 'edit_file', input } };
};

const search: Rule = (conversation) => {
  const { question } = conversation;
  if (!/\b(where|find|search|look for|uses|calls)\b/i.test(question)) return undefined;
  const pattern = termIn(question);
  if (pattern === undefined) return undefined;
  const found = resultOf(conversation, 'search_text');
  if (found) return { say: `This is where I found \`${pattern}\`:\n\n${quoted(found.output)}` };
  const input = { pattern, literal: true, context_lines: 1 };
  return { say: `I search for \`${pattern}\`.`, call: { tool: 'search_text', input } };
};

/** What is quoted, else what looks like a name in code, else what follows the verb. */
function termIn(question: string): string | undefined {
  const quotedTerm = /[`"'“]([^`"'”]+)[`"'”]/.exec(question)?.[1];
  const identifier = /\b\w*(?:_\w+|[a-z][A-Z]\w*)\b/.exec(question)?.[0];
  const afterVerb =
    /\b(?:where (?:is|are)|find|search for|look for|uses|calls)\s+(?:the |a |an )?([\w.-]{2,})/i.exec(
      question,
    )?.[1];
  return quotedTerm ?? identifier ?? afterVerb;
}

const readFile: Rule = (conversation) => {
  const path = /(?:^|[\s`'"(])([\w./-]*\w\.[a-z]\w{0,7})\b/i.exec(conversation.question)?.[1];
  if (path === undefined) return undefined;
  const opened = resultOf(conversation, 'read_file');
  if (opened) return { say: `\`${path}\` begins:\n\n${quoted(opened.output)}` };
  return { say: `I read \`${path}\`.`, call: { tool: 'read_file', input: { path } } };
};

const lookAround: Rule = (conversation) => {
  if (!/\b(workspace|project|folder|repo(sitory)?|files?|code|here)\b/i.test(conversation.question)) {
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

/** The last result of this tool in this turn. */
function resultOf({ calls }: Conversation, tool: string): FinishedCall | undefined {
  return calls.findLast((finished) => finished.tool === tool);
}

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

function withoutTags(output: string): string {
  return output.replaceAll(/^<\/?[\w-]+[^>]*>\n?/gm, '').trim();
}
