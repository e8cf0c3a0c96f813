import type { Conversation, FinishedCall } from './mindConversation';
import { fillInput, type Wishes } from './mindInput';
import {
  describeFile,
  describeHits,
  describeListing,
  findReadme,
  firstHitPath,
  lastLines,
} from './mindProse';

/** What the mind does next: says something, and perhaps calls one tool. */
export interface Move {
  readonly say: string;
  readonly call?: { readonly tool: string; readonly input: Readonly<Record<string, unknown>> };
}

type Rule = (conversation: Conversation) => Move | undefined;

export function nextMove(conversation: Conversation): Move {
  const failed = conversation.calls.at(-1);
  if (failed?.isError === true) {
    return { say: `\`${failed.tool}\` did not work: ${lastLines(failed.output, 3)} I leave it at that.` };
  }
  for (const rule of rules) {
    const move = rule(conversation);
    if (move) return move;
  }
  return { say: whatICanDo(conversation) };
}

const recallQuestions: Rule = ({ question, earlier }) => {
  if (
    !/\bwhat did i (ask|say|tell)|\bdid i (ask|say)|\bmy (last|previous|first) (question|message)/i.test(
      question,
    )
  ) {
    return undefined;
  }
  if (earlier.length === 0)
    return { say: 'Nothing: this is the first message of our conversation that reaches me.' };
  const list = earlier.map((said, index) => `${index + 1}. ${clip(said, 120)}`).join('\n');
  return { say: `In this conversation you said before:\n\n${list}` };
};

