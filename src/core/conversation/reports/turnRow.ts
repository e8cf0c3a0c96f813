import * as l10n from '@vscode/l10n';
import { wordList } from '../../text/joined';
import { escapeMarkdown } from '../../text/markdown';
import { timeAgo, timeSpan } from '../../text/timeSpan';
import { firstWords, ownWordsIn } from '../firstWords';
import type { ConversationId, StoredTurn } from '../turn';
import { calledTools, touchedFiles, wasInterrupted } from './aboutTurn';
import { marksOf, shownTokens } from './memoryReport';
import {
  labelChars,
  paragraphs,
  row,
  shortened,
  spokenChars,
  type MemoryNode,
  type MemoryTreeOptions,
} from './memoryRow';

/** A turn in the Memory view. */
export function turnNode(
  conversation: ConversationId,
  turn: StoredTurn,
  { next, isFull }: { readonly next: StoredTurn | undefined; readonly isFull: boolean },
  { now, nameOfModel = String }: MemoryTreeOptions,
): MemoryNode {
  const tools = [...calledTools(turn)].map(([name, count]) => (count > 1 ? `${name} ×${count}` : name));
  const files = touchedFiles(turn);
  const age = now - turn.endedAt;
  const shownAge = age < 60_000 ? l10n.t('now') : timeSpan(age);
  const tokens = l10n.t('{0} tokens', shownTokens(turn));
  const names = files.map((path) => path.slice(path.lastIndexOf('/') + 1));
  const details: Details = [shownAge, tokens, ...tools, ...names];
  const label = firstWords(turn, labelChars) || l10n.t('(empty)');
  const isPinned = turn.isPinned === true;
  const isInterrupted = wasInterrupted(turn);
  const notes = [
    isPinned && l10n.t('Pinned: it stays when other turns are dropped.'),
    turn === next && l10n.t('It is the first to be dropped when room is needed.'),
    isInterrupted && l10n.t('Interrupted before it finished; completed steps are kept.'),
  ].filter((note) => note !== false);
  return row({
    id: `${conversation}/turn/${turn.id}`,
    subject: { kind: 'turn', conversation, turn: turn.id, isPinned, isInterrupted },
    label,
    // Room is short: what the icon shows is said in the tooltip and to screen readers only.
    details: turn === next ? withMark(details, l10n.t('dropped next'), isFull) : details,
    spoken: wordList([firstWords(turn, spokenChars) || label, ...marksOf(turn, next), ...details]),
    tooltip: paragraphs([
      escapeMarkdown(shortened(ownWordsIn(turn), 500)),
      [timeAgo(age), tokens, turn.model === undefined ? '' : nameOfModel(turn.model)]
        .filter(Boolean)
        .map(escapeMarkdown)
        .join(' · '),
      tools.length > 0 && l10n.t('Tools: {0}', escapeMarkdown(wordList(tools))),
      files.length > 0 && l10n.t('Files: {0}', escapeMarkdown(wordList(files))),
      ...notes,
    ]),
  });
}

type Details = readonly [age: string, tokens: string, ...rest: string[]];

/** What is about to happen stands first. */
function withMark([age, tokens, ...rest]: Details, mark: string, isUrgent: boolean): readonly string[] {
  return isUrgent ? [mark, age, tokens, ...rest] : [age, tokens, mark, ...rest];
}
