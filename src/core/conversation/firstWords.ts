import { ownWords } from '../messages';
import { ellipsize, inOneLine } from '../text/cutText';
import type { StoredTurn } from './turn';

/** The user's first words in a turn, in one line; empty where there are none. */
export function firstWords(turn: Pick<StoredTurn, 'messages'>, maxChars = 60): string {
  return ellipsize(inOneLine(ownWordsIn(turn)), maxChars);
}

/** What the user wrote in a turn, without what was attached. */
export function ownWordsIn({ messages: [opening] }: Pick<StoredTurn, 'messages'>): string {
  return opening ? ownWords(opening.content) : '';
}
