import { blocksOf, textsIn } from '../messages';
import { ellipsize, inOneLine } from '../text/cutText';
import type { StoredTurn } from './turn';

/** The user's first words in a turn, in one line. */
export function firstWords(turn: Pick<StoredTurn, 'messages'>, maxChars = 60): string {
  return ellipsize(inOneLine(ownWords(turn)), maxChars);
}

/** What the user wrote: the last text of the opening message, after all that was attached. */
export function ownWords({ messages: [opening] }: Pick<StoredTurn, 'messages'>): string {
  return textsIn(opening ? blocksOf(opening) : []).at(-1) ?? '';
}
