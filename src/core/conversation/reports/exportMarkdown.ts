import * as l10n from '@vscode/l10n';
import { addUsage, blocksOf, type Message, type ToolUseBlock } from '../../messages';
import { receiptLine } from '../../receipt';
import { redacting } from '../../secrets/redact';
import { ellipsize } from '../../text/cutText';
import { isObject, mapTexts } from '../../text/json';
import { codeSpan, fenced, inline, quoted } from '../../text/markdown';
import { filesOfCall } from '../../tools/toolset';
import type { ExportOptions } from '../archive/portable';
import { withoutValues } from '../archive/withoutValues';
import { firstWords } from '../firstWords';
import { repairedMessages } from '../transcript';
import { valuesOf, type Conversation, type StoredTurn } from '../turn';
import { wasInterrupted } from './aboutTurn';

export interface MarkdownOptions extends ExportOptions {
  readonly nameOfModel: (id: string) => string;
  /** A moment in the person's own way of writing. */
  readonly formatTime: (at: number) => string;
}

/** A conversation for people to read (M21). Whatever was said in it stays inside its own part of the document. */
export function toMarkdown(conversation: Conversation, options: MarkdownOptions): string {
  const chosen = options.withValues ? conversation : withoutValues(conversation);
  // Before Markdown writes anything in a way of its own, in which no secret would be found.
  const shown = mapTexts(chosen, redacting(options.secrets));
  const turns = shown.turns
    .map((turn) => ({ ...turn, messages: repairedMessages(turn.messages) }))
    .filter(({ messages }) => messages.length > 0);
  const [first] = turns;
  const sections = [
    `# ${inline(first ? firstWords(first) : l10n.t('An empty conversation'))}`,
    overview(turns, options),
    files(turns),
    ...(shown.summary ? [`## ${l10n.t('Before, in short')}`, quoted(shown.summary.text)] : []),
    ...(options.withValues ? values(shown) : []),
    ...turns.flatMap((turn, index) => turnSections(turn, index + 1, options)),
  ];
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}

function overview(turns: readonly StoredTurn[], { formatTime }: MarkdownOptions): string {
  const [first, last] = [turns[0], turns.at(-1)];
  if (!first || !last) return '';
  const count = turns.length === 1 ? l10n.t('1 turn') : l10n.t('{0} turns', turns.length);
  const times = new Set([formatTime(first.startedAt), formatTime(last.endedAt)]);
  const span = [...times].join(' – ');
  const usages = turns.flatMap(({ usage }) => usage ?? []);
  const [usage, ...rest] = usages;
  const line = usage ? [receiptLine(count, rest.reduce(addUsage, usage))] : [count];
  return [...line, inline(span)].join(' · ');
}

function values({ params }: Conversation): readonly string[] {
  const lines = [...valuesOf({ params })].map(
    ([name, { value }]) => `- ${codeSpan(name)}: ${codeSpan(value)}`,
  );
  return lines.length === 0 ? [] : [`## ${l10n.t('Remembered values')}`, lines.join('\n')];
}

function turnSections(turn: StoredTurn, number: number, options: MarkdownOptions): readonly string[] {
  const { formatTime, nameOfModel } = options;
  const { usage, model } = turn;
  const name = inline(model === undefined ? 'Claude' : nameOfModel(model));
  return [
    `## ${number}. ${inline(formatTime(turn.startedAt))}`,
    ...joinedCalls(
      turn.messages.flatMap((message) => messageSections(message, failedUses(turn))),
      callsHeading(),
    ),
    wasInterrupted(turn) ? `*${l10n.t('This answer was interrupted.')}*` : '',
    usage ? `*${receiptLine(name, usage)}*` : '',
  ];
}

function messageSections(message: Message, failed: ReadonlySet<string>): readonly string[] {
  const texts = blocksOf(message).flatMap((block) => (block.type === 'text' ? [block.text] : []));
  if (message.role === 'user') {
    const said = texts.map((text) => attachment(text) ?? fenced(text));
    return said.length === 0 ? [] : [`**${l10n.t('You')}**`, ...said];
  }
  const calls = blocksOf(message).flatMap((block) => (block.type === 'tool_use' ? [block] : []));
  const called = calls.map((call) => {
    const argument = mainArgument(call);
    const outcome = failed.has(call.id) ? ` *(${l10n.t('failed')})*` : '';
    return `- ${codeSpan(call.name)}${argument === undefined ? '' : ` ${codeSpan(argument)}`}${outcome}`;
  });
  return [
    ...(texts.length > 0 ? ['**Claude**', ...texts.map(quoted)] : []),
    ...(called.length > 0 ? [callsHeading() + called.join('\n')] : []),
  ];
}

function callsHeading(): string {
  return `${l10n.t('Tools called:')}\n\n`;
}

/** Rounds between which nothing was said are one list. */
function joinedCalls(sections: readonly string[], heading: string): readonly string[] {
  const joined: string[] = [];
  for (const section of sections) {
    const last = joined.at(-1);
    if (last?.startsWith(heading) && section.startsWith(heading))
      joined[joined.length - 1] = `${last}\n${section.slice(heading.length)}`;
    else joined.push(section);
  }
  return joined;
}

/** What was attached is in the JSON; to read, its name says enough. */
function attachment(text: string): string | undefined {
  const [, name] = /^<attachment name="([^"]*)"/.exec(text) ?? [];
  return name === undefined ? undefined : l10n.t('Attached: {0}', codeSpan(name));
}

const mainArguments = ['path', 'from', 'pattern', 'query', 'command', 'name', 'question', 'url'];

/** What a call was about, in one line. */
function mainArgument({ input }: ToolUseBlock): string | undefined {
  if (!isObject(input)) return undefined;
  const { from, to } = input;
  if (typeof from === 'string' && typeof to === 'string') return `${from} → ${to}`;
  const known = mainArguments.map((name) => input[name]).find((value) => typeof value === 'string');
  const any = known ?? Object.values(input).find((value) => typeof value === 'string');
  return typeof any === 'string' ? ellipsize(any, 200) : undefined;
}

/** The files that were changed or read, from the calls that did not fail. */
function files(turns: readonly StoredTurn[]): string {
  const [changed, read] = [new Set<string>(), new Set<string>()];
  for (const turn of turns) {
    const failed = failedUses(turn);
    for (const block of turn.messages.flatMap(blocksOf)) {
      if (block.type !== 'tool_use' || failed.has(block.id)) continue;
      const argument = mainArgument(block);
      const use = filesOfCall(block)?.use;
      if (argument !== undefined && use === 'changes') changed.add(argument);
      if (argument !== undefined && use === 'reads') read.add(argument);
    }
  }
  return [
    ...(changed.size > 0 ? [l10n.t('Files changed: {0}', [...changed].map(codeSpan).join(', '))] : []),
    ...(read.size > 0 ? [l10n.t('Files read: {0}', [...read].map(codeSpan).join(', '))] : []),
  ].join('\n\n');
}

function failedUses({ messages }: Pick<StoredTurn, 'messages'>): ReadonlySet<string> {
  const failed = messages
    .flatMap(blocksOf)
    .flatMap((block) => (block.type === 'tool_result' && block.is_error ? [block.tool_use_id] : []));
  return new Set(failed);
}
