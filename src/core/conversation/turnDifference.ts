import type { StoredTurn } from './turn';

/** What became of turns, both lists oldest first. */
export interface TurnDifference {
  readonly gone: readonly StoredTurn[];
  /** New ones, and those that were changed, as they are now. */
  readonly put: readonly StoredTurn[];
}

/** In one walk: turns are never changed in place, so that of 1,000 the same 999 are passed over by comparing pointers. */
export function turnDifference(was: readonly StoredTurn[], now: readonly StoredTurn[]): TurnDifference {
  const gone: StoredTurn[] = [];
  const put: StoredTurn[] = [];
  for (let before = 0, after = 0; before < was.length || after < now.length;) {
    const [old, next] = [was[before], now[after]];
    if (old === next) {
      before++;
      after++;
    } else if (old && (!next || isOlder(old, next))) {
      gone.push(old);
      before++;
    } else if (next) {
      put.push(next);
      after++;
    }
  }
  if (gone.length === 0 || put.length === 0) return { gone, put };
  const kept = new Set(put.map(({ id }) => id));
  return { gone: gone.filter(({ id }) => !kept.has(id)), put };
}

function isOlder(one: StoredTurn, other: StoredTurn): boolean {
  return one.order < other.order || (one.order === other.order && one.id <= other.id);
}
