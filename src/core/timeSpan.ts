import type { Translate } from './translate';

/** How long something takes or took, in its largest unit: `40 s`, `24 min`, `3 h`, `2 days`. */
export function timeSpan(ms: number, translate: Translate): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  if (seconds < 60) return translate('{0} s', String(seconds));
  const minutes = Math.round(seconds / 60);
  if (minutes < 60) return translate('{0} min', String(minutes));
  const hours = Math.round(minutes / 60);
  if (hours < 48) return translate('{0} h', String(hours));
  return translate('{0} days', String(Math.round(hours / 24)));
}
