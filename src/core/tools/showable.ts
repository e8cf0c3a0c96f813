import { ToolError } from '../errors';
import type { PathPolicy } from './paths/pathPolicy';
import type { Place } from './workspace';

/**
 * Of what other extensions report about files, all that tools may show, each under the place that is really there:
 * nothing behind a link that leaves the workspace, and nothing of secrets, which are often quoted (S1, S4).
 */
export async function keepShowable<Item extends { readonly place: Place }>(
  items: readonly Item[],
  policy: PathPolicy,
  signal: AbortSignal,
): Promise<readonly Item[]> {
  const places = new Map<string, Promise<Place | undefined>>();
  const kept = await Promise.all(
    items.map(async (item) => {
      const name = policy.show(item.place);
      const place = places.get(name) ?? showablePlace(name, policy, signal);
      places.set(name, place);
      const found = await place;
      return found === undefined ? [] : [{ ...item, place: found }];
    }),
  );
  return kept.flat();
}

async function showablePlace(
  name: string,
  policy: PathPolicy,
  signal: AbortSignal,
): Promise<Place | undefined> {
  try {
    const { place, isSecret } = await policy.forReading(name, signal);
    return isSecret ? undefined : place;
  } catch (error) {
    if (error instanceof ToolError) return undefined;
    throw error;
  }
}
