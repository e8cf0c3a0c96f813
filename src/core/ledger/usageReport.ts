import * as l10n from '@vscode/l10n';
import { escapeMarkdown } from '../escapeMarkdown';
import { addUsage, isSpent, noUsage } from '../messages';
import { receiptLine, usageLine } from '../receipt';
import { recordsOf, type RememberedConversation } from './conversationRecords';
import { maxRecords, type AnswerRecord, type LedgerRecord } from './record';
import { howEnded, wordsOf } from './words';

/** More lines than this nobody reads in a chat panel. The usage page has them all. */
const maxLines = 20;

/** What a conversation took since it began, in sum and by answer, as Markdown (P4). A list: the chat panel is narrow. */
export function usageReport(
  conversation: RememberedConversation,
  records: readonly LedgerRecord[],
  nameOfModel: (id: string) => string,
): string {
  const answers = recordsOf(conversation, records).filter((record) => record.kind === 'answer');
  const paid = answers.filter(({ usage }) => isSpent(usage));
  if (paid.length === 0) return l10n.t('Nothing was used in this conversation yet.');
  const notes = [
    l10n.t(
      'This counts every answer since the conversation began, including those that failed, were stopped or are no longer remembered, and /compact. It leaves out /once.',
    ),
    ...missingNotes(conversation, answers, records),
  ].join(' ');
  const models = [...new Set(paid.map(({ model }) => nameOfModel(model)))];
  const overview = receiptLine(models.join(', '), sumOf(paid));
  return [`**${escapeMarkdown(overview)}**`, lines(paid).join('\n'), notes].join('\n\n');
}

function lines(answers: readonly AnswerRecord[]): readonly string[] {
  const older = answers.slice(0, -maxLines);
  const shown = answers.slice(older.length).map((answer, index) => {
    const words = shortened(wordsOf(answer));
    const end = answer.end === 'answered' ? '' : ` (${howEnded(answer.end)})`;
    return `${older.length + index + 1}. ${escapeMarkdown(`${words}${end} — ${usageLine(answer.usage)}`)}`;
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
  answers: readonly AnswerRecord[],
  records: readonly LedgerRecord[],
): readonly string[] {
  const recorded = new Set(answers.map(({ turn }) => turn));
  const unknown = turns.filter((turn) => !recorded.has(turn)).length;
  const notes: string[] = [];
  if (unknown === 1) notes.push(l10n.t('What 1 remembered turn took is not known here.'));
  if (unknown > 1) notes.push(l10n.t('What {0} remembered turns took is not known here.', unknown));
  if (records.length >= maxRecords) {
    notes.push(l10n.t('Only the newest {0} records are kept.', maxRecords));
  }
  return notes;
}

function sumOf(answers: readonly AnswerRecord[]) {
  return answers.map(({ usage }) => usage).reduce(addUsage, noUsage);
}

function shortened(words: string): string {
  const points = Array.from(words);
  return points.length > 40 ? `${points.slice(0, 40).join('')}…` : words;
}
