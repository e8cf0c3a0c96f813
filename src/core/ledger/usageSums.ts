import * as l10n from '@vscode/l10n';
import { addUsage, inputTokens, noUsage } from '../messages';
import { dollars } from '../receipt';
import { dayOf } from '../text/dayOf';
import { percent } from '../text/figures';
import { withRemark } from '../text/joined';
import { isSide, type ShownAnswer } from './record';
import { cachedShare, costOf, type Wording } from './words';

/** Answers added up by day or by model, as a table. */
export interface UsageSums {
  readonly id: 'day' | 'model';
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** Newest day first; the model that cost most first. */
export function usageSums(answers: readonly ShownAnswer[], wording: Wording): readonly UsageSums[] {
  const days = grouped(answers, ({ startedAt }) => dayOf(startedAt));
  const models = grouped(answers, ({ model }) => wording.nameOfModel(model));
  const byDay = [...days]
    .toSorted(([a], [b]) => (a < b ? 1 : -1))
    .map(([, some]) => [wording.formats.day(some[0]?.startedAt ?? 0), some] as const);
  const byCost = [...models].toSorted(([, a], [, b]) => totalOf(b) - totalOf(a));
  return [
    { id: 'day', title: l10n.t('By day'), ...tableOf(l10n.t('Day'), byDay, wording) },
    { id: 'model', title: l10n.t('By model'), ...tableOf(l10n.t('Model'), byCost, wording) },
  ];
}

type Group = readonly [string, readonly ShownAnswer[]];

function grouped(
  answers: readonly ShownAnswer[],
  keyOf: (answer: ShownAnswer) => string,
): ReadonlyMap<string, readonly ShownAnswer[]> {
  const groups = new Map<string, ShownAnswer[]>();
  for (const answer of answers) {
    const key = keyOf(answer);
    groups.set(key, [...(groups.get(key) ?? []), answer]);
  }
  return groups;
}

function tableOf(
  name: string,
  groups: readonly Group[],
  { formats }: Wording,
): Pick<UsageSums, 'columns' | 'rows'> {
  const rows = groups.map(([key, answers]) => {
    const usage = answers.map((answer) => answer.usage).reduce(addUsage, noUsage);
    const share = (part: number) =>
      usage.cost ? withRemark(dollars(part), percent((100 * part) / usage.cost)) : '–';
    const partOf = (kind: Part) => sum(answers.map((answer) => costOfPart(answer, kind)));
    const parts = (['scouts', 'web', 'summaries'] as const).map(partOf);
    return [
      key,
      costOf(usage),
      formats.number(answers.length),
      formats.number(inputTokens(usage)),
      cachedShare(usage),
      formats.number(usage.output),
      ...parts.map((part) => (part === 0 ? '–' : share(part))),
      signedDollars(usage.saved ?? 0),
    ];
  });
  const columns = [
    name,
    l10n.t('Cost'),
    l10n.t('Answers'),
    l10n.t('Tokens in'),
    l10n.t('From the cache'),
    l10n.t('Tokens out'),
    l10n.t('Scouts'),
    l10n.t('Web'),
    l10n.t('Summaries'),
    l10n.t('Saved by caching'),
  ];
  // Most people have no scouts, no web and no summaries: what says nothing takes no room.
  const isUsed = (column: number) => rows.some((row) => row[column] !== '–');
  const used = <Cell>(cells: readonly Cell[]) => cells.filter((_, column) => isUsed(column));
  return { columns: used(columns), rows: rows.map(used) };
}

type Part = 'scouts' | 'web' | 'summaries';

function costOfPart({ sent, usage, command }: ShownAnswer, kind: Part): number {
  if (kind !== 'summaries')
    return sum(sent.filter(isSide).flatMap((item) => (item.kind === kind ? [item.cost ?? 0] : [])));
  if (command === 'compact') return usage.cost ?? 0;
  return sum(sent.flatMap((item) => (item.kind === 'summarize' ? [item.cost ?? 0] : [])));
}

function signedDollars(amount: number): string {
  return amount < 0 ? `−${dollars(-amount)}` : amount === 0 ? '–' : dollars(amount);
}

function totalOf(answers: readonly ShownAnswer[]): number {
  return sum(answers.map(({ usage }) => usage.cost ?? 0));
}

function sum(amounts: readonly number[]): number {
  return amounts.reduce((all, amount) => all + amount, 0);
}
