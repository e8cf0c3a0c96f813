import * as l10n from '@vscode/l10n';
import type { CacheMiss } from '../agent/cacheMiss';
import { inputTokens, type Usage } from '../messages';
import { dollars } from '../receipt';
import { percent } from '../text/figures';
import type { WhyNot } from './conversationRecords';
import type { AnswerRecord, Shown, ShownAnswer } from './record';

/** How records are put into words. */
export interface Wording {
  readonly nameOfModel: (id: string) => string;
  readonly formats: Formats;
}

/** How figures and times read in the user's language. */
export interface Formats {
  readonly number: (value: number) => string;
  readonly time: (at: number) => string;
  readonly day: (at: number) => string;
}

/** Why a turn was not sent or is no longer remembered. A reason that a later version wrote stands for itself. */
export function whyNot(reason: WhyNot): string {
  const reasons: Readonly<Record<WhyNot, string>> = {
    cap: l10n.t('turn limit'),
    budget: l10n.t('token budget'),
    full: l10n.t('turn limit or token budget'),
    size: l10n.t('too large'),
    expiry: l10n.t('expired'),
    rewind: l10n.t('taken back in the chat'),
    forgotten: l10n.t('forgotten'),
    cleared: l10n.t('cleared'),
    fresh: l10n.t('fresh start'),
    summary: l10n.t('summarized'),
  };
  return Object.hasOwn(reasons, reason) ? reasons[reason] : reason;
}

/** How an answer ended, in a word or two. */
export function howEnded(end: AnswerRecord['end']): string {
  const ends: Readonly<Record<AnswerRecord['end'], string>> = {
    answered: l10n.t('answered'),
    asked: l10n.t('asked you something'),
    cancelled: l10n.t('stopped by you'),
    yielded: l10n.t('interrupted by your next message'),
    'round-limit': l10n.t('stopped at the round limit'),
    loop: l10n.t('stopped because it repeated itself'),
    'output-limit': l10n.t('stopped at the output limit'),
    budget: l10n.t('stopped at the budget'),
    refused: l10n.t('declined by Claude'),
    empty: l10n.t('empty'),
    failed: l10n.t('failed'),
    aborted: l10n.t('aborted'),
  };
  return Object.hasOwn(ends, end) ? ends[end] : end;
}

/** Why the prompt cache was missed. */
export function whyCacheMissed(miss: CacheMiss): string {
  const reasons: Readonly<Record<CacheMiss, string>> = {
    model: l10n.t('another model'),
    tools: l10n.t('other tools on offer'),
    instructions: l10n.t('changed instructions'),
    notes: l10n.t('changed notes'),
    effort: l10n.t('another effort'),
    history: l10n.t('older turns no longer sent as before'),
    pause: l10n.t('more than five minutes since the last request'),
    'short-pause': l10n.t('of the history only, after more than five minutes'),
    absence: l10n.t('more than an hour since the last request'),
    dropped: l10n.t('the API no longer had it, although nothing had changed'),
    unknown: l10n.t('for a reason that is not known here'),
  };
  return Object.hasOwn(reasons, miss) ? reasons[miss] : miss;
}

/** What an answer was asked. Nothing is kept of what was asked without memory. */
export function questionOf(answer: ShownAnswer, formats: Formats): string {
  if (answer.command) return `/${answer.command}`;
  return answer.conversation === undefined ? l10n.t('(asked without memory)') : titleOf(answer, formats);
}

/** The first words of a turn. When they were erased or not kept, at least when it was. */
export function titleOf({ words, startedAt }: Shown<unknown>, { time }: Formats): string {
  if (words !== undefined) return words === '' ? l10n.t('(empty)') : words;
  return startedAt === undefined ? l10n.t('an earlier turn') : l10n.t('turn of {0}', time(startedAt));
}

export function costOf({ cost }: Usage): string {
  return cost === undefined ? '–' : dollars(cost);
}

/** How much of what was sent was read from the cache: `82%`. */
export function cachedShare(usage: Usage): string {
  const input = inputTokens(usage);
  return percent(input === 0 ? 0 : (100 * usage.cacheRead) / input);
}
