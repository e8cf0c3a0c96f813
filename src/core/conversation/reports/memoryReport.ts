import * as l10n from '@vscode/l10n';
import { escapeMarkdown } from '../../escapeMarkdown';
import { blocksOf } from '../../messages';
import { tokenCount } from '../../receipt';
import { timeAgo, timeSpan } from '../../timeSpan';
import { endsIn, tokensOfTurn, type MemoryLimits } from '../retention';
import type { Conversation, StoredTurn, Summary, Waiting } from '../turn';
import { wasInterrupted } from './aboutTurn';

/** What is remembered of a conversation, as Markdown for the person (P4). Values of params are masked. */
export function memoryReport(
  conversation: Conversation | undefined,
  limits: MemoryLimits,
  now: number,
): string {
  if (!conversation) return l10n.t('Nothing is remembered. Your next message starts a fresh conversation.');
  const { turns, params, waiting } = conversation;
  const age = (at: number) => timeSpan(now - at);
  const ago = (at: number) => timeAgo(now - at);
  const sections = [overview(conversation, limits, now)];
  if (conversation.summary) sections.push(...summarySections(conversation.summary));
  if (turns.length > 0) sections.push(turnTable(turns, limits, age));
  const names = Object.entries(params);
  if (names.length > 0) {
    const rows = names.map(([name, { at, turnId }]) => {
      const turn = turns.findIndex(({ id }) => id === turnId) + 1;
      const source = turn > 0 ? ` (${l10n.t('turn {0}', turn)})` : '';
      return [escapeMarkdown(name), '••••••', `${ago(at)}${source}`];
    });
    sections.push(table([l10n.t('Name'), l10n.t('Value'), l10n.t('Since')], rows));
  }
  if (waiting) sections.push(openQuestion(waiting, ago));
  return sections.join('\n\n');
}

/** The person's first words in a turn, in one line. */
export function firstWords(turn: Pick<StoredTurn, 'messages'>, maxChars = 60): string {
  const points = Array.from(ownWords(turn).replaceAll(/\s+/g, ' ').trim());
  return points.length > maxChars ? `${points.slice(0, maxChars).join('')}…` : points.join('');
}

/** What the person wrote: the last text of the opening message, after all that was attached. */
export function ownWords({ messages: [opening] }: Pick<StoredTurn, 'messages'>): string {
  const texts = opening
    ? blocksOf(opening).flatMap((block) => (block.type === 'text' ? [block.text] : []))
    : [];
  return texts.at(-1) ?? '';
}

function overview(conversation: Conversation, limits: MemoryLimits, now: number): string {
  const count = countSentence(conversation.turns.length, limits.maxTurns);
  return `${count} ${endSentence(endsIn(conversation, limits, now), limits)}`;
}

function endSentence(left: number | undefined, { timeoutSeconds }: MemoryLimits): string {
  if (timeoutSeconds === 0) return l10n.t('The conversation never ends by itself.');
  if (left === undefined) return l10n.t('The conversation does not end while Claude is answering.');
  const span = timeSpan(left);
  return l10n.t('The conversation ends in {0}, unless you go on with it.', span);
}

function countSentence(turns: number, maxTurns: number): string {
  if (maxTurns > 0) return l10n.t('{0} of at most {1} turns are remembered.', turns, maxTurns);
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

/** As a quote, so that it is seen where it begins and ends. */
export function quoted(markdown: string): string {
  return markdown.replaceAll(/^/gm, '> ');
}

/** Few columns: the chat panel is narrow. */
function turnTable(turns: readonly StoredTurn[], limits: MemoryLimits, age: (at: number) => string): string {
  const next = leavesNext(turns, limits);
  const rows = turns.map((turn, index) => {
    const notes = marksOf(turn, next);
    const note = notes.length > 0 ? ` *(${notes.join(', ')})*` : '';
    return [`${index + 1}. ${escapeMarkdown(firstWords(turn))}${note}`, age(turn.endedAt), shownTokens(turn)];
  });
  return table([l10n.t('Turn'), l10n.t('Age'), l10n.t('Tokens')], rows);
}

/** The turn that is the first to go once newer ones fill the room. */
export function leavesNext(turns: readonly StoredTurn[], limits: MemoryLimits): StoredTurn | undefined {
  const isBounded = limits.maxTurns > 0 || limits.tokenBudget > 0;
  return isBounded ? (turns.find((turn) => !turn.isPinned) ?? turns[0]) : undefined;
}

/** What sets a turn apart, in words. */
export function marksOf(turn: StoredTurn, next: StoredTurn | undefined): readonly string[] {
  return [
    turn === next && l10n.t('leaves next'),
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

export function table(heading: readonly string[], rows: readonly (readonly string[])[]): string {
  return [row(heading), row(heading.map(() => '---')), ...rows.map(row)].join('\n');
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}
