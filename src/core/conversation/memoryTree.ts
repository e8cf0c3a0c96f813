import { escapeMarkdown } from '../escapeMarkdown';
import { tokenCount } from '../receipt';
import { timeSpan } from '../timeSpan';
import type { Translate } from '../translate';
import { calledTools, touchedFiles } from './aboutTurn';
import type { ArchivedConversation, ArchivedId, Ending } from './archivedForm';
import { firstWords, leavesNext, marksOf, ownWords, shownTokens } from './memoryReport';
import { tokensOfSummary, type MemoryLimits } from './retention';
import type { Conversation, ConversationId, StoredParam, StoredTurn, Summary, TurnId, Waiting } from './turn';

/** One row of the Memory view, with all that is below it. */
export interface MemoryNode {
  /** The same row has the same id after every change. */
  readonly id: string;
  readonly subject: MemorySubject;
  readonly label: string;
  readonly description: string;
  /** Markdown. */
  readonly tooltip: string;
  /** What a screen reader says instead of label and description. */
  readonly spoken: string;
  readonly children: readonly MemoryNode[];
}

/** What a row is about, and so what can be done with it. */
export type MemorySubject =
  | {
      readonly kind: 'conversation' | 'summary' | 'values' | 'question';
      readonly conversation: ConversationId;
    }
  | {
      readonly kind: 'turn';
      readonly conversation: ConversationId;
      readonly turn: TurnId;
      readonly isPinned: boolean;
      readonly isInterrupted: boolean;
    }
  | {
      readonly kind: 'value';
      readonly conversation: ConversationId;
      readonly name: string;
      readonly isRevealed: boolean;
    }
  | { readonly kind: 'archive' }
  | { readonly kind: 'archived'; readonly id: ArchivedId };

export interface MemoryTreeOptions {
  readonly limits: MemoryLimits;
  readonly now: number;
  readonly translate: Translate;
  readonly isRevealed: (conversation: ConversationId, param: string) => boolean;
}

/** All that is remembered, as rows: the live conversations, the one used last first, then the archive (M19). */
export function memoryTree(
  conversations: readonly Conversation[],
  archived: readonly ArchivedConversation[],
  options: MemoryTreeOptions,
): readonly MemoryNode[] {
  const live = conversations.filter((one) => !isEmpty(one)).toSorted((a, b) => b.lastActive - a.lastActive);
  const nodes = live.map((conversation) => conversationNode(conversation, live.length > 1, options));
  return archived.length > 0 ? [...nodes, archiveNode(archived, options)] : nodes;
}

/** All of it was forgotten, one by one. */
export function isEmpty({ turns, summary, params, waiting }: Conversation): boolean {
  return turns.length === 0 && !summary && !waiting && Object.keys(params).length === 0;
}

function conversationNode(
  conversation: Conversation,
  isOneOfMany: boolean,
  options: MemoryTreeOptions,
): MemoryNode {
  const { id, turns, params, waiting, summary } = conversation;
  const next = leavesNext(turns, options.limits);
  const { maxTurns } = options.limits;
  const isFull = maxTurns > 0 && turns.length >= maxTurns;
  const values = Object.entries(params);
  const [count, ...details] = conversationDetails(conversation, options);
  const [first] = turns;
  const title = isOneOfMany && first ? firstWords(first, labelChars) : '';
  return row({
    id,
    subject: { kind: 'conversation', conversation: id },
    label: title || count,
    details: title ? [count, ...details] : details,
    children: [
      ...(summary ? [summaryNode(id, summary, options)] : []),
      ...turns.map((turn) => turnNode(id, turn, { next, isFull }, options)),
      ...(waiting ? [questionNode(id, waiting, options)] : []),
      ...(values.length > 0 ? [valuesNode(conversation, values, options)] : []),
    ],
  });
}

