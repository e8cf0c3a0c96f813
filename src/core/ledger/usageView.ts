import * as l10n from '@vscode/l10n';
import { daySentences, type Today } from '../conversation/reports/daySum';
import { addUsage, inputTokens, noUsage, type Usage } from '../messages';
import { tokenCount } from '../receipt';
import { labeled, spokenSentences } from '../text/joined';
import { recordsOf, type RememberedConversation } from './conversationRecords';
import { answersIn, partsOf, type Eviction, type LedgerRecord, type Parts, type ShownAnswer } from './record';
import { labelsOf, legendOf, type Legend, type UsageLabels } from './usageLabels';
import { usageSums, type UsageSums } from './usageSums';
import {
  cachedShare,
  costOf,
  howEnded,
  questionOf,
  titleOf,
  whyCacheMissed,
  whyNot,
  type Wording,
} from './words';

/** All that the usage page shows, in the user's language: the page itself only places it. */
export interface UsageView {
  readonly title: string;
  /** What was spent today, against the limit. */
  readonly today: readonly string[];
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
  /** By day and by model. */
  readonly breakdowns: readonly UsageSums[];
}

export type UsageRow = AnswerRow | EvictionRow;

export interface AnswerRow {
  readonly kind: 'answer';
  readonly turn: string;
  readonly words: string;
  /** The time, the model and how it ended. */
  readonly about: string;
  readonly summary: string;
  readonly cost: string;
  /** What was sent and answered. */
  readonly parts: readonly Segment[];
  /** How the input was paid for. */
  readonly input: readonly Segment[];
  /** What the bars show, for a screen reader. */
  readonly spoken: string;
  readonly cells: readonly string[];
}

/** A piece of a bar. */
export interface Segment {
  readonly kind: string;
  readonly tokens: number;
  readonly label: string;
}

export interface EvictionRow {
  readonly kind: 'evicted';
  readonly text: string;
  readonly turns: readonly string[];
}

interface Context extends Wording {
  readonly legend: Legend;
}

export function usageView(
  current: RememberedConversation,
  records: readonly LedgerRecord[],
  wording: Wording,
  today?: Today,
): UsageView {
  const legend = usedLegend(records);
  const scope = (shown: readonly LedgerRecord[]) => scopeOf(shown, { ...wording, legend });
  return {
    title: l10n.t('Usage'),
    today: today ? daySentences(today) : [],
    scopes: [
      { id: 'conversation', label: l10n.t('This conversation'), ...scope(recordsOf(current, records)) },
      { id: 'all', label: l10n.t('All recorded answers'), ...scope(records) },
    ],
    legend,
    labels: labelsOf(legend),
  };
}

/** Most answers have no side work: it is named once there is some. */
function usedLegend(records: readonly LedgerRecord[]): Legend {
  const legend = legendOf();
  const answers = answersIn(records).map(partsOf);
  const isUsed = (kind: keyof Parts) => answers.some((parts) => parts[kind] > 0);
  const parts = legend.parts.filter(({ kind }) => (kind !== 'scouts' && kind !== 'web') || isUsed(kind));
  return { ...legend, parts };
}

function scopeOf(records: readonly LedgerRecord[], context: Context): Omit<UsageScope, 'id' | 'label'> {
  const answers = answersIn(records);
  const usage = answers.map((answer) => answer.usage).reduce(addUsage, noUsage);
  const count =
    answers.length === 1 ? l10n.t('1 answer') : l10n.t('{0} answers', context.formats.number(answers.length));
  return {
    cost: costOf(usage),
    summary: [count, ...inAndOut(usage)].join(' · '),
    rows: rowsOf(records, context).toReversed(),
    sums: [l10n.t('Sum'), '', ...figures(usage, answers.map(partsOf), context), ''],
    breakdowns: answers.length > 0 ? usageSums(answers, context) : [],
  };
}

/** Turns that were evicted one after another for the same reason are one row. */
function rowsOf(records: readonly LedgerRecord[], context: Context): readonly UsageRow[] {
  const rows: UsageRow[] = [];
  let evicted: Eviction[] = [];
  for (const [index, record] of records.entries()) {
    const next = records[index + 1];
    if (record.kind === 'answer') rows.push(answerRow(record, context));
    else {
      evicted.push(record);
      if (next?.kind === 'evicted' && next.reason === record.reason) continue;
      rows.push(evictionRow(evicted, record.reason, context));
      evicted = [];
    }
  }
  return rows;
}

function answerRow(answer: ShownAnswer, context: Context): AnswerRow {
  const { nameOfModel, formats, legend } = context;
  const { usage, turn, requests } = answer;
  const amounts = { ...partsOf(answer), ...inputsOf(usage) };
  const words = questionOf(answer, formats);
  const when = formats.time(answer.startedAt);
  const end = howEnded(answer.end);
  const miss = answer.cacheMiss ? whyCacheMissed(answer.cacheMiss) : '';
  const segments = (entries: Legend['parts'] | Legend['input']): readonly Segment[] =>
    entries.map(({ kind, label }) => ({
      kind,
      tokens: amounts[kind],
      label: labeled(label, formats.number(amounts[kind])),
    }));
  const parts = segments(legend.parts);
  return {
    kind: 'answer',
    turn,
    words,
    about: [when, nameOfModel(answer.model), end].join(' · '),
    summary: [
      ...(answer.end === 'answered' ? [] : [end]),
      ...inAndOut(usage),
      requests === 1 ? l10n.t('1 request') : l10n.t('{0} requests', requests),
      ...(miss === '' ? [] : [l10n.t('cache missed: {0}', miss)]),
    ].join(' · '),
    cost: costOf(usage),
    parts,
    input: segments(legend.input),
    spoken: spokenSentences(parts.map(({ label }) => label)),
    cells: [words, when, ...figures(usage, [amounts], context), miss],
  };
}

function evictionRow(
  turns: readonly Eviction[],
  reason: Eviction['reason'],
  { formats }: Context,
): EvictionRow {
  const why = whyNot(reason);
  return {
    kind: 'evicted',
    text:
      turns.length === 1
        ? l10n.t('1 turn no longer remembered: {0}', why)
        : l10n.t('{0} turns no longer remembered: {1}', turns.length, why),
    turns: turns.map((turn) => titleOf(turn, formats)),
  };
}

function inAndOut(usage: Usage): readonly string[] {
  return [
    l10n.t('{0} in, {1} cached', tokenCount(inputTokens(usage)), cachedShare(usage)),
    l10n.t('{0} out', tokenCount(usage.output)),
  ];
}

/** The figures of a line in the table, in the order of its columns. */
function figures(usage: Usage, answers: readonly Parts[], { legend, formats }: Context): readonly string[] {
  const inputs = inputsOf(usage);
  const amounts = [
    inputTokens(usage),
    ...legend.input.map(({ kind }) => inputs[kind]),
    ...legend.parts.map(({ kind }) => answers.reduce((sum, parts) => sum + parts[kind], 0)),
  ];
  return [costOf(usage), ...amounts.map(formats.number)];
}

function inputsOf({ cacheRead, cacheWrite, input }: Usage) {
  return { cached: cacheRead, written: cacheWrite, fresh: input };
}
