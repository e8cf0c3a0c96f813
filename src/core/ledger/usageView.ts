import * as l10n from '@vscode/l10n';
import { addUsage, inputTokens, noUsage, type Usage } from '../messages';
import { tokenCount } from '../receipt';
import { recordsOf, type RememberedConversation } from './conversationRecords';
import { partsOf, type AnswerRecord, type DepartureRecord, type LedgerRecord, type Parts } from './record';
import { labelsOf, legendOf, parts, type Legend, type UsageLabels } from './usageLabels';
import { rowOf, usageCells, type RowOptions, type UsageRow } from './usageRows';
import { cachedShare, costOf } from './words';

/** All that the usage page shows, in the person's language: the page itself only places it. */
export interface UsageView {
  readonly title: string;
  readonly scopes: readonly UsageScope[];
  readonly legend: Legend;
  readonly labels: UsageLabels;
}

/** Answers that are shown and added up together. */
export interface UsageScope {
  readonly id: 'conversation' | 'all';
  readonly label: string;
  readonly cost: string;
  readonly summary: string;
  /** Newest first. */
  readonly rows: readonly UsageRow[];
  /** The last line of the table. */
  readonly sums: readonly string[];
}

export function usageView(
  current: RememberedConversation,
  records: readonly LedgerRecord[],
  options: RowOptions,
): UsageView {
  return {
    title: l10n.t('Usage'),
    scopes: [
      {
        id: 'conversation',
        label: l10n.t('This conversation'),
        ...scopeOf(recordsOf(current, records), options),
      },
      { id: 'all', label: l10n.t('All recorded answers'), ...scopeOf(records, options) },
    ],
    legend: legendOf(),
    labels: labelsOf(),
  };
}

function scopeOf(records: readonly LedgerRecord[], options: RowOptions): Omit<UsageScope, 'id' | 'label'> {
  const { formats } = options;
  const answers = records.filter((record) => record.kind === 'answer');
  const usage = answers.map((answer) => answer.usage).reduce(addUsage, noUsage);
  return {
    cost: costOf(usage),
    summary: summaryOf(answers.length, usage, options),
    rows: joined(records)
      .map((record) => rowOf(record, options))
      .toReversed(),
    sums: [l10n.t('Sum'), '', ...usageCells(usage, sumOfParts(answers), formats)],
  };
}

function summaryOf(answers: number, usage: Usage, { formats }: RowOptions): string {
  return [
    answers === 1 ? l10n.t('1 answer') : l10n.t('{0} answers', formats.number(answers)),
    l10n.t('{0} in, {1}% cached', tokenCount(inputTokens(usage)), cachedShare(usage)),
    l10n.t('{0} out', tokenCount(usage.output)),
  ].join(' · ');
}

function sumOfParts(answers: readonly AnswerRecord[]): Parts {
  const sum = { system: 0, history: 0, results: 0, text: 0, answer: 0 };
  for (const amounts of answers.map(partsOf)) for (const part of parts) sum[part] += amounts[part];
  return sum;
}

/** Turns that left one after another for the same reason left together, for all that a person cares. */
function joined(records: readonly LedgerRecord[]): readonly LedgerRecord[] {
  const all: LedgerRecord[] = [];
  for (const record of records) {
    const last = all.at(-1);
    if (record.kind === 'left' && last?.kind === 'left' && last.reason === record.reason) {
      const together: DepartureRecord = { ...last, turns: [...last.turns, ...record.turns] };
      all[all.length - 1] = together;
    } else all.push(record);
  }
  return all;
}
