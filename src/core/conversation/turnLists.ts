import type { StoredTurn } from './turn';

/** Oldest first, the same way everywhere. */
export function inOrder(turns: readonly StoredTurn[]): readonly StoredTurn[] {
  return turns.toSorted((a, b) => a.order - b.order || (a.id < b.id ? -1 : 1));
}

/** Whether a turn is one of these. */
export function among(turns: readonly StoredTurn[] = []): (turn: StoredTurn) => boolean {
  const ids = new Set(turns.map(({ id }) => id));
  return ({ id }) => ids.has(id);
}