const recallName: Rule = ({ question, earlier }) => {
  if (!/\bwhat('s| is) my name|\bwho am i\b/i.test(question)) return undefined;
  const name = earlier.map((said) => nameIn(said)).findLast((found) => found !== undefined);
  return {
    say:
      name === undefined
        ? 'You have not told me your name in what I can still see of our conversation.'
        : `Your name is ${name}: you told me earlier in this conversation.`,
  };
};

const remember: Rule = (conversation) => {
  const { question } = conversation;
  const name = nameIn(question);
  const fact = /(?<!do you )\bremember (?:that )?(.+)/i.exec(question)?.[1];
  if (name === undefined && fact === undefined) return undefined;
  const [key, value] = name === undefined ? splitFact(fact ?? '') : ['name', name];
  if (callOf(conversation, 'remember'))
    return { say: `Noted: **${key}** is ${value}. I keep it for later turns.` };
  return (
    call(conversation, 'remember', { name: key, value }, 'I make a note of that.') ?? {
      say: `Noted: ${key} is ${value}. There is no \`remember\` tool here, so I know it only as long as this conversation lasts.`,
    }
  );
};

const askBack: Rule = (conversation) => {
  if (!/\bask me\b/i.test(conversation.question)) return undefined;
  const asked = callOf(conversation, 'ask_user');
  if (asked) return { say: `You answered: ${lastLines(asked.output, 3)}. That was all I wanted to know.` };
  const param = /\b(?:which|what|for (?:a|an|the|my)) (\w+)/i.exec(conversation.question)?.[1] ?? 'choice';
  const options = param.match(/colou?r/i) ? ['red', 'green', 'blue'] : ['yes', 'no'];
  return call(
    conversation,
    'ask_user',
    { name: param, question: `Which ${param} shall it be?`, options },
    'One question first.',
  );
};

const edit: Rule = (conversation) => {
  const { question } = conversation;
  const replaced =
    /\b(?:replace|change)\s+["'`“](.+?)["'`”]\s+(?:with|by|to)\s+["'`“](.+?)["'`”]\s+in\s+(\S+)/i.exec(
      question,
    );
  if (!replaced) return undefined;
  const [, oldText = '', newText = '', file = ''] = replaced;
  const path = file.replaceAll(/[`'".,;]+$|^[`'"]+/g, '');
  const done = callOf(conversation, 'edit_file');
  if (done)
    return {
      say: `Done: in \`${path}\` “${oldText}” now reads “${newText}”. You can undo it in the editor.`,
    };
  return (
    (callOf(conversation, 'read_file')
      ? undefined
      : call(conversation, 'read_file', { path }, `I read \`${path}\` first.`)) ??
    call(conversation, 'edit_file', { path, oldText, newText }, 'Now the edit.')
  );
};

const search: Rule = (conversation) => {
  const { question } = conversation;
  if (!/\b(where|find|search|look for|usages?|who (calls|uses))\b/i.test(question)) return undefined;
  const term = termIn(question);
  if (term === undefined) return undefined;
  const found = callOf(conversation, 'search_text');
  if (!found)
    return call(conversation, 'search_text', { pattern: term }, `I search the workspace for \`${term}\`.`);
  const path = firstHitPath(found.output);
  const opened = callOf(conversation, 'read_file');
  if (path !== undefined && !opened) {
    const move = call(conversation, 'read_file', { path }, `I open the first hit, \`${path}\`.`);
    if (move) return move;
  }
  return {
    say: describeHits(term, found.output) + (opened ? `\n\n${describeFile(path ?? '', opened.output)}` : ''),
  };
};

const problems: Rule = (conversation) =>
  /\b(errors?|problems?|diagnostics|warnings?)\b/i.test(conversation.question)
    ? once(
        conversation,
        'get_diagnostics',
        {},
        'I look at the problems the editor knows of.',
        'The editor reports:',
      )
    : undefined;

const changes: Rule = (conversation) =>
  /\b(git|changed?|changes|diff|uncommitted)\b/i.test(conversation.question)
    ? once(conversation, 'get_changes', {}, 'I ask git.', 'Git reports:')
    : undefined;

const readNamedFile: Rule = (conversation) => {
  const path = /(?:^|[\s`'"(])([\w./-]*\w\.[a-z]\w{0,7})\b/i.exec(conversation.question)?.[1];
  if (path === undefined) return undefined;
  const opened = callOf(conversation, 'read_file');
  return opened
    ? { say: describeFile(path, opened.output) }
    : call(conversation, 'read_file', { path }, `I read \`${path}\`.`);
};

const lookAround: Rule = (conversation) => {
  if (
    !/\b(workspace|project|folder|director(y|ies)|repo(sitory)?|files?|code|here|readme)\b/i.test(
      conversation.question,
    )
  ) {
    return undefined;
  }
  const listed = callOf(conversation, 'list_directory') ?? callOf(conversation, 'find_files');
  if (!listed) {
    return (
      call(conversation, 'list_directory', { path: '.' }, 'I look at what is in the workspace.') ??
      call(conversation, 'find_files', { pattern: '**/*' }, 'I look for the files of the workspace.')
    );
  }
  const readme = findReadme(listed.output);
  const opened = callOf(conversation, 'read_file');
  if (readme !== undefined && !opened) {
    const move = call(conversation, 'read_file', { path: readme }, `There is a \`${readme}\`; I read it.`);
    if (move) return move;
  }
  const about = opened && readme !== undefined ? `\n\n${describeFile(readme, opened.output)}` : '';
  return { say: describeListing(listed.output) + about };
};

const rules: readonly Rule[] = [
  recallQuestions,
  recallName,
  remember,
  askBack,
  edit,
  search,
  problems,
  changes,
  readNamedFile,
  lookAround,
];

function whatICanDo({ tools }: Conversation): string {
  if (tools.size === 0) {
    return 'Hello! No tools were offered to me with this message, so I can only talk: I cannot look at any file.';
  }
  return (
    'Hello! Ask me for example “What is in this workspace?”, “Where is `greet`?”, “Read README.md”, ' +
    '“My name is …” and later “What is my name?”, or “What did I ask before?”. ' +
    `I have ${tools.size} tools to find out with.`
  );
}

/** A move that calls a tool, if the request offers it. */
function call({ tools }: Conversation, tool: string, wishes: Wishes, say: string): Move | undefined {
  const offered = tools.get(tool);
  return offered && { say, call: { tool, input: fillInput(offered.input_schema, wishes) } };
}

function callOf({ calls }: Conversation, tool: string): FinishedCall | undefined {
  return calls.findLast((finished) => finished.tool === tool);
}

function once(
  conversation: Conversation,
  tool: string,
  wishes: Wishes,
  say: string,
  heading: string,
): Move | undefined {
  const done = callOf(conversation, tool);
  return done
    ? { say: `${heading}\n\n\`\`\`text\n${clip(done.output, 1500)}\n\`\`\`` }
    : call(conversation, tool, wishes, say);
}

function nameIn(said: string): string | undefined {
  return /\b(?:[Mm]y name is|[Ii] am called|[Cc]all me)\s+(\p{L}[\p{L}'-]*(?:\s+\p{Lu}[\p{L}'-]+)*)/u.exec(
    said,
  )?.[1];
}

function splitFact(fact: string): readonly [string, string] {
  const [, key, value] = /^(?:the |my |our )?(.{1,40}?) (?:is|are|=) (.+?)[.!]?$/i.exec(fact.trim()) ?? [];
  return key !== undefined && value !== undefined
    ? [key.replaceAll(/\W+/g, '_'), value]
    : ['note', fact.trim().replace(/[.!]$/, '')];
}

/** What to search for: what is quoted, else what looks like an identifier, else the last long word. */
function termIn(question: string): string | undefined {
  const quoted = /[`"'“]([^`"'”]+)[`"'”]/.exec(question)?.[1];
  const identifier = /\b\w*(?:_\w+|[a-z][A-Z]\w*)\b/.exec(question)?.[0];
  const afterVerb =
    /\b(?:where (?:is|are|do|does)|find|search for|look for|usages? of|uses|calls)\s+(?:the |a |an )?([\w.-]{2,})/i.exec(
      question,
    )?.[1];
  return quoted ?? identifier ?? afterVerb;
}

function clip(said: string, length: number): string {
  const points = Array.from(said);
  return points.length > length ? `${points.slice(0, length).join('')}…` : said;
}
