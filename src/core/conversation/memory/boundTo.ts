import type { StoredTurn } from '../turn';

/** A chat thread, and the life of the window that shows it. */
export interface ThreadPlace {
  readonly thread: string;
  readonly activation: string;
}

/** As if it had been asked there; without a place no thread shows it, and no rewind can remove it. */
export function boundTo(
  place: ThreadPlace | undefined,
  { thread: _before, ...turn }: StoredTurn,
): StoredTurn {
  return place ? { ...turn, thread: place.thread, activation: place.activation } : turn;
}
