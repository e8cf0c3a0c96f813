import { escapeMarkdown } from '../escapeMarkdown';
import { addUsage, noUsage, type Usage } from '../messages';
import { dollars, tokenCount } from '../receipt';
import type { Translate } from '../translate';
import { firstWords, table } from './memoryReport';
import type { Conversation } from './turn';

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
    String(index + 1),
    escapeMarkdown(firstWords(turn, 40)),
    turn.model === undefined ? '–' : escapeMarkdown(nameOfModel(turn.model)),
    ...figures(turn.usage),
  ]);
  const sum = figures(turns.map(({ usage }) => usage).reduce(addUsage, noUsage));
  const heading = [
    '',
    translate('Turn'),
    translate('Model'),
    translate('Tokens in'),
    translate('Cached'),
    translate('Tokens out'),
    translate('Cost'),
  ];
  const total = ['', `**${translate('Sum')}**`, '', ...sum.map((cell) => `**${cell}**`)];
  const note = translate(
    'Turns that are no longer remembered, and questions asked with /once, are not counted.',
  );
  return `${table(heading, [...rows, total])}\n\n${note}`;
}

function figures({ input, cacheRead, cacheWrite, output, cost }: Usage): readonly string[] {
  return [
    tokenCount(input + cacheRead + cacheWrite),
    tokenCount(cacheRead),
    tokenCount(output),
    cost === undefined ? '–' : dollars(cost),
  ];
}
