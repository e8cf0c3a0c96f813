import * as l10n from '@vscode/l10n';
import {
  addUsage,
  blocksOf,
  callsIn,
  failedCalls,
  textsIn,
  type Message,
  type ToolUseBlock,
} from '../../messages';
import { receiptLine } from '../../receipt';
import { redacting } from '../../secrets/redact';
import { ellipsize } from '../../text/cutText';
import { quoted } from '../../text/foreignMarkdown';
import { wordList } from '../../text/joined';
import { isObject, mapTexts } from '../../text/json';
import { codeSpan, fenced, inline } from '../../text/markdown';
import { filesOfCall } from '../../tools/toolset';
import { planToExport, type ExportOptions } from '../archive/portable';
import { withoutValues } from '../archive/withoutValues';
import { firstWords } from '../firstWords';
import { repairedMessages } from '../transcript';
import { valuesOf, type Conversation, type StoredTurn } from '../turn';
import { wasInterrupted } from './aboutTurn';
import { turnCount } from './archiveReport';

export interface MarkdownOptions extends ExportOptions {
  readonly nameOfModel: (id: string) => string;
  /** A moment in the user's own way of writing. */
  readonly formatTime: (at: number) => string;
}

/** A conversation for people to read (M21). Whatever was said in it stays inside its own part of the document. */
export function toMarkdown(conversation: Conversation, options: MarkdownOptions): string {
  // Before Markdown writes anything in a way of its own, in which no secret would be found.
  const shown = shownOf(conversation, options);
  const plan = redacting(options.secrets)(planToExport(conversation, options)?.trim() ?? '');
  const turns = shown.turns
    .map((turn) => ({ ...turn, messages: repairedMessages(turn.messages) }))
    .filter(({ messages }) => messages.length > 0);
  const [first] = turns;
  const sections = [
    `# ${inline(first ? firstWords(first) || l10n.t('(empty)') : l10n.t('An empty conversation'))}`,
    overview(turns, options),
    files(turns),
    ...(shown.summary ? [`## ${l10n.t('Summary of earlier turns')}`, quoted(shown.summary.text)] : []),
    ...(plan ? [`## ${l10n.t('Plan')}`, quoted(plan)] : []),
    ...(options.withValues ? values(shown) : []),
    ...turns.flatMap((turn, index) => turnSections(turn, index + 1, options)),
  ];
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}

/** What the file of an export is called unless the user says otherwise: it tells no more than the export (M21). */
export function exportName(
  conversation: Conversation,
  options: ExportOptions,
  extension: 'json' | 'md',
): string {
  const [first] = shownOf(conversation, options).turns;
  const name = (first ? firstWords(first) : '')
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '')
    .toLowerCase();
  return `${name || 'conversation'}.${extension}`;
}

function shownOf(conversation: Conversation, { withValues, secrets }: ExportOptions): Conversation {
  return mapTexts(withValues ? conversation : withoutValues(conversation), redacting(secrets));
}

function overview(turns: readonly StoredTurn[], { formatTime }: MarkdownOptions): string {
  const [first, last] = [turns[0], turns.at(-1)];
  if (!first || !last) return '';
  const count = turnCount(turns.length);
  const times = new Set([formatTime(first.startedAt), formatTime(last.endedAt)]);
  const [usage, ...rest] = turns.flatMap((turn) => turn.usage ?? []);
  const used = usage ? receiptLine(count, rest.reduce(addUsage, usage)) : count;
  return `${used} · ${inline([...times].join(' – '))}`;
}

function values({ params }: Conversation): readonly string[] {
  const lines = [...valuesOf({ params })].map(
    ([name, { value }]) => `- ${codeSpan(name)}: ${codeSpan(value)}`,
  );
  return lines.length === 0 ? [] : [`## ${l10n.t('Remembered values')}`, lines.join('\n')];
}

function turnSections(turn: StoredTurn, number: number, options: MarkdownOptions): readonly string[] {
  const { usage, model } = turn;
  const name = inline(model === undefined ? 'Claude' : options.nameOfModel(model));
  return [
    `## ${number}. ${inline(options.formatTime(turn.startedAt))}`,
    ...messageSections(turn.messages),
    wasInterrupted(turn) ? `*${l10n.t('This answer was interrupted.')}*` : '',
    usage ? `*${receiptLine(name, usage)}*` : '',
  ];
}

/** Calls between which nothing was said are one list. */
function messageSections(messages: readonly Message[]): readonly string[] {
  const failed = failedCalls(messages);
  const sections: string[] = [];
  let calls: string[] = [];
  const endCalls = () => {
    if (calls.length > 0) sections.push(l10n.t('Tools called:'), calls.join('\n'));
    calls = [];
  };
  for (const message of messages) {
    const texts = textsIn(blocksOf(message));
    if (texts.length > 0) endCalls();
    if (texts.length > 0 && message.role === 'user')
      sections.push(`**${l10n.t('You')}**`, ...texts.map((text) => attachment(text) ?? fenced(text)));
    else if (texts.length > 0) sections.push('**Claude**', ...texts.map(quoted));
    for (const call of callsIn(blocksOf(message))) {
      const argument = mainArgument(call);
      const outcome = failed.has(call.id) ? ` *(${l10n.t('failed')})*` : '';
      calls.push(
        `- ${[call.name, ...(argument === undefined ? [] : [argument])].map(codeSpan).join(' ')}${outcome}`,
      );
    }
  }
  endCalls();
  return sections;
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
  const used = { changes: new Set<string>(), reads: new Set<string>() };
  for (const { messages } of turns) {
    const failed = failedCalls(messages);
    for (const call of callsIn(messages.flatMap(blocksOf)).filter(({ id }) => !failed.has(id))) {
      const { use, paths } = filesOfCall(call) ?? {};
      if (use && paths && paths.length > 0) used[use].add(codeSpan(paths.join(' → ')));
    }
  }
  const [changed, read] = [wordList([...used.changes]), wordList([...used.reads])];
  return [
    ...(changed === '' ? [] : [l10n.t('Files changed: {0}', changed)]),
    ...(read === '' ? [] : [l10n.t('Files read: {0}', read)]),
  ].join('\n\n');
}
