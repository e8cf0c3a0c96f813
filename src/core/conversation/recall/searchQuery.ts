import { relatedWords } from './relatedWords';
import { partsOfName, unspacedScript } from './searchText';

/** What to look for, in the language of the index. Whatever somebody wrote, it is valid. */
export interface SearchQuery {
  /** Any of the words, the better the more and the rarer they are. */
  readonly words: string;
  /** Words that begin alike, or are said for the same. */
  readonly related: string | undefined;
}

/** More would only make it slower: what a person writes has fewer. */
const maxWords = 40;
/** The same for languages without spaces, where each pair of characters counts. */
const maxTerms = 200;
const maxChars = 1_000;

/** Undefined when there is nothing to look for. */
export function searchQuery(text: string): SearchQuery | undefined {
  const words = tellingWords(text);
  if (words.length === 0) return undefined;
  return { words: anyOf(words.flatMap(termsOf).slice(0, maxTerms)), related: relatedTo(words) };
}

/** What somebody is typing: all of the words, and the last one may go on. */
export function typedQuery(text: string): string | undefined {
  const words = tellingWords(text);
  const isOpen = /[\p{L}\p{N}]$/u.test(text);
  const all = words.map((word, index) => {
    const row = unspaced.test(word) ? Array.from(word) : word.split(separator);
    return `"${row.join(' ')}"${isOpen && index === words.length - 1 ? '*' : ''}`;
  });
  return all.length === 0 ? undefined : all.join(' AND ');
}

/** What to point out in what was found: beginnings of words, in lower case. */
export function searchWords(text: string): readonly string[] {
  const pieces = tellingWords(text).flatMap((word) =>
    unspaced.test(word) ? pairsIn(word).map((pair) => pair.join('')) : word.split(separator).map(beginning),
  );
  return [...new Set(pieces.map((piece) => piece.toLowerCase()))].slice(0, maxTerms);
}

function tellingWords(text: string): readonly string[] {
  const all = text.slice(0, maxChars).match(/[\p{L}\p{N}\p{M}]+(?:[._/@:#\\-]+[\p{L}\p{N}\p{M}]+)*/gu) ?? [];
  const telling = all.filter((word) => !stopWords.has(word.toLowerCase()));
  return (telling.length > 0 ? telling : all).slice(0, maxWords);
}

/** A name or path counts as a whole and by its parts. */
function termsOf(word: string): readonly string[] {
  if (unspaced.test(word)) {
    const others = word.replaceAll(unspacedScript, ' ').match(/[\p{L}\p{N}]+/gu) ?? [];
    return [...pairsIn(word).map((pair) => quoted(pair.join(' '))), ...others.map(quoted)];
  }
  const pieces = word.split(separator);
  const parts = pieces.flatMap((piece) => partsOfName(piece) ?? []);
  const wholes = pieces.length > 1 ? [pieces.join(' '), ...parts] : parts;
  return [...pieces, ...parts.flatMap((part) => part.split(' ')), ...wholes].map(quoted);
}

function relatedTo(words: readonly string[]): string | undefined {
  const pieces = words.filter((word) => !unspaced.test(word)).flatMap((word) => word.split(separator));
  const alike = pieces.filter((piece) => piece.length > 5).map((piece) => `${quoted(beginning(piece))}*`);
  const same = pieces.flatMap(relatedWords).map(quoted);
  return alike.length + same.length === 0 ? undefined : anyOf([...alike, ...same]);
}

function anyOf(terms: readonly string[]): string {
  return [...new Set(terms)].join(' OR ');
}

function quoted(words: string): string {
  return `"${words}"`;
}

/** About as much of a word as its other forms share. */
function beginning(word: string): string {
  return word.slice(0, Math.max(5, Math.ceil(word.length * 0.7)));
}

const separator = /[^\p{L}\p{N}\p{M}]+/u;
const unspaced = new RegExp(unspacedScript.source, 'u');

/** Two characters in a row are the nearest thing to a word where there are no spaces. */
function pairsIn(word: string): readonly (readonly string[])[] {
  const runs = word.match(new RegExp(`${unspacedScript.source}+`, 'gu')) ?? [];
  return runs.flatMap((run) => {
    const all = Array.from(run);
    return all.length === 1 ? [all] : all.slice(1).map((char, index) => [all[index] ?? '', char]);
  });
}

/** Words that stand in most sentences and say nothing about what they are about. */
const stopWords = new Set(
  `a about after again all also am an and any are as at be because been before being but by can could did do does doing
  done for from get got had has have how i if in into is it its just let like me my no not now of off on once one only or
  other our out over please should so some than that the their them then there these they thing this those to too up us
  use used very was we were what when where which while who why will with would you your
  aber alle als am an auch auf aus bei bin bis da damit dann das dass dem den der des die dies dieser doch du durch ein
  eine einem einen einer er es für hat hatte haben ich ihr im ist ja kann kein keine mal man mit muss nach nicht noch nur
  ob oder schon sein sich sie sind so über um und uns unser unsere vom von vor war waren warum was wenn werden wie wieder
  wir wird wo wurde zu zum zur
  au aux avec ce ces cette comme dans de des du elle en est et il ils je la le les leur mais ne nous on ou où par pas pour
  pourquoi qu que quel quelle qui sa se ses son sont sur un une vous était
  como con cuál cuando de del donde el ella en era es esta este ha hay la las lo los más no nos o para pero por porque qué
  que se ser sin sobre su sus un una y ya`
    .split(/\s+/)
    .filter(Boolean),
);
