import type { Match, TurnPlace, TurnSearch } from '../store';
import type { TurnId } from '../turn';
import { searchQuery, typedQuery } from './searchQuery';

/** So many matches are weighed against each other. */
const maxMatches = 100;
/** The exchanges around so many of the best are looked at, too: they often name what a terse question is about. */
const maxCentres = 15;
/**
 * What counts beside the words themselves: other words for the same, the exchanges right before and after, and how well
 * the conversation fits. What each of them is worth stands in `test/bench/RESULTS.md`.
 */
const shares = { related: 0.35, before: 0.35, after: 0.1, conversation: 1 } as const;
/** So many of its best exchanges say how well a conversation fits. */
const tellingTurns = 3;

/** The turns that tell most about something, best first, each once; not those that are in sight. */
export function findTurns(
  search: TurnSearch,
  text: string,
  { limit = Infinity, inSight }: { readonly limit?: number; readonly inSight: ReadonlySet<TurnId> },
): readonly TurnPlace[] {
  const query = searchQuery(text);
  if (!query) return [];
  const scores = new Scores();
  const add = (terms: string | undefined, share: number) => {
    if (terms === undefined) return;
    const matches = newestCopies(search.match(terms, { limit: maxMatches, withCut: false }));
    for (const match of matches) scores.add(match, share * match.score);
  };
  add(query.words, 1);
  add(query.related, shares.related);
  const fits = conversationFits(scores.all());
  for (const centre of scores.best(maxCentres)) {
    for (const neighbour of search.neighbours(centre)) {
      const share = neighbour.position > centre.position ? shares.before : shares.after;
      scores.near(neighbour, share * centre.score);
    }
  }
  const worth = ({ score, nearby, key }: Ranked) => score + nearby + (fits.get(key) ?? 0);
  return scores
    .all()
    .filter(({ turn }) => !inSight.has(turn))
    .toSorted((a, b) => worth(b) - worth(a) || b.position - a.position)
    .slice(0, limit);
}

/** The turns that have all the words that somebody is typing, also those that a rewind has cut. */
export function findTyped(search: TurnSearch, text: string, limit: number): readonly TurnPlace[] {
  const query = typedQuery(text);
  if (query === undefined) return [];
  return newestCopies(search.match(query, { limit: 2 * limit, withCut: true })).slice(0, limit);
}

interface Ranked extends TurnPlace {
  readonly score: number;
  /** What the better neighbour gives to it. */
  readonly nearby: number;
}

class Scores {
  readonly #turns = new Map<TurnId, Ranked>();

  add(place: TurnPlace, score: number): void {
    const known = this.#known(place);
    this.#turns.set(place.turn, { ...known, score: known.score + score });
  }

  near(place: TurnPlace, nearby: number): void {
    const known = this.#known(place);
    this.#turns.set(place.turn, { ...known, nearby: Math.max(known.nearby, nearby) });
  }

  all(): readonly Ranked[] {
    return [...this.#turns.values()];
  }

  best(count: number): readonly Ranked[] {
    return this.all()
      .toSorted((a, b) => b.score - a.score)
      .slice(0, count);
  }

  #known(place: TurnPlace): Ranked {
    return this.#turns.get(place.turn) ?? { ...place, score: 0, nearby: 0 };
  }
}

/** What a question is about was often said in another exchange of the same conversation. */
function conversationFits(turns: readonly Ranked[]): ReadonlyMap<string, number> {
  const byKey = new Map<string, Ranked[]>();
  for (const turn of turns) {
    const known = byKey.get(turn.key);
    if (known) known.push(turn);
    else byKey.set(turn.key, [turn]);
  }
  return new Map(
    Array.from(byKey, ([key, all]) => {
      const best = all.map(({ score }) => score).toSorted((a, b) => b - a);
      const sum = best.slice(0, tellingTurns).reduce((total, score) => total + score, 0);
      return [key, (shares.conversation * sum) / tellingTurns];
    }),
  );
}

/** A turn may be in several conversations: as it was resumed, copied, shortened. */
function newestCopies(matches: readonly Match[]): readonly Match[] {
  const newest = new Map<TurnId, Match>();
  for (const match of matches) {
    const known = newest.get(match.turn);
    if (!known) newest.set(match.turn, match);
    else if (match.changed > known.changed) newest.set(match.turn, { ...match, score: known.score });
  }
  return [...newest.values()];
}
