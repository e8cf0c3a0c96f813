import * as l10n from '@vscode/l10n';
import { inputTokens, type Usage } from './messages';
import { decimal, inDollars } from './text/figures';

/**
 * What an answer took, in one line: `Sonnet 5.5 · $0.0123 · 12.3k in (11.0k cached) · 412 out`. A chat panel of the usual
 * width shows the beginning only.
 */
export function receiptLine(modelName: string, usage: Usage, side: readonly SidePart[] = []): string {
  const parts = side.map(({ kind, usage: own }) => `${nameOfSide(kind)} ${costOrTokens(own)}`);
  return [modelName.replace(/^Claude /, ''), usageLine(usage), ...parts].join(' · ');
}

/** A part of it that has a name of its own: `… · scouts $0.0010`. */
export interface SidePart {
  readonly kind: 'scouts' | 'web';
  readonly usage: Usage;
}

function nameOfSide(kind: SidePart['kind']): string {
  return kind === 'scouts' ? l10n.t('scouts') : l10n.t('web');
}

function costOrTokens(usage: Usage): string {
  return usage.cost === undefined ? tokenCount(inputTokens(usage) + usage.output) : dollars(usage.cost);
}

/** The same without a name: `$0.0123 · 12.3k in (11.0k cached) · 412 out`. */
export function usageLine(usage: Usage): string {
  const sent = tokenCount(inputTokens(usage));
  return [
    ...(usage.cost === undefined ? [] : [dollars(usage.cost)]),
    usage.cacheRead > 0
      ? l10n.t('{0} in ({1} cached)', sent, tokenCount(usage.cacheRead))
      : l10n.t('{0} in', sent),
    l10n.t('{0} out', tokenCount(usage.output)),
  ].join(' · ');
}

export function tokenCount(count: number): string {
  if (count < 1000) return String(count);
  if (count < 99_950) return `${decimal(count / 1000, 1)}k`;
  return count < 999_500 ? `${Math.round(count / 1000)}k` : `${decimal(count / 1_000_000, 2)}M`;
}

export function dollars(amount: number): string {
  if (amount === 0) return l10n.t('free');
  if (amount > 0 && amount < 0.0001) return `<${inDollars(0.0001, 4)}`;
  return inDollars(amount, amount < 1 ? 4 : 2);
}
