import * as l10n from '@vscode/l10n';
import { tokenCount } from '../../receipt';
import { labeled, wordList } from '../../text/joined';
import { escapeMarkdown } from '../../text/markdown';
import { timeAgo, timeSpan } from '../../text/timeSpan';
import { isEmpty } from '../changes';
import { firstWords } from '../firstWords';
import type { ArchivedHeader } from '../store';
import {
  valuesOf,
  type Conversation,
  type ConversationId,
  type RememberedValue,
  type StoredTurn,
  type Summary,
  type Waiting,
} from '../turn';
import { tokensOfSummary, type ConversationView } from '../view';
import { archivedDetails, turnCount } from './archiveReport';
import {
  labelChars,
  paragraphs,
  row,
  shortened,
  spokenChars,
  type MemoryNode,
  type MemoryTreeOptions,
} from './memoryRow';
import { notesNodes } from './noteRows';
import { planNodes } from './planRow';
import { turnNode } from './turnRow';

/**
 * All that is remembered, as rows: the plan, the live conversations, the current one first, the notes, then the archive
 * (M19).
 */
export function memoryTree(
  views: Iterable<ConversationView>,
  archived: readonly ArchivedHeader[],
  options: MemoryTreeOptions,
): readonly MemoryNode[] {
  const isCurrent = ({ conversation }: ConversationView) => conversation.id === options.current;
  const live = [...views]
    .filter(({ conversation }) => !isEmpty(conversation))
    .toSorted(
      (a, b) =>
        Number(isCurrent(b)) - Number(isCurrent(a)) || b.conversation.lastActive - a.conversation.lastActive,
    );
  const place = (one: ConversationView) => (!isCurrent(one) ? 'other' : live.length > 1 ? 'current' : 'only');
  return [
    ...planNodes(options.plans ?? [], options.now),
    ...live.map((view) => conversationNode(view, place(view), options)),
    ...notesNodes(options),
    ...(archived.length > 0 ? [archiveNode(archived, options)] : []),
  ];
}

function conversationNode(
  view: ConversationView,
  place: 'only' | 'current' | 'other',
  options: MemoryTreeOptions,
): MemoryNode {
  const { conversation, nextToEvict: next } = view;
  const { id, turns, waiting, summary } = conversation;
  const { maxTurns } = options.limits;
  const isFull = maxTurns > 0 && turns.length >= maxTurns;
  const values = [...valuesOf(conversation)];
  const [count, ...more] = conversationDetails(view, options);
  const [first] = turns;
  const title = place !== 'only' && first ? firstWords(first, labelChars) : '';
  const label = title || count;
  const details = title ? [count, ...more] : more;
  const about = l10n.t('Commands such as Clear Conversation are about this one.');
  return row({
    id,
    subject: { kind: 'conversation', conversation: id },
    label,
    spokenLabel: title && first ? firstWords(first, spokenChars) : '',
    details: place === 'current' ? [l10n.t('current'), ...details] : details,
    tooltip: paragraphs([escapeMarkdown(labeled(label, wordList(details))), place === 'current' && about]),
    children: [
      ...(summary ? [summaryNode(id, summary)] : []),
      ...turns.map((turn) => turnNode(id, turn, { next, isFull }, options)),
      ...(waiting ? [questionNode(id, waiting, options)] : []),
      ...(values.length > 0 ? [valuesNode(conversation, values, options)] : []),
    ],
  });
}

/** `6 of 10 turns`, `ends in 24 min`: the same in the view and in the status bar's tooltip. */
export function conversationDetails(
  { conversation: { turns }, endsIn }: ConversationView,
  { limits: { maxTurns } }: Pick<MemoryTreeOptions, 'limits'>,
): readonly [kept: string, ...more: string[]] {
  const kept = maxTurns > 0 ? l10n.t('{0} of {1} turns', turns.length, maxTurns) : turnCount(turns.length);
  return endsIn === undefined ? [kept] : [kept, l10n.t('ends in {0}', timeSpan(endsIn))];
}

