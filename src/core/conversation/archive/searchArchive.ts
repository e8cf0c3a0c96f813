import { blocksOf } from '../../messages';
import { cutOut, inOneLine } from '../../text/cutText';
import type { ArchivedHeader } from '../store';
import type { ArchivedId, Conversation } from '../turn';

export interface Found {
  readonly archived: ArchivedHeader;
  /** Where the words stand, in one line; nothing when the title says it or nothing was asked for. */
  readonly excerpt?: string;
}

const charsBefore = 30;
const charsInAll = 120;

/** Finds conversations by words of their titles, prompts and answers. They are read when the first word is asked for. */
export class ArchiveSearch {
  readonly #archived: readonly ArchivedHeader[];
  readonly #load: (id: ArchivedId) => Promise<Conversation | undefined>;
  readonly #texts = new Map<ArchivedId, readonly SearchText[]>();

  constructor(
    archived: readonly ArchivedHeader[],
    load: (id: ArchivedId) => Promise<Conversation | undefined>,
  ) {
    this.#archived = archived;
    this.#load = load;
  }

  /** Those that hold every word, in the order in which they were given. */
  async find(query: string): Promise<readonly Found[]> {
    const words = query
      .toLowerCase()
      .split(/\s+/)
      .filter((word) => word !== '');
    if (words.length === 0) return this.#archived.map((archived) => ({ archived }));
    const found: Found[] = [];
    for (const archived of this.#archived) {
      const title = archived.title.toLowerCase();
      const texts = await this.#textsOf(archived.id);
      const isIn = (word: string) => title.includes(word) || texts.some((text) => text.lower.includes(word));
      if (!words.every(isIn)) continue;
      const excerpt = words.every((word) => title.includes(word)) ? undefined : excerptOf(texts, words);
      found.push({ archived, ...(excerpt !== undefined && { excerpt }) });
    }
    return found;
  }

  async #textsOf(id: ArchivedId): Promise<readonly SearchText[]> {
    const known = this.#texts.get(id);
    if (known) return known;
    const conversation = await this.#load(id);
    const texts = conversation ? textsOf(conversation).map(toSearchText) : [];
    this.#texts.set(id, texts);
    return texts;
  }
}

interface SearchText {
  readonly text: string;
  /** In lower case, and as long as `text`: a place in one is a place in the other. */
  readonly lower: string;
}

/** What the user and Claude said; neither what was attached nor what tools returned. */
function textsOf({ turns, summary }: Conversation): readonly string[] {
  const said = turns
    .flatMap(({ messages }) => messages)
    .flatMap(blocksOf)
    .flatMap((block) => (block.type === 'text' && !block.text.startsWith('<attachment') ? [block.text] : []));
  return [...said, ...(summary ? [summary.text] : [])];
}

function toSearchText(text: string): SearchText {
  const lower = text.toLowerCase();
  return { text, lower: lower.length === text.length ? lower : lowerInPlace(text) };
}

/** For the few texts with a letter that is longer in lower case: that one stays as it is. */
function lowerInPlace(text: string): string {
  return Array.from(text, (letter) => {
    const lower = letter.toLowerCase();
    return lower.length === letter.length ? lower : letter;
  }).join('');
}

/** Around the first place of the text that holds most of the words. */
function excerptOf(texts: readonly SearchText[], words: readonly string[]): string | undefined {
  const count = (text: SearchText) => words.filter((word) => text.lower.includes(word)).length;
  const [best] = texts.toSorted((a, b) => count(b) - count(a));
  const word = words.find((one) => best?.lower.includes(one));
  if (!best || word === undefined) return undefined;
  const at = best.lower.indexOf(word);
  const start = Math.max(0, at - charsBefore);
  const end = Math.min(best.text.length, start + charsInAll);
  return inOneLine(cutOut(best.text, start, end)).replace(/^… | …$/g, '…');
}
