import * as l10n from '@vscode/l10n';
import { addUsage, isSpent, noUsage } from '../messages';
import { receiptLine, usageLine } from '../receipt';
import { ellipsize } from '../text/cutText';
import { paragraph, withRemark, wordList } from '../text/joined';
import { escapeMarkdown } from '../text/markdown';
import { recordsOf, type RememberedConversation } from './conversationRecords';
import { answersIn, maxRecords, type LedgerRecord, type ShownAnswer } from './record';
import { howEnded, questionOf, type Formats, type Wording } from './words';

/** More lines than this nobody reads in a chat panel. The usage page has them all. */
const maxLines = 20;

/** What a conversation took since it began, in sum and by answer, as Markdown (P4). A list: the chat panel is narrow. */
export function usageReport(
  conversation: RememberedConversation,
  records: readonly LedgerRecord[],
  { nameOfModel, formats }: Wording,
): string {
  const answers = answersIn(recordsOf(conversation, records));
  const paid = answers.filter(({ usage }) => isSpent(usage));
  if (paid.length === 0) return l10n.t('Nothing was used in this conversation yet.');
  const notes = paragraph([
    l10n.t(
      'This counts every answer since the conversation began, including those that failed, were stopped or are no longer remembered, and /compact. It leaves out /once.',
    ),
    ...missingNotes(conversation, answers, answersIn(records).length),
  ]);
  const models = [...new Set(paid.map(({ model }) => nameOfModel(model)))];
  const overview = receiptLine(wordList(models), sumOf(paid));
  return [`**${escapeMarkdown(overview)}**`, lines(paid, formats).join('\n'), notes].join('\n\n');
}

function lines(answers: readonly ShownAnswer[], formats: Formats): readonly string[] {
  const older = answers.slice(0, -maxLines);
  const shown = answers.slice(older.length).map((answer, index) => {
    const words = ellipsize(questionOf(answer, formats), 40);
    const asked = answer.end === 'answered' ? words : withRemark(words, howEnded(answer.end));
    return `${older.length + index + 1}. ${escapeMarkdown(`${asked} — ${usageLine(answer.usage)}`)}`;
  });
  if (older.length === 0) return shown;
  const sum = escapeMarkdown(usageLine(sumOf(older)));
  const before =
    older.length === 1
      ? l10n.t('1 earlier answer — {0}', sum)
      : l10n.t('{0} earlier answers — {1}', older.length, sum);
  return [before, '', ...shown];
}

/** What the sum cannot hold, because nobody knows it any more. */
function missingNotes(
  { turns }: RememberedConversation,
  answers: readonly ShownAnswer[],
  kept: number,
): readonly string[] {
  const recorded = new Set(answers.map(({ turn }) => turn));
  const unknown = turns.filter((turn) => !recorded.has(turn)).length;
  const notes: string[] = [];
  if (unknown === 1) notes.push(l10n.t('What 1 remembered turn took is not known here.'));
  if (unknown > 1) notes.push(l10n.t('What {0} remembered turns took is not known here.', unknown));
  if (kept >= maxRecords) notes.push(l10n.t('Only the newest {0} answers are recorded.', maxRecords));
  return notes;
}

function sumOf(answers: readonly ShownAnswer[]) {
  return answers.map(({ usage }) => usage).reduce(addUsage, noUsage);
}
