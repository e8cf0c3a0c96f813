import { blocksOf } from '../../messages';
import type { ArchivedConversation } from './archivedForm';

export interface Found {
  readonly archived: ArchivedConversation;
  /** Where the words stand, in one line; nothing when the title says it or nothing was asked for. */
  readonly excerpt?: string;
}

const charsBefore = 30;
const charsInAll = 120;

/** Finds conversations by words of their titles, prompts and answers. Texts are read when the first word is asked for. */
export class ArchiveSearch {
  readonly #conversations: readonly ArchivedConversation[];
  readonly #texts = new Map<ArchivedConversation, readonly SearchText[]>();

  constructor(conversations: readonly ArchivedConversation[]) {
    this.#conversations = conversations;
  }

  /** Those that hold every word, in the order in which they were given. */
  find(query: string): readonly Found[] {
    const words = query
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== '');
    if (words.length === 0) return this.#conversations.map((archived) => ({ archived }));
    return this.#conversations.flatMap((archived) => {
      const title = archived.title.toLowerCase();
      const texts = this.#textsOf(archived);
      const isIn = (word: string) => title.includes(word) || texts.some((text) => text.folded.includes(word));
      if (!words.every(isIn)) return [];
      const excerpt = words.every((word) => title.includes(word)) ? undefined : excerptOf(texts, words);
      return [{ archived, ...(excerpt !== undefined && { excerpt }) }];
    });
  }

  #textsOf(archived: ArchivedConversation): readonly SearchText[] {
    const known = this.#texts.get(archived) ?? textsOf(archived).map(toSearchText);
    this.#texts.set(archived, known);
    return known;
  }
}

interface SearchText {
  readonly text: string;
  /** In lower case, and as long as `text`: a place in one is a place in the other. */
  readonly folded: string;
}

/** What the person and Claude said; neither what was attached nor what tools returned. */
function textsOf({ conversation }: ArchivedConversation): readonly string[] {
  const said = conversation.turns
    .flatMap(({ messages }) => messages)
    .flatMap(blocksOf)
    .flatMap((block) => (block.type === 'text' && !block.text.startsWith('<attachment') ? [block.text] : []));
  return [...said, ...(conversation.summary ? [conversation.summary.text] : [])];
}

function toSearchText(text: string): SearchText {
  const folded = text.toLowerCase();
  return { text, folded: folded.length === text.length ? folded : foldedInPlace(text) };
}

/** For the few texts with a letter that is longer in lower case: that one stays as it is. */
function foldedInPlace(text: string): string {
  return Array.from(text, (letter) => {
    const lower = letter.toLowerCase();
    return lower.length === letter.length ? lower : letter;
  }).join('');
}

/** Around the first place of the text that holds most of the words. */
function excerptOf(texts: readonly SearchText[], words: readonly string[]): string | undefined {
  const count = (text: SearchText) => words.filter((word) => text.folded.includes(word)).length;
  const [best] = texts.toSorted((a, b) => count(b) - count(a));
  const word = words.find((one) => best?.folded.includes(one));
  if (!best || word === undefined) return undefined;
  const at = best.folded.indexOf(word);
  const start = Math.max(0, at - charsBefore);
  const end = Math.min(best.text.length, start + charsInAll);
  const piece = best.text
    .slice(start, end)
    // Not between the halves of a character.
    .replaceAll(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, '')
    .replaceAll(/\s+/g, ' ');
  return `${start > 0 ? '…' : ''}${piece.trim()}${end < best.text.length ? '…' : ''}`;
}
