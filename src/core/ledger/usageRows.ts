import * as l10n from '@vscode/l10n';
import { inputTokens, type Usage } from '../messages';
import { tokenCount } from '../receipt';
import { partsOf, type AnswerRecord, type DepartureRecord, type LedgerRecord, type Parts } from './record';
import { inputLabel, inputs, partLabel, parts } from './usageLabels';
import { cachedShare, costOf, howEnded, questionOf, whyLeft, wordsOf, type Formats } from './words';

export type UsageRow = AnswerRow | DepartureRow;

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

export interface DepartureRow {
  readonly kind: 'left';
  readonly text: string;
  readonly turns: readonly string[];
}

export interface RowOptions {
  readonly nameOfModel: (id: string) => string;
  readonly formats: Formats;
}

export function rowOf(record: LedgerRecord, options: RowOptions): UsageRow {
  return record.kind === 'answer' ? answerRow(record, options) : departureRow(record);
}

/** The figures of a line in the table. */
export function usageCells(usage: Usage, amounts: Parts, { number }: Formats): readonly string[] {
  return [
    costOf(usage),
    number(inputTokens(usage)),
    ...inputs.map((kind) => number(inputOf(usage, kind))),
    ...parts.map((part) => number(amounts[part])),
  ];
}

function answerRow(answer: AnswerRecord, { nameOfModel, formats }: RowOptions): AnswerRow {
  const { usage, turn, requests } = answer;
  const amounts = partsOf(answer);
  const words = questionOf(answer);
  const when = formats.time(answer.startedAt);
  const end = howEnded(answer.end);
  const cost = costOf(usage);
  const segment = (kind: string, label: string, tokens: number): Segment => ({
    kind,
    tokens,
    label: `${label}: ${formats.number(tokens)}`,
  });
  const shown = parts.map((part) => segment(part, partLabel(part), amounts[part]));
  const summary = [
    ...(answer.end === 'answered' ? [] : [end]),
    l10n.t('{0} in, {1}% cached', tokenCount(inputTokens(usage)), cachedShare(usage)),
    l10n.t('{0} out', tokenCount(usage.output)),
    requests === 1 ? l10n.t('1 request') : l10n.t('{0} requests', requests),
  ].join(' · ');
  return {
    kind: 'answer',
    turn,
    words,
    about: [when, nameOfModel(answer.model), end].join(' · '),
    summary,
    cost,
    parts: shown,
    input: inputs.map((kind) => segment(kind, inputLabel(kind), inputOf(usage, kind))),
    spoken: shown.map(({ label }) => label).join('; '),
    cells: [words, when, ...usageCells(usage, amounts, formats)],
  };
}

function departureRow({ turns, reason }: DepartureRecord): DepartureRow {
  const why = whyLeft(reason);
  return {
    kind: 'left',
    text:
      turns.length === 1
        ? l10n.t('1 turn left the memory: {0}', why)
        : l10n.t('{0} turns left the memory: {1}', turns.length, why),
    turns: turns.map((turn) => wordsOf(turn)),
  };
}

function inputOf(usage: Usage, kind: (typeof inputs)[number]): number {
  switch (kind) {
    case 'cached':
      return usage.cacheRead;
    case 'written':
      return usage.cacheWrite;
    case 'fresh':
      break;
  }
  return usage.input;
}
