import { cutOut, inOneLine } from '../../text/cutText';

/** The part of a text that has most of the words, in one line. */
export function excerpt(text: string, words: readonly string[], maxChars: number): string {
  const line = inOneLine(text);
  if (line.length <= maxChars) return line;
  const places = placesOf(line.toLowerCase(), words);
  // A little before the first word, so that it stands in its sentence.
  const lead = Math.floor(maxChars / 6);
  let best = { start: 0, count: 0 };
  for (const { at } of places) {
    const start = Math.max(0, Math.min(at - lead, line.length - maxChars));
    const inside = places.filter(
      (place) => place.at >= start && place.at < start + maxChars - place.word.length,
    );
    const count = new Set(inside.map(({ word }) => word)).size;
    if (count > best.count) best = { start, count };
  }
  return cutOut(line, best.start, best.start + maxChars);
}

/** At most this many of one word: it is about where words stand together. */
const maxPlaces = 20;

function placesOf(
  text: string,
  words: readonly string[],
): readonly { readonly at: number; readonly word: string }[] {
  return words.flatMap((word) => {
    const places: { at: number; word: string }[] = [];
    for (let at = text.indexOf(word); at >= 0 && places.length < maxPlaces; at = text.indexOf(word, at + 1))
      places.push({ at, word });
    return places;
  });
}
