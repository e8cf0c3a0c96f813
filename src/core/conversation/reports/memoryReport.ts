import { escapeMarkdown } from '../../escapeMarkdown';
import { blocksOf } from '../../messages';
import { tokenCount } from '../../receipt';
import { timeAgo, timeSpan } from '../../timeSpan';
import type { Translate } from '../../translate';
import { endsIn, tokensOfTurn, type MemoryLimits } from '../retention';
import type { Conversation, StoredTurn, Summary, Waiting } from '../turn';
import { wasInterrupted } from './aboutTurn';

/** What is remembered of a conversation, as Markdown for the person (P4). Values of params are masked. */
export function memoryReport(
  conversation: Conversation | undefined,
  limits: MemoryLimits,
  now: number,
  translate: Translate,
): string {
  if (!conversation)
    return translate('Nothing is remembered. Your next message starts a fresh conversation.');
  const { turns, params, waiting } = conversation;
  const age = (at: number) => timeSpan(now - at, translate);
  const ago = (at: number) => timeAgo(now - at, translate);
  const sections = [overview(conversation, limits, now, translate)];
  if (conversation.summary) sections.push(...summarySections(conversation.summary, translate));
  if (turns.length > 0) sections.push(turnTable(turns, limits, age, translate));
  const names = Object.entries(params);
  if (names.length > 0) {
    const rows = names.map(([name, { at, turnId }]) => {
      const turn = turns.findIndex(({ id }) => id === turnId) + 1;
      const source = turn > 0 ? ` (${translate('turn {0}', String(turn))})` : '';
      return [escapeMarkdown(name), '••••••', `${ago(at)}${source}`];
    });
    sections.push(table([translate('Name'), translate('Value'), translate('Since')], rows));
  }
  if (waiting) sections.push(openQuestion(waiting, ago, translate));
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

function overview(
  conversation: Conversation,
  limits: MemoryLimits,
  now: number,
  translate: Translate,
): string {
  const count = countSentence(conversation.turns.length, limits.maxTurns, translate);
  return `${count} ${endSentence(endsIn(conversation, limits, now), limits, translate)}`;
}

function endSentence(
  left: number | undefined,
  { timeoutSeconds }: MemoryLimits,
  translate: Translate,
): string {
  if (timeoutSeconds === 0) return translate('The conversation never ends by itself.');
  if (left === undefined) return translate('The conversation does not end while Claude is answering.');
  const span = timeSpan(left, translate);
  return translate('The conversation ends in {0}, unless you go on with it.', span);
}

function countSentence(turns: number, maxTurns: number, translate: Translate): string {
  if (maxTurns > 0)
    return translate('{0} of at most {1} turns are remembered.', String(turns), String(maxTurns));
  return turns === 1
    ? translate('1 turn is remembered.')
    : translate('{0} turns are remembered.', String(turns));
}

/** How the summary begins: all of it would push the turns out of sight. */
function summarySections({ text, turns }: Summary, translate: Translate): readonly string[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const shown = lines.slice(0, 3).join('\n').slice(0, 400);
  const rest = shown.length < lines.join('\n').length ? ' …' : '';
  const heading =
    turns === 1
      ? translate('A summary stands for the turn before them:')
      : translate('A summary stands for the {0} turns before them:', String(turns));
  return [heading, quoted(shown + rest)];
}

/** As a quote, so that it is seen where it begins and ends. */
export function quoted(markdown: string): string {
  return markdown.replaceAll(/^/gm, '> ');
}

/** Few columns: the chat panel is narrow. */
function turnTable(
  turns: readonly StoredTurn[],
  limits: MemoryLimits,
  age: (at: number) => string,
  translate: Translate,
): string {
  const next = leavesNext(turns, limits);
  const rows = turns.map((turn, index) => {
    const notes = marksOf(turn, next, translate);
    const note = notes.length > 0 ? ` *(${notes.join(', ')})*` : '';
    return [`${index + 1}. ${escapeMarkdown(firstWords(turn))}${note}`, age(turn.endedAt), shownTokens(turn)];
  });
  return table([translate('Turn'), translate('Age'), translate('Tokens')], rows);
}

/** The turn that is the first to go once newer ones fill the room. */
export function leavesNext(turns: readonly StoredTurn[], limits: MemoryLimits): StoredTurn | undefined {
  const isBounded = limits.maxTurns > 0 || limits.tokenBudget > 0;
  return isBounded ? (turns.find((turn) => !turn.isPinned) ?? turns[0]) : undefined;
}

/** What sets a turn apart, in words. */
export function marksOf(
  turn: StoredTurn,
  next: StoredTurn | undefined,
  translate: Translate,
): readonly string[] {
  return [
    turn === next && translate('leaves next'),
    turn.isPinned === true && translate('pinned'),
    wasInterrupted(turn) && translate('interrupted'),
  ].filter((mark) => mark !== false);
}

function openQuestion(waiting: Waiting, ago: (at: number) => string, translate: Translate): string {
  const sentence = translate('Asked {0} and waiting for your next message:', ago(waiting.askedAt));
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
