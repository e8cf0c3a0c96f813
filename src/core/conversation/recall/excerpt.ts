import { cutOut, inOneLine } from '../../text/cutText';

/** The part of a text that has most of the words, in one line. */
export function excerpt(text: string, words: readonly string[], maxChars: number): string {
  const line = inOneLine(text);
  if (line.length <= maxChars) return line;
  const places = placesOf(line.toLowerCase(), words);
  // A little before the first word, so that it stands in its sentence.
  const lead = Math.floor(maxChars / 6);
  let best = { start: 0, count: 0 };
  // From place to place: each comes into the window once, and leaves it once.
  const inside = new Map<string, number>();
  const count = (word: string, by: 1 | -1) => {
    const times = (inside.get(word) ?? 0) + by;
    if (times === 0) inside.delete(word);
    else inside.set(word, times);
  };
  let [first, next] = [0, 0];
  for (const { at } of places) {
    const start = Math.max(0, Math.min(at - lead, line.length - maxChars));
    for (
      let place = places[next];
      place && place.at + place.word.length < start + maxChars;
      place = places[++next]
    )
      count(place.word, 1);
    for (let place = places[first]; place && place.at < start; place = places[++first]) count(place.word, -1);
    if (inside.size > best.count) best = { start, count: inside.size };
  }
  return cutOut(line, best.start, best.start + maxChars);
}

/** At most this many of one word: it is about where words stand together. */
const maxPlaces = 20;

function placesOf(
  text: string,
  words: readonly string[],
): readonly { readonly at: number; readonly word: string }[] {
  const all = words.flatMap((word) => {
    const places: { at: number; word: string }[] = [];
    for (let at = text.indexOf(word); at >= 0 && places.length < maxPlaces; at = text.indexOf(word, at + 1))
      places.push({ at, word });
    return places;
  });
  return all.toSorted((a, b) => a.at - b.at);
}
