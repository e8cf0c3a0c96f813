import { escapeMarkdown } from '../../escapeMarkdown';
import { addUsage, noUsage } from '../../messages';
import { receiptLine, usageLine } from '../../receipt';
import type { Translate } from '../../translate';
import type { Conversation } from '../turn';
import { turnCount } from './archiveReport';
import { firstWords } from './memoryReport';

/** What the remembered turns took, in sum and each, as Markdown for the person (P4). A list: the chat panel is narrow. */
export function usageReport(
  conversation: Conversation | undefined,
  nameOfModel: (id: string) => string,
  translate: Translate,
): string {
  const turns = (conversation?.turns ?? []).flatMap(({ usage, ...turn }) =>
    usage ? [{ ...turn, usage }] : [],
  );
  if (turns.length === 0) return translate('No turn is remembered whose usage is known.');
  const sum = turns.map(({ usage }) => usage).reduce(addUsage, noUsage);
  const models = [
    ...new Set(turns.flatMap(({ model }) => (model === undefined ? [] : [nameOfModel(model)]))),
  ];
  const overview = receiptLine(models.join(', ') || turnCount(turns.length, translate), sum);
  const lines = turns.map(
    (turn, index) =>
      `${index + 1}. ${escapeMarkdown(firstWords(turn, 40))} — ${escapeMarkdown(usageLine(turn.usage))}`,
  );
  const note = translate(
    'Turns that are no longer remembered, and what /once and /compact took, are not counted.',
  );
  return [`**${escapeMarkdown(overview)}**`, lines.join('\n'), note].join('\n\n');
}
