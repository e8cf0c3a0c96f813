import * as l10n from '@vscode/l10n';
import { table } from '../conversation/reports/memoryReport';
import { escapeMarkdown } from '../escapeMarkdown';
import { inputTokens } from '../messages';
import { leftOutOf } from './leftOut';
import type { AnswerRecord, LedgerRecord, SentItem } from './record';
import { cachedShare, costOf, howEnded, questionOf, whyLeft, wordsOf, type Formats } from './words';

export interface ReportOptions {
  readonly nameOfModel: (id: string) => string;
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
  return [
    `# ${l10n.t('What was sent')}`,
    `> ${escapeMarkdown(questionOf(answer))}`,
    answerTable(answer, options),
    `## ${l10n.t('Sent')}`,
    ...sentSection(answer, options),
    ...placeholderSection(answer),
    `## ${l10n.t('Left out')}`,
    leftOutSection(answer, records, options),
  ].join('\n\n');
}

function answerTable(answer: AnswerRecord, { nameOfModel, formats }: ReportOptions): string {
  const { usage, requests } = answer;
  const input = l10n.t(
    '{0}, of which {1} from the cache ({2}%)',
    formats.number(inputTokens(usage)),
    formats.number(usage.cacheRead),
    cachedShare(usage),
  );
  return table(
    [l10n.t('When'), escapeMarkdown(formats.time(answer.startedAt))],
    [
      [l10n.t('How it ended'), howEnded(answer.end)],
      [l10n.t('Model'), escapeMarkdown(nameOfModel(answer.model))],
      [l10n.t('Requests'), String(requests)],
      [l10n.t('Tokens in'), input],
      [l10n.t('Tokens out'), formats.number(usage.output)],
      [l10n.t('Cost'), costOf(usage)],
    ],
  );
}

function sentSection(answer: AnswerRecord, { formats }: ReportOptions): readonly string[] {
  const { sent, requests, usage } = answer;
  if (sent.length === 0) return [l10n.t('Nothing was sent.')];
  const rows = sent.map((item) => [describeItem(item), formats.number(item.tokens)]);
  const sum = [l10n.t('Sum'), formats.number(inputTokens(usage))].map((cell) => `**${cell}**`);
  const explanation =
    requests > 1
      ? l10n.t(
          'Claude keeps nothing between requests, so all of it goes out with each. This answer took {0} requests, and the tokens are those of all of them.',
          requests,
        )
      : l10n.t('Claude keeps nothing between requests, so all of it goes out with each.');
  const precision = l10n.t(
    'The sum is what the API reported; it is split by how long each part is. Values that are remembered stand here by name only.',
  );
  const heading = [l10n.t('What'), l10n.t('Tokens')];
  return [explanation, rightAligned(table(heading, [...rows, sum])), precision];
}

function describeItem(item: SentItem): string {
  switch (item.kind) {
    case 'fold':
      return l10n.t('Turns over the limits, to make a summary of them');
    case 'system':
      return l10n.t('Instructions');
    case 'tools':
      return l10n.t('Tools on offer');
    case 'summary':
      return l10n.t('Summary of earlier turns');
    case 'turn':
      return l10n.t('Turn: {0}', escapeMarkdown(wordsOf(item)));
    case 'param': {
      const name = item.name === undefined ? l10n.t('(erased)') : `**${escapeMarkdown(item.name)}**`;
      return l10n.t('Remembered value: {0}', name);
    }
    case 'facts':
      return l10n.t('Facts of the moment');
    case 'message':
      return l10n.t('Your message, with what was attached');
    case 'rounds':
      break;
  }
  return l10n.t('Tool calls and results of this answer');
}

function placeholderSection({ sent }: AnswerRecord): readonly string[] {
  const rows = sent.flatMap((item) =>
    item.kind === 'turn'
      ? (item.placeholders ?? []).map((text) => [escapeMarkdown(wordsOf(item)), escapeMarkdown(text)])
      : [],
  );
  if (rows.length === 0) return [];
  return [
    `## ${l10n.t('Sent as placeholders')}`,
    l10n.t('Images and documents are sent in the turn they belong to. Later, a few words stand for them.'),
    table([l10n.t('Turn'), l10n.t('Placeholder')], rows.slice(0, maxRows)),
  ];
}

function leftOutSection(
  answer: AnswerRecord,
  records: readonly LedgerRecord[],
  { formats }: ReportOptions,
): string {
  if (answer.conversation === undefined) {
    return l10n.t('This was asked without memory: nothing of the conversation was sent.');
  }
  const turns = leftOutOf(answer, records).toReversed();
  if (turns.length === 0) return l10n.t('Nothing: all that is remembered was sent.');
  const rows = turns
    .slice(0, maxRows)
    .map((left) => [escapeMarkdown(wordsOf(left)), formats.number(left.tokens), whyLeft(left.reason)]);
  const more = turns.length - rows.length;
  const rest = more > 0 ? [['…', '', l10n.t('{0} more', more)]] : [];
  return table([l10n.t('Turn'), l10n.t('Tokens'), l10n.t('Why')], [...rows, ...rest]);
}

/** The last column holds figures. */
function rightAligned(markdown: string): string {
  return markdown.replace('| --- |\n', '| ---: |\n');
}
