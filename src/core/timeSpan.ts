import type { Translate } from './translate';

/** How long something takes or took: `40 s`, `24 min`, `1 h 30 min`, `12 h`, `2 days`. */
export function timeSpan(ms: number, translate: Translate): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return translate('{0} s', String(seconds));
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return translate('{0} min', String(minutes));
  const rest = minutes % 60;
  // Of few hours the minutes count: an hour and a half is not two.
  if (minutes < 600 && rest > 0)
    return translate('{0} h {1} min', String(Math.floor(minutes / 60)), String(rest));
  const hours = Math.round(minutes / 60);
  if (hours < 48) return translate('{0} h', String(hours));
  return translate('{0} days', String(Math.round(hours / 24)));
}

/** When something was. Seconds are left out: what shows this is drawn anew each minute, not each second. */
export function timeAgo(ms: number, translate: Translate): string {
  return ms < 60_000 ? translate('just now') : translate('{0} ago', timeSpan(ms, translate));
}
