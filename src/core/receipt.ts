import * as l10n from '@vscode/l10n';
import { inputTokens, type Usage } from './messages';

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
  const cached = usage.cacheRead > 0 ? ` (${tokenCount(usage.cacheRead)} cached)` : '';
  return [
    ...(usage.cost === undefined ? [] : [dollars(usage.cost)]),
    `${tokenCount(inputTokens(usage))} in${cached}`,
    `${tokenCount(usage.output)} out`,
  ].join(' · ');
}

export function tokenCount(count: number): string {
  if (count < 1000) return String(count);
  if (count < 99_950) return `${(count / 1000).toFixed(1)}k`;
  return count < 999_500 ? `${Math.round(count / 1000)}k` : `${(count / 1_000_000).toFixed(2)}M`;
}

export function dollars(amount: number): string {
  if (amount === 0) return 'free';
  if (amount > 0 && amount < 0.0001) return '<$0.0001';
  return `$${amount.toFixed(amount < 1 ? 4 : 2)}`;
}
