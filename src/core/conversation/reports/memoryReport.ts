import * as l10n from '@vscode/l10n';
import { tokenCount } from '../../receipt';
import { quoted } from '../../text/foreignMarkdown';
import { paragraph, withRemark, wordList } from '../../text/joined';
import { escapeMarkdown, table } from '../../text/markdown';
import { timeAgo, timeSpan } from '../../text/timeSpan';
import type { CountedFile } from '../../tools/guidance/guidance';
import { guidanceLines } from '../../tools/guidance/guidanceReport';
import type { ListedNote } from '../../tools/notes/note';
import { titleOf, type Plan } from '../../tools/plans/plan';
import { progressInWords } from '../../tools/plans/planReport';
import { firstWords } from '../firstWords';
import { valuesOf, type StoredTurn, type Summary, type Waiting } from '../turn';
import { tokensOfTurn, type ConversationView, type MemoryLimits } from '../view';
import { wasInterrupted } from './aboutTurn';
import { notesTable } from './noteRows';

/** What is remembered of a conversation, as Markdown for the user (P4). Values of params are masked. */
export function memoryReport(
  view: ConversationView | undefined,
  limits: MemoryLimits,
  now: number,
  notes: readonly ListedNote[] = [],
  plan?: Plan,
  guidance: readonly CountedFile[] = [],
): string {
  const kept = [
    ...(plan ? [l10n.t('Plan: {0} ({1})', escapeMarkdown(titleOf(plan.text)), progressInWords(plan))] : []),
    ...(notes.length > 0 ? [notesTable(notes, now)] : []),
    ...(guidance.length > 0
      ? [l10n.t('Instructions and skills that count here:'), guidanceLines(guidance)]
      : []),
  ];
  if (!view)
    return [l10n.t('Nothing is remembered. Your next message starts a fresh conversation.'), ...kept].join(
      '\n\n',
    );
  const { turns, waiting, summary } = view.conversation;
  const age = (at: number) => timeSpan(now - at);
  const ago = (at: number) => timeAgo(now - at);
  const sections = [
    paragraph([countSentence(turns.length, limits.maxTurns), endSentence(view.endsIn, limits)]),
  ];
  if (summary) sections.push(...summarySections(summary));
  if (turns.length > 0) sections.push(turnTable(view, age));
  const names = [...valuesOf(view.conversation)];
  if (names.length > 0) {
    const rows = names.map(([name, { at, turnId }]) => {
      const turn = turns.findIndex(({ id }) => id === turnId) + 1;
      const when = turn > 0 ? withRemark(ago(at), l10n.t('turn {0}', turn)) : ago(at);
      return [escapeMarkdown(name), '••••••', when];
    });
    sections.push(table([l10n.t('Name'), l10n.t('Value'), l10n.t('When')], rows));
  }
  if (waiting) sections.push(openQuestion(waiting, ago));
  return [...sections, ...kept].join('\n\n');
}

function endSentence(left: number | undefined, { timeoutSeconds }: MemoryLimits): string {
  if (timeoutSeconds === 0) return l10n.t('The conversation never ends by itself.');
  if (left === undefined) return l10n.t('The conversation does not end while Claude is answering.');
  const span = timeSpan(left);
  return l10n.t('The conversation ends in {0}, unless you go on with it.', span);
}

function countSentence(turns: number, maxTurns: number): string {
  if (maxTurns > 0) return l10n.t('Remembered: {0} of at most {1} turns.', turns, maxTurns);
  return turns === 1 ? l10n.t('1 turn is remembered.') : l10n.t('{0} turns are remembered.', turns);
}

/** How the summary begins: all of it would push the turns out of sight. */
function summarySections({ text, turns }: Summary): readonly string[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const shown = lines.slice(0, 3).join('\n').slice(0, 400);
  const rest = shown.length < lines.join('\n').length ? ' …' : '';
  const heading =
    turns === 1
      ? l10n.t('A summary stands for the turn before them:')
      : l10n.t('A summary stands for the {0} turns before them:', turns);
  return [heading, quoted(shown + rest)];
}

/** Few columns: the chat panel is narrow. */
function turnTable({ conversation, nextToEvict }: ConversationView, age: (at: number) => string): string {
  const rows = conversation.turns.map((turn, index) => {
    const notes = marksOf(turn, nextToEvict);
    const note = notes.length > 0 ? ` *(${wordList(notes)})*` : '';
    const words = escapeMarkdown(firstWords(turn)) || l10n.t('(empty)');
    return [`${index + 1}. ${words}${note}`, age(turn.endedAt), shownTokens(turn)];
  });
  return table([l10n.t('Turn'), l10n.t('Age'), l10n.t('Tokens')], rows);
}

/** What sets a turn apart, in words. */
export function marksOf(turn: StoredTurn, next: StoredTurn | undefined): readonly string[] {
  return [
    turn === next && l10n.t('dropped next'),
    turn.isPinned === true && l10n.t('pinned'),
    wasInterrupted(turn) && l10n.t('interrupted'),
  ].filter((mark) => mark !== false);
}

function openQuestion(waiting: Waiting, ago: (at: number) => string): string {
  const sentence = l10n.t('Asked {0} and waiting for your next message:', ago(waiting.askedAt));
  return `${sentence} **${escapeMarkdown(waiting.question)}**`;
}

/** What a turn takes of a request, marked when nobody counted it. */
export function shownTokens(turn: StoredTurn): string {
  return `${turn.tokens === undefined ? '≈' : ''}${tokenCount(tokensOfTurn(turn))}`;
}
