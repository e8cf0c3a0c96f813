import { blocksOf, textsIn } from '../../messages';
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

/**
 * Finds conversations by words of their titles, prompts and answers: those that hold every word, in the order in which
 * they were given. They are read when the first word is asked for.
 */
export function createArchiveSearch(
  archived: readonly ArchivedHeader[],
  load: (id: ArchivedId) => Promise<Conversation | undefined>,
): (query: string) => Promise<readonly Found[]> {
  const known = new Map<ArchivedId, readonly SearchText[]>();

  async function find(header: ArchivedHeader, words: readonly string[]): Promise<readonly Found[]> {
    const title = header.title.toLowerCase();
    const texts = known.get(header.id) ?? textsOf(await load(header.id));
    known.set(header.id, texts);
    const isIn = (word: string) => title.includes(word) || texts.some(({ lower }) => lower.includes(word));
    if (!words.every(isIn)) return [];
    const excerpt = words.every((word) => title.includes(word)) ? undefined : excerptOf(texts, words);
    return [{ archived: header, ...(excerpt !== undefined && { excerpt }) }];
  }

  return async (query) => {
    const words = query.toLowerCase().split(/\s+/).filter(Boolean);
    if (words.length === 0) return archived.map((header) => ({ archived: header }));
    const found: Found[] = [];
    for (const header of archived) found.push(...(await find(header, words)));
    return found;
  };
}

interface SearchText {
  readonly text: string;
  /** In lower case, and as long as `text`: a place in one is a place in the other. */
  readonly lower: string;
}

/** What the user and Claude said; neither what was attached nor what tools returned. */
function textsOf(conversation: Conversation | undefined): readonly SearchText[] {
  const { turns = [], summary } = conversation ?? {};
  const said = textsIn(turns.flatMap(({ messages }) => messages.flatMap(blocksOf)));
  const ownWords = said.filter((text) => !text.startsWith('<attachment'));
  return [...ownWords, ...(summary ? [summary.text] : [])].map(toSearchText);
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
