import * as l10n from '@vscode/l10n';

/** How long something takes or took: `40 s`, `24 min`, `1 h 30 min`, `12 h`, `2 days`. */
export function timeSpan(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return l10n.t('{0} s', seconds);
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return l10n.t('{0} min', minutes);
  const rest = minutes % 60;
  // Of few hours the minutes count: an hour and a half is not two.
  if (minutes < 600 && rest > 0) return l10n.t('{0} h {1} min', Math.floor(minutes / 60), rest);
  const days = wholeDays(ms);
  return days === undefined ? l10n.t('{0} h', Math.round(minutes / 60)) : l10n.t('{0} days', days);
}

/** When something was. Seconds are left out: what shows this is redrawn each minute, not each second. */
export function timeAgo(ms: number): string {
  if (ms < 60_000) return l10n.t('just now');
  const days = wholeDays(ms);
  // In German, days are declined and the shorter units are not.
  return days === undefined ? l10n.t('{0} ago', timeSpan(ms)) : l10n.t('{0} days ago', days);
}

/** Undefined for what is said in a shorter unit. */
function wholeDays(ms: number): number | undefined {
  const hours = Math.round(Math.round(ms / 60_000) / 60);
  return hours < 48 ? undefined : Math.round(hours / 24);
}
