import { escapeMarkdown } from '../../escapeMarkdown';
import { addUsage, inputTokens, noUsage, type Usage } from '../../messages';
import { dollars, receiptLine, tokenCount } from '../../receipt';
import type { Translate } from '../../translate';
import { turnCount } from './archiveReport';
import { firstWords, table } from './memoryReport';
import type { Conversation } from '../turn';

/** What the remembered turns took, each and in sum, as Markdown for the person (P4). */
export function usageReport(
  conversation: Conversation | undefined,
  nameOfModel: (id: string) => string,
  translate: Translate,
): string {
  const turns = (conversation?.turns ?? []).flatMap(({ usage, ...turn }) =>
    usage ? [{ ...turn, usage }] : [],
  );
  if (turns.length === 0) return translate('No turn is remembered whose usage is known.');
  const rows = turns.map((turn, index) => [
    `${index + 1}. ${escapeMarkdown(firstWords(turn, 40))}`,
    ...figures(turn.usage),
  ]);
  const sum = turns.map(({ usage }) => usage).reduce(addUsage, noUsage);
  const models = [
    ...new Set(turns.flatMap(({ model }) => (model === undefined ? [] : [nameOfModel(model)]))),
  ];
  const heading = [translate('Turn'), translate('In'), translate('Out'), translate('Cost')];
  const note = translate(
    'Turns that are no longer remembered, and what /once and /compact took, are not counted.',
  );
  const overview = receiptLine(models.join(', ') || turnCount(turns.length, translate), sum);
  return [`**${escapeMarkdown(overview)}**`, table(heading, rows), note].join('\n\n');
}

/** Short ones: the chat panel is narrow. */
function figures(usage: Usage): readonly string[] {
  const { output, cost } = usage;
  return [tokenCount(inputTokens(usage)), tokenCount(output), cost === undefined ? '–' : dollars(cost)];
}