/** `6 of 10 turns`, `ends in 24 min`: the same in the view and in the status bar's tooltip. */
export function conversationDetails(
  { turns, lastActive }: Conversation,
  { limits, now, translate }: Pick<MemoryTreeOptions, 'limits' | 'now' | 'translate'>,
): readonly [kept: string, ...more: string[]] {
  const { maxTurns, timeoutSeconds } = limits;
  const count = String(turns.length);
  const kept =
    maxTurns > 0
      ? translate('{0} of {1} turns', count, String(maxTurns))
      : countedTurns(turns.length, translate);
  if (timeoutSeconds === 0) return [kept];
  const left = timeSpan(lastActive + timeoutSeconds * 1000 - now, translate);
  return [kept, translate('ends in {0}', left)];
}

/** So much fits into a side bar of the usual width, with some room for what follows. */
const labelChars = 24;

function summaryNode(
  conversation: ConversationId,
  { text, turns }: Summary,
  options: MemoryTreeOptions,
): MemoryNode {
  const { translate } = options;
  return row({
    id: `${conversation}/summary`,
    subject: { kind: 'summary', conversation },
    label: translate('Summary'),
    details: [
      ...(turns > 0 ? [countedTurns(turns, translate)] : []),
      translate('{0} tokens', `≈${tokenCount(tokensOfSummary({ text }))}`),
    ],
    tooltip: paragraphs([
      escapeMarkdown(shortened(text, 500)),
      translate('It goes first in what Claude gets. Open it to change it.'),
    ]),
  });
}

function turnNode(
  conversation: ConversationId,
  turn: StoredTurn,
  { next, isFull }: { readonly next: StoredTurn | undefined; readonly isFull: boolean },
  { now, translate }: MemoryTreeOptions,
): MemoryNode {
  const tools = [...calledTools(turn)].map(([name, count]) => (count > 1 ? `${name} ×${count}` : name));
  const files = touchedFiles(turn);
  const age = timeSpan(now - turn.endedAt, translate);
  const tokens = translate('{0} tokens', shownTokens(turn));
  const names = files.map((path) => path.slice(path.lastIndexOf('/') + 1));
  const details: Details = [age, tokens, ...tools, ...names];
  const label = firstWords(turn, labelChars) || translate('(no words)');
  const isPinned = turn.isPinned === true;
  const isInterrupted = turn.outcome === 'interrupted';
  const notes = [
    isPinned && translate('Pinned: it stays when other turns leave.'),
    turn === next && translate('It is the first to leave when room is needed.'),
    isInterrupted && translate('Interrupted: it did not come to its end, but work was done.'),
  ].filter((note) => note !== false);
  return row({
    id: `${conversation}/turn/${turn.id}`,
    subject: { kind: 'turn', conversation, turn: turn.id, isPinned, isInterrupted },
    label,
    // Room is short: what the icon shows is said in the tooltip and to screen readers only.
    details: turn === next ? withMark(details, translate('leaves next'), isFull) : details,
    spoken: [label, ...marksOf(turn, next, translate), ...details].join(', '),
    tooltip: paragraphs([
      escapeMarkdown(shortened(ownWords(turn), 500)),
      [translate('{0} ago', age), tokens, turn.model ?? ''].filter(Boolean).map(escapeMarkdown).join(' · '),
      tools.length > 0 && translate('Tools: {0}', escapeMarkdown(tools.join(', '))),
      files.length > 0 && translate('Files: {0}', escapeMarkdown(files.join(', '))),
      ...notes,
    ]),
  });
}

type Details = readonly [age: string, tokens: string, ...rest: string[]];

/** What is about to happen stands first. */
function withMark([age, tokens, ...rest]: Details, mark: string, isUrgent: boolean): readonly string[] {
  return isUrgent ? [mark, age, tokens, ...rest] : [age, tokens, mark, ...rest];
}

function questionNode(
  conversation: ConversationId,
  waiting: Waiting,
  options: MemoryTreeOptions,
): MemoryNode {
  const { now, translate } = options;
  const ago = translate('{0} ago', timeSpan(now - waiting.askedAt, translate));
  const choices = (waiting.options ?? []).map((option) => `- ${escapeMarkdown(option)}`).join('\n');
  return row({
    id: `${conversation}/question`,
    subject: { kind: 'question', conversation },
    label: shortened(waiting.question, 80),
    details: [translate('waits for your next message'), ago],
    tooltip: paragraphs([
      escapeMarkdown(waiting.question),
      choices,
      translate('Asked {0}. Your next message in the chat is the answer.', ago),
    ]),
  });
}