function summaryNode(conversation: ConversationId, { text, turns }: Summary): MemoryNode {
  return row({
    id: `${conversation}/summary`,
    subject: { kind: 'summary', conversation },
    label: l10n.t('Summary'),
    details: [
      ...(turns > 0 ? [turnCount(turns)] : []),
      l10n.t('{0} tokens', `≈${tokenCount(tokensOfSummary({ text }))}`),
    ],
    tooltip: paragraphs([
      escapeMarkdown(shortened(text, 500)),
      l10n.t('Claude sees this first. Open it to change it.'),
    ]),
  });
}

function questionNode(
  conversation: ConversationId,
  waiting: Waiting,
  options: MemoryTreeOptions,
): MemoryNode {
  const { now, current } = options;
  const isCurrent = conversation === current;
  const ago = timeAgo(now - waiting.askedAt);
  const choices = (waiting.options ?? []).map((option) => `- ${escapeMarkdown(option)}`).join('\n');
  return row({
    id: `${conversation}/question`,
    subject: { kind: 'question', conversation },
    label: shortened(waiting.question, 80),
    details: [
      isCurrent ? l10n.t('waits for your next message') : l10n.t('waits for an answer in its thread'),
      ago,
    ],
    tooltip: paragraphs([
      escapeMarkdown(waiting.question),
      choices,
      isCurrent
        ? l10n.t('Asked {0}. Your next message in the chat is the answer.', ago)
        : l10n.t('Asked {0}. Your next message in its thread is the answer.', ago),
    ]),
  });
}

function valuesNode(
  { id, turns }: Conversation,
  values: readonly (readonly [name: string, param: RememberedValue])[],
  options: MemoryTreeOptions,
): MemoryNode {
  return row({
    id: `${id}/values`,
    subject: { kind: 'values', conversation: id },
    label: l10n.t('Remembered values'),
    details: [String(values.length)],
    tooltip: l10n.t('Claude gets them with every message, also when the turn they came from was dropped.'),
    children: values.map(([name, param]) => valueNode(id, turns, name, param, options)),
  });
}

function valueNode(
  conversation: ConversationId,
  turns: readonly StoredTurn[],
  name: string,
  { value, at, turnId }: RememberedValue,
  { now, isRevealed: asksRevealed }: MemoryTreeOptions,
): MemoryNode {
  const isRevealed = asksRevealed(conversation, name);
  const source = turns.find(({ id }) => id === turnId);
  const words = source && firstWords(source, 60);
  const since = l10n.t('Remembered {0}', timeAgo(now - at));
  return row({
    id: `${conversation}/value/${name}`,
    subject: { kind: 'value', conversation, name, isRevealed },
    label: name,
    details: [isRevealed ? shortened(value, 200) : '••••••'],
    tooltip: paragraphs([
      isRevealed
        ? escapeMarkdown(shortened(value, 2000))
        : l10n.t('The value is hidden until you reveal it.'),
      words ? wordList([since, escapeMarkdown(l10n.t('from “{0}”', words))]) : since,
    ]),
    ...(isRevealed ? {} : { spoken: l10n.t('{0}, value hidden', name) }),
  });
}

function archiveNode(entries: readonly ArchivedHeader[], { now }: MemoryTreeOptions): MemoryNode {
  return row({
    id: 'archive',
    subject: { kind: 'archive' },
    label: l10n.t('Earlier conversations'),
    details: [String(entries.length)],
    tooltip: l10n.t(
      'Claude does not see them, unless you resume one; it can search them with its tool `recall` (`assistant.recall`).',
    ),
    children: entries.map((archived) =>
      row({
        id: `archive/${archived.id}`,
        subject: { kind: 'archived', id: archived.id },
        label: shortened(archived.title, labelChars) || l10n.t('(empty)'),
        spokenLabel: shortened(archived.title, spokenChars),
        details: archivedDetails(archived, now),
        tooltip: escapeMarkdown(shortened(archived.title, 500)),
      }),
    ),
  });
}
