import type { LeaveReason } from '../conversation/turn';
import { inputTokens, type Usage } from '../messages';
import { dollars } from '../receipt';
import type { Translate } from '../translate';
import type { AnswerRecord, LeftOutTurn } from './record';

/** How figures and times read in the person's language. */
export interface Formats {
  readonly number: (value: number) => string;
  readonly time: (at: number) => string;
}

/** Why a turn was not sent, after "left out:" or "left:". A reason that a later version wrote stands for itself. */
export function whyLeft(reason: LeaveReason | LeftOutTurn['reason'], translate: Translate): string {
  switch (reason) {
    case 'cap':
      return translate('turn limit');
    case 'budget':
      return translate('token budget');
    case 'full':
      return translate('turn limit or token budget');
    case 'size':
      return translate('no room');
    case 'expiry':
      return translate('expired');
    case 'rewind':
      return translate('taken back in the chat');
    case 'forgotten':
      return translate('forgotten');
    case 'cleared':
      return translate('cleared');
    case 'fresh':
      return translate('fresh start');
    case 'summary':
      return translate('folded into the summary');
    default:
      return String(reason satisfies never);
  }
}

/** How an answer ended, in a word or two. */
export function howEnded(end: AnswerRecord['end'], translate: Translate): string {
  switch (end) {
    case 'answered':
      return translate('answered');
    case 'asked':
      return translate('asked you something');
    case 'cancelled':
      return translate('stopped by you');
    case 'yielded':
      return translate('made room for your next message');
    case 'round-limit':
      return translate('stopped at the round limit');
    case 'loop':
      return translate('stopped because it repeated itself');
    case 'output-limit':
      return translate('stopped at the output limit');
    case 'refused':
      return translate('declined by Claude');
    case 'empty':
      return translate('empty');
    case 'failed':
      return translate('failed');
    case 'left':
      return translate('broken off');
    default:
      return String(end satisfies never);
  }
}

/** What an answer was asked. Nothing is kept of what was asked without memory. */
export function questionOf(answer: AnswerRecord, translate: Translate): string {
  return answer.conversation === undefined ? translate('(asked without memory)') : wordsOf(answer, translate);
}

/** The first words of a turn, or that the person had them erased. */
export function wordsOf({ words }: { readonly words?: string }, translate: Translate): string {
  if (words === undefined) return translate('(erased)');
  return words === '' ? translate('(no words)') : words;
}

export function costOf({ cost }: Usage): string {
  return cost === undefined ? '–' : dollars(cost);
}

/** How much of what was sent was read from the cache, in per cent. */
export function cachedShare(usage: Usage): number {
  const input = inputTokens(usage);
  return input === 0 ? 0 : Math.round((100 * usage.cacheRead) / input);
}