function valuesNode(
  { id, turns }: Conversation,
  values: readonly (readonly [name: string, param: StoredParam])[],
  options: MemoryTreeOptions,
): MemoryNode {
  const { translate } = options;
  return row({
    id: `${id}/values`,
    subject: { kind: 'values', conversation: id },
    label: translate('Remembered values'),
    details: [String(values.length)],
    tooltip: translate('Claude gets them with every message, also when the turn they came from has left.'),
    children: values.map(([name, param]) => valueNode(id, turns, name, param, options)),
  });
}

function valueNode(
  conversation: ConversationId,
  turns: readonly StoredTurn[],
  name: string,
  { value, at, turnId }: StoredParam,
  { now, translate, isRevealed: asksRevealed }: MemoryTreeOptions,
): MemoryNode {
  const isRevealed = asksRevealed(conversation, name);
  const source = turns.find(({ id }) => id === turnId);
  const since = translate('Since {0}', timeSpan(now - at, translate));
  return row({
    id: `${conversation}/value/${name}`,
    subject: { kind: 'value', conversation, name, isRevealed },
    label: name,
    details: [isRevealed ? shortened(value, 200) : '••••••'],
    tooltip: paragraphs([
      isRevealed
        ? escapeMarkdown(shortened(value, 2000))
        : translate('The value is hidden until you reveal it.'),
      source ? `${since}, ${escapeMarkdown(translate('from “{0}”', firstWords(source, 60)))}` : since,
    ]),
    ...(isRevealed ? {} : { spoken: translate('{0}, value hidden', name) }),
  });
}

function archiveNode(
  entries: readonly ArchivedConversation[],
  { now, translate }: MemoryTreeOptions,
): MemoryNode {
  return row({
    id: 'archive',
    subject: { kind: 'archive' },
    label: translate('Earlier conversations'),
    details: [String(entries.length)],
    tooltip: translate('Claude does not know them, unless you resume one.'),
    children: entries.map(({ id, title, endedAt, ending, conversation }) =>
      row({
        id: `archive/${id}`,
        subject: { kind: 'archived', id },
        label: shortened(title, labelChars) || translate('(no words)'),
        details: [
          translate('{0} ago', timeSpan(now - endedAt, translate)),
          countedTurns(conversation.turns.length, translate),
          endings(translate)[ending.kind],
        ],
        tooltip: escapeMarkdown(shortened(title, 500)),
      }),
    ),
  });
}

function endings(translate: Translate): Readonly<Record<Ending['kind'], string>> {
  return { ended: translate('expired'), left: translate('left'), branch: translate('cut by a rewind') };
}

function countedTurns(turns: number, translate: Translate): string {
  return turns === 1 ? translate('1 turn') : translate('{0} turns', String(turns));
}

/** Fills in what follows from the rest. */
function row(node: {
  readonly id: string;
  readonly subject: MemorySubject;
  readonly label: string;
  readonly details: readonly string[];
  readonly tooltip?: string;
  readonly spoken?: string;
  readonly children?: readonly MemoryNode[];
}): MemoryNode {
  const { details, tooltip = '', children = [], ...rest } = node;
  return {
    ...rest,
    description: details.join(' · '),
    tooltip: tooltip || escapeMarkdown(`${rest.label}: ${details.join(', ')}`),
    spoken: rest.spoken ?? [rest.label, ...details].join(', '),
    children,
  };
}

function paragraphs(parts: readonly (string | false)[]): string {
  return parts.filter((part) => part !== false && part !== '').join('\n\n');
}

/** In one line, and never cut inside a character. */
function shortened(text: string, maxChars: number): string {
  const points = Array.from(text.replaceAll(/\s+/g, ' ').trim());
  return points.length > maxChars ? `${points.slice(0, maxChars).join('')}…` : points.join('');
}
