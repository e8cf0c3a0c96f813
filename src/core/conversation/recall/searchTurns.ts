import { answerText } from '../../messages';
import { ownWordsIn } from '../firstWords';
import type { ConversationMemory } from '../memory/memory';
import type { ArchivedHeader, KeptTurn } from '../store';
import { excerpt } from './excerpt';
import { findTurns, findTyped } from './findTurns';
import { searchWords } from './searchQuery';

/** An exchange that has what somebody looks for. */
export interface FoundTurn extends KeptTurn {
  /** Where the words stand, in one line. */
  readonly excerpt: string;
}

const maxFound = 50;
const excerptChars = 120;

/** All that was said, remembered or not: exchanges with all the words, or else those that come nearest. */
export async function searchTurns(
  memory: Pick<ConversationMemory, 'search'>,
  text: string,
): Promise<readonly FoundTurn[]> {
  const words = searchWords(text);
  const found = await memory.search((search) => {
    const typed = findTyped(search, text, maxFound);
    const places =
      typed.length > 0 ? typed : findTurns(search, text, { limit: maxFound, inSight: new Set() });
    return places.flatMap((place) => {
      const kept = search.kept(place);
      return kept ? [{ ...kept, excerpt: whereSaid(kept, words) }] : [];
    });
  });
  return found ?? [];
}

/** An archived conversation with the exchange in it that fits best. */
export interface FoundConversation {
  readonly archived: ArchivedHeader;
  readonly found?: FoundTurn;
}

/** The archived conversations among what was found, each once. */
export function conversationsIn(
  found: readonly FoundTurn[],
  archived: readonly ArchivedHeader[],
): readonly FoundConversation[] {
  const headers = new Map(archived.map((header) => [header.id, header]));
  return found.flatMap((turn) => {
    const header = turn.archived === undefined ? undefined : headers.get(turn.archived);
    if (!header) return [];
    headers.delete(header.id);
    return [{ archived: header, found: turn }];
  });
}

/** In the answer, unless only the question has the words. */
function whereSaid({ kept }: KeptTurn, words: readonly string[]): string {
  const texts = [answerText(kept.messages), ownWordsIn(kept)];
  const count = (text: string) => words.filter((word) => text.toLowerCase().includes(word)).length;
  const [best = ''] = texts.toSorted((a, b) => count(b) - count(a));
  return excerpt(best, words, excerptChars);
}
