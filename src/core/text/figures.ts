import * as l10n from '@vscode/l10n';

/** A figure as the words around it are written: each bundle names its own language here. */
function figure(value: number, options: Intl.NumberFormatOptions): string {
  return value.toLocaleString(l10n.t('en'), options);
}

export function decimal(value: number, digits: number): string {
  return figure(value, { minimumFractionDigits: digits, maximumFractionDigits: digits });
}

export function inDollars(amount: number, digits: number): string {
  const fraction = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return figure(amount, { style: 'currency', currency: 'USD', currencyDisplay: 'narrowSymbol', ...fraction });
}

/** Of a share in hundredths: `82%`. */
export function percent(hundredths: number): string {
  return figure(hundredths / 100, { style: 'percent' });
}

/** How large a file is, for the user. */
export function fileSize(bytes: number): string {
  if (bytes < 1024) return l10n.t('{0} bytes', bytes);
  const power = Math.min(Math.floor(Math.log2(bytes) / 10), 3);
  const size = decimal(bytes / 1024 ** power, 1);
  if (power === 1) return l10n.t('{0} KB', size);
  return power === 2 ? l10n.t('{0} MB', size) : l10n.t('{0} GB', size);
}
