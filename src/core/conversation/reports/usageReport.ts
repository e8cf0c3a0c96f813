import { escapeMarkdown } from '../../escapeMarkdown';
import { addUsage, noUsage, type Usage } from '../../messages';
import { dollars, tokenCount } from '../../receipt';
import type { Translate } from '../../translate';
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
    ...figures(turn.usage, translate),
  ]);
  const sum = figures(turns.map(({ usage }) => usage).reduce(addUsage, noUsage), translate);
  const total = [translate('Sum'), ...sum].map((cell) => `**${cell}**`);
  const models = [
    ...new Set(turns.flatMap(({ model }) => (model === undefined ? [] : [nameOfModel(model)]))),
  ];
  const heading = [translate('Turn'), translate('In'), translate('Out'), translate('Cost')];
  const note = translate(
    'Turns that are no longer remembered, and what /once and /compact took, are not counted.',
  );
  return [escapeMarkdown(models.join(', ')), table(heading, [...rows, total]), note]
    .filter((section) => section !== '')
    .join('\n\n');
}

function figures(
  { input, cacheRead, cacheWrite, output, cost }: Usage,
  translate: Translate,
): readonly string[] {
  const all = tokenCount(input + cacheRead + cacheWrite);
  return [
    cacheRead > 0 ? translate('{0} ({1} cached)', all, tokenCount(cacheRead)) : all,
    tokenCount(output),
    cost === undefined ? '–' : dollars(cost),
  ];
}
