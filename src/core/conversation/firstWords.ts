import { blocksOf } from '../messages';
import type { StoredTurn } from './turn';

/** The user's first words in a turn, in one line. */
export function firstWords(turn: Pick<StoredTurn, 'messages'>, maxChars = 60): string {
  const points = Array.from(ownWords(turn).replaceAll(/\s+/g, ' ').trim());
  return points.length > maxChars ? `${points.slice(0, maxChars).join('')}…` : points.join('');
}

/** What the user wrote: the last text of the opening message, after all that was attached. */
export function ownWords({ messages: [opening] }: Pick<StoredTurn, 'messages'>): string {
  const texts = opening
    ? blocksOf(opening).flatMap((block) => (block.type === 'text' ? [block.text] : []))
    : [];
  return texts.at(-1) ?? '';
}
