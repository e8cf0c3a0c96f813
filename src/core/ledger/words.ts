import * as l10n from '@vscode/l10n';
import type { LeaveReason } from '../conversation/turn';
import { inputTokens, type Usage } from '../messages';
import { dollars } from '../receipt';
import type { AnswerRecord, LeftOutTurn } from './record';

/** How figures and times read in the person's language. */
export interface Formats {
  readonly number: (value: number) => string;
  readonly time: (at: number) => string;
}

/** Why a turn was not sent, after "left out:" or "left:". A reason that a later version wrote stands for itself. */
export function whyLeft(reason: LeaveReason | LeftOutTurn['reason']): string {
  switch (reason) {
    case 'cap':
      return l10n.t('turn limit');
    case 'budget':
      return l10n.t('token budget');
    case 'full':
      return l10n.t('turn limit or token budget');
    case 'size':
      return l10n.t('no room');
    case 'expiry':
      return l10n.t('expired');
    case 'rewind':
      return l10n.t('taken back in the chat');
    case 'forgotten':
      return l10n.t('forgotten');
    case 'cleared':
      return l10n.t('cleared');
    case 'fresh':
      return l10n.t('fresh start');
    case 'summary':
      return l10n.t('folded into the summary');
    default:
      return String(reason satisfies never);
  }
}

/** How an answer ended, in a word or two. */
export function howEnded(end: AnswerRecord['end']): string {
  switch (end) {
    case 'answered':
      return l10n.t('answered');
    case 'asked':
      return l10n.t('asked you something');
    case 'cancelled':
      return l10n.t('stopped by you');
    case 'yielded':
      return l10n.t('made room for your next message');
    case 'round-limit':
      return l10n.t('stopped at the round limit');
    case 'loop':
      return l10n.t('stopped because it repeated itself');
    case 'output-limit':
      return l10n.t('stopped at the output limit');
    case 'refused':
      return l10n.t('declined by Claude');
    case 'empty':
      return l10n.t('empty');
    case 'failed':
      return l10n.t('failed');
    case 'left':
      return l10n.t('broken off');
    default:
      return String(end satisfies never);
  }
}

/** What an answer was asked. Nothing is kept of what was asked without memory. */
export function questionOf(answer: AnswerRecord): string {
  return answer.conversation === undefined ? l10n.t('(asked without memory)') : wordsOf(answer);
}

/** The first words of a turn, or that the person had them erased. */
export function wordsOf({ words }: { readonly words?: string }): string {
  if (words === undefined) return l10n.t('(erased)');
  return words === '' ? l10n.t('(no words)') : words;
}

export function costOf({ cost }: Usage): string {
  return cost === undefined ? '–' : dollars(cost);
}

/** How much of what was sent was read from the cache, in per cent. */
export function cachedShare(usage: Usage): number {
  const input = inputTokens(usage);
  return input === 0 ? 0 : Math.round((100 * usage.cacheRead) / input);
}
