import { addUsage, inputTokens, noUsage, type Usage } from '../messages';
import { tokenCount } from '../receipt';
import type { Translate } from '../translate';
import { endsConversation } from './leftOut';
import { partsOf, type AnswerRecord, type DepartureRecord, type LedgerRecord, type Parts } from './record';
import { labelsOf, legendOf, partLabel, parts, type LegendEntry, type UsageLabels } from './usageLabels';
import { cachedShare, costOf, howEnded, whyLeft, wordsOf, type Formats } from './words';

/** All that the usage page shows, in the person's language: the page itself only places it. */
export interface UsageView {
  readonly title: string;
  /** `all` first, then `conversation`: what happened since the conversation of the newest answer began. */
  readonly scopes: readonly UsageScope[];
  readonly legend: { readonly parts: readonly LegendEntry[]; readonly input: readonly LegendEntry[] };
  readonly labels: UsageLabels;
}

export interface UsageScope {
  readonly id: 'conversation' | 'all';
  readonly label: string;
  readonly figures: readonly Figure[];
  /** Newest first. */
  readonly rows: readonly UsageRow[];
  /** The same as a table, with a row of sums. */
  readonly sums: readonly string[];
}

export interface Figure {
  readonly label: string;
  readonly value: string;
  readonly detail?: string;
}

export type UsageRow = AnswerRow | DepartureRow;

export interface AnswerRow {
  readonly kind: 'answer';
  readonly turn: string;
  readonly words: string;
  readonly when: string;
  /** Only when there is something to say besides that it was answered. */
  readonly end?: string;
  readonly tokens: number;
  readonly parts: readonly { readonly part: keyof Parts; readonly tokens: number; readonly label: string }[];
  /** How the input was paid for: read from the cache, written to it, or neither. */
  readonly input: readonly {
    readonly how: 'cached' | 'written' | 'fresh';
    readonly tokens: number;
    readonly label: string;
  }[];
  readonly summary: string;
  readonly cost: string;
  /** What a screen reader says for the whole row. */
  readonly name: string;
  readonly cells: readonly string[];
}

export interface DepartureRow {
  readonly kind: 'left';
  readonly text: string;
  readonly turns: readonly string[];
}

export interface UsageViewOptions {
  readonly nameOfModel: (id: string) => string;
  readonly translate: Translate;
  readonly formats: Formats;
}

export function usageView(records: readonly LedgerRecord[], options: UsageViewOptions): UsageView {
  const { translate } = options;
  const current = currentConversation(records);
  return {
    title: translate('Usage'),
    scopes: [
      { id: 'conversation', label: translate('This conversation'), ...scopeOf(current, options) },
      { id: 'all', label: translate('All recorded answers'), ...scopeOf(records, options) },
    ],
    legend: legendOf(translate),
    labels: labelsOf(translate),
  };
}

/** The records of the conversation of the newest answer, since it began. */
function currentConversation(records: readonly LedgerRecord[]): readonly LedgerRecord[] {
  const newest = records.findLast((record) => record.kind === 'answer' && record.conversation !== undefined);
  const own = records.filter(({ conversation }) => newest && conversation === newest.conversation);
  const begin = own.findLastIndex((record) => record.kind === 'left' && endsConversation(record.reason)) + 1;
  return own.slice(begin);
}

function scopeOf(
  records: readonly LedgerRecord[],
  options: UsageViewOptions,
): Pick<UsageScope, 'figures' | 'rows' | 'sums'> {
  const { translate, formats } = options;
  const answers = records.filter((record) => record.kind === 'answer');
  const usage = answers.map((answer) => answer.usage).reduce(addUsage, noUsage);
  const sums = parts.map((part) => answers.reduce((sum, answer) => sum + partsOf(answer)[part], 0));
  return {
    figures: figuresOf(answers.length, usage, options),
    rows: records
      .map((record) =>
        record.kind === 'answer' ? answerRow(record, options) : departureRow(record, options),
      )
      .toReversed(),
    sums: [translate('Sum'), '', ...usageCells(usage, sums, formats)],
  };
}

function figuresOf(
  answers: number,
  usage: Usage,
  { translate, formats }: UsageViewOptions,
): readonly Figure[] {
  const input = inputTokens(usage);
  return [
    { label: translate('Answers'), value: formats.number(answers) },
    {
      label: translate('Tokens in'),
      value: tokenCount(input),
      detail: translate('{0} % from the cache', String(cachedShare(usage))),
    },
    { label: translate('Tokens out'), value: tokenCount(usage.output) },
    { label: translate('Cost'), value: costOf(usage) },
  ];
}

function answerRow(answer: AnswerRecord, { nameOfModel, translate, formats }: UsageViewOptions): AnswerRow {
  const { usage, turn, startedAt, end, requests } = answer;
  const amounts = partsOf(answer);
  const words = wordsOf(answer, translate);
  const input = inputTokens(usage);
  const cached = cachedShare(usage);
  const cost = costOf(usage);
  const shown = parts.map((part) => ({
    part,
    tokens: amounts[part],
    label: `${partLabel(part, translate)}: ${formats.number(amounts[part])}`,
  }));
  const when = [formats.time(startedAt), nameOfModel(answer.model)].join(' · ');
  const summary = [
    translate('{0} in', tokenCount(input)),
    translate('{0} % cached', String(cached)),
    translate('{0} out', tokenCount(usage.output)),
    requests === 1 ? translate('1 request') : translate('{0} requests', String(requests)),
  ].join(' · ');
  return {
    kind: 'answer',
    turn,
    words,
    when,
    ...(end !== 'answered' && { end: howEnded(end, translate) }),
    tokens: input + usage.output,
    parts: shown,
    input: [
      {
        how: 'cached',
        tokens: usage.cacheRead,
        label: translate('From the cache: {0}', formats.number(usage.cacheRead)),
      },
      {
        how: 'written',
        tokens: usage.cacheWrite,
        label: translate('Written to the cache: {0}', formats.number(usage.cacheWrite)),
      },
      { how: 'fresh', tokens: usage.input, label: translate('Not cached: {0}', formats.number(usage.input)) },
    ],
    summary,
    cost,
    name: [words, howEnded(end, translate), summary, cost, ...shown.map(({ label }) => label)].join('; '),
    cells: [
      words,
      when,
      ...usageCells(
        usage,
        parts.map((part) => amounts[part]),
        formats,
      ),
    ],
  };
}

function departureRow({ turns, reason }: DepartureRecord, { translate }: UsageViewOptions): DepartureRow {
  const why = whyLeft(reason, translate);
  return {
    kind: 'left',
    text:
      turns.length === 1
        ? translate('1 turn left: {0}', why)
        : translate('{0} turns left: {1}', String(turns.length), why),
    turns: turns.map((turn) => wordsOf(turn, translate)),
  };
}

function usageCells(usage: Usage, amounts: readonly number[], { number }: Formats): readonly string[] {
  const input = [inputTokens(usage), usage.cacheRead, usage.cacheWrite, usage.input];
  return [...amounts.map(number), ...input.map(number), costOf(usage)];
}
