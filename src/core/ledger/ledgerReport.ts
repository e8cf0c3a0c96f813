import { table } from '../conversation/reports/memoryReport';
import { escapeMarkdown } from '../escapeMarkdown';
import { inputTokens } from '../messages';
import type { Translate } from '../translate';
import { leftOutOf } from './leftOut';
import type { AnswerRecord, LedgerRecord, SentItem } from './record';
import { cachedShare, costOf, howEnded, questionOf, whyLeft, wordsOf, type Formats } from './words';

export interface ReportOptions {
  readonly nameOfModel: (id: string) => string;
  readonly translate: Translate;
  readonly formats: Formats;
}

/** More rows than this nobody reads. */
const maxRows = 50;

/** What was sent for one answer and what was left out, as a Markdown document (M24). */
export function ledgerReport(
  answer: AnswerRecord,
  records: readonly LedgerRecord[],
  options: ReportOptions,
): string {
  const { translate } = options;
  return [
    `# ${translate('What was sent')}`,
    `> ${escapeMarkdown(questionOf(answer, translate))}`,
    answerTable(answer, options),
    `## ${translate('Sent')}`,
    ...sentSection(answer, options),
    ...placeholderSection(answer, translate),
    `## ${translate('Left out')}`,
    leftOutSection(answer, records, options),
  ].join('\n\n');
}

function answerTable(answer: AnswerRecord, { nameOfModel, translate, formats }: ReportOptions): string {
  const { usage, requests } = answer;
  const input = translate(
    '{0}, of which {1} from the cache ({2}%)',
    formats.number(inputTokens(usage)),
    formats.number(usage.cacheRead),
    String(cachedShare(usage)),
  );
  return table(
    [translate('When'), escapeMarkdown(formats.time(answer.startedAt))],
    [
      [translate('How it ended'), howEnded(answer.end, translate)],
      [translate('Model'), escapeMarkdown(nameOfModel(answer.model))],
      [translate('Requests'), String(requests)],
      [translate('Tokens in'), input],
      [translate('Tokens out'), formats.number(usage.output)],
      [translate('Cost'), costOf(usage)],
    ],
  );
}

function sentSection(answer: AnswerRecord, { translate, formats }: ReportOptions): readonly string[] {
  const { sent, requests, usage } = answer;
  if (sent.length === 0) return [translate('Nothing was sent.')];
  const rows = sent.map((item) => [describeItem(item, translate), formats.number(item.tokens)]);
  const sum = [translate('Sum'), formats.number(inputTokens(usage))].map((cell) => `**${cell}**`);
  const explanation =
    requests > 1
      ? translate(
          'Claude keeps nothing between requests, so all of it goes out with each. This answer took {0} requests, and the tokens are those of all of them.',
          String(requests),
        )
      : translate('Claude keeps nothing between requests, so all of it goes out with each.');
  const precision = translate(
    'The sum is what the API reported; it is split by how long each part is. Values that are remembered stand here by name only.',
  );
  const heading = [translate('What'), translate('Tokens')];
  return [explanation, rightAligned(table(heading, [...rows, sum])), precision];
}

function describeItem(item: SentItem, translate: Translate): string {
  switch (item.kind) {
    case 'fold':
      return translate('Turns over the limits, to make a summary of them');
    case 'system':
      return translate('Instructions');
    case 'tools':
      return translate('Tools on offer');
    case 'summary':
      return translate('Summary of earlier turns');
    case 'turn':
      return translate('Turn: {0}', escapeMarkdown(wordsOf(item, translate)));
    case 'param': {
      const name = item.name === undefined ? translate('(erased)') : `**${escapeMarkdown(item.name)}**`;
      return translate('Remembered value: {0}', name);
    }
    case 'facts':
      return translate('Facts of the moment');
    case 'message':
      return translate('Your message, with what was attached');
    case 'rounds':
      break;
  }
  return translate('Tool calls and results of this answer');
}

function placeholderSection({ sent }: AnswerRecord, translate: Translate): readonly string[] {
  const rows = sent.flatMap((item) =>
    item.kind === 'turn'
      ? (item.placeholders ?? []).map((text) => [
          escapeMarkdown(wordsOf(item, translate)),
          escapeMarkdown(text),
        ])
      : [],
  );
  if (rows.length === 0) return [];
  return [
    `## ${translate('Sent as placeholders')}`,
    translate('Images and documents are sent in the turn they belong to. Later, a few words stand for them.'),
    table([translate('Turn'), translate('Placeholder')], rows.slice(0, maxRows)),
  ];
}

function leftOutSection(
  answer: AnswerRecord,
  records: readonly LedgerRecord[],
  { translate, formats }: ReportOptions,
): string {
  if (answer.conversation === undefined) {
    return translate('This was asked without memory: nothing of the conversation was sent.');
  }
  const turns = leftOutOf(answer, records).toReversed();
  if (turns.length === 0) return translate('Nothing: all that is remembered was sent.');
  const rows = turns
    .slice(0, maxRows)
    .map((left) => [
      escapeMarkdown(wordsOf(left, translate)),
      formats.number(left.tokens),
      whyLeft(left.reason, translate),
    ]);
  const more = turns.length - rows.length;
  const rest = more > 0 ? [['…', '', translate('{0} more', String(more))]] : [];
  return table([translate('Turn'), translate('Tokens'), translate('Why')], [...rows, ...rest]);
}

/** The last column holds figures. */
function rightAligned(markdown: string): string {
  return markdown.replace('| --- |\n', '| ---: |\n');
}
