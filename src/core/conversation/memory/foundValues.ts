import type { Conversation, FoundValues, StoredTurn, TurnId } from '../turn';
import { inOrder } from '../turnLists';

/** What there is under these names, for the turn that is about to change them. */
export function valuesNow({ params }: Pick<Conversation, 'params'>, names: readonly string[]): FoundValues {
  return Object.fromEntries(
    names.map((name) => {
      const param = Object.hasOwn(params, name) ? params[name] : undefined;
      if (!param) return [name, null];
      const { revision: _revision, ...value } = param;
      return [name, value];
    }),
  );
}

/** The turn with what it finds now. What it found first counts, however often it changes a value. */
export function withFound(turn: StoredTurn, found: FoundValues): StoredTurn {
  return { ...turn, found: { ...found, ...turn.found } };
}

/** The turn as if it had never found these: what the person forgets for good does not come back with a rewind. */
export function withoutFound(turn: StoredTurn, names: readonly string[]): StoredTurn {
  const { found = {} } = turn;
  if (!names.some((name) => Object.hasOwn(found, name))) return turn;
  const kept = Object.entries(found).filter(([name]) => !names.includes(name));
  return { ...turn, found: Object.fromEntries(kept) };
}

/**
 * The params that change when turns are taken back: each with the value that holds then, `null` for none. Not those
 * that something else has changed since.
 */
export function valuesWithout(
  { params, turns, summary }: Conversation,
  isCut: (turn: TurnId | undefined) => boolean,
): FoundValues {
  const newestFirst = inOrder([...(summary?.folded ?? []), ...turns]).toReversed();
  const set = Object.keys(params).filter((name) => isCut(params[name]?.turnId));
  const names = new Set([
    ...set,
    ...newestFirst.flatMap(({ id, found = {} }) => (isCut(id) ? Object.keys(found) : [])),
  ]);
  const changes = [...names].flatMap((name) => {
    const changing = newestFirst.filter(({ found = {} }) => Object.hasOwn(found, name));
    const isOurs = Object.hasOwn(params, name) ? set.includes(name) : isCut(changing[0]?.id);
    if (!isOurs) return [];
    const staying = changing.findIndex(({ id }) => !isCut(id));
    const first = (staying < 0 ? changing : changing.slice(0, staying)).at(-1);
    const value = first?.found?.[name] ?? null;
    return [[name, value && isCut(value.turnId) ? null : value] as const];
  });
  return Object.fromEntries(changes);
}
