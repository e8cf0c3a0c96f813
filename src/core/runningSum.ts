import { difference } from './difference';

/**
 * Sums over lists of which each is much like one before: some items may be gone from its beginning, and a few may have
 * come or gone at one place. What both lists share is compared, not looked at. For what never changes in place.
 */
export function runningSum<Item extends object>(
  measure: (item: Item) => number,
): (list: readonly Item[]) => number {
  const sums = new WeakMap<Item, { readonly list: readonly Item[]; readonly sum: number }>();
  const total = (items: readonly Item[]) => items.reduce((sum, item) => sum + measure(item), 0);
  const itemsAt = (list: readonly Item[], ...places: readonly number[]) =>
    places.flatMap((place) => list.at(place) ?? []);

  return (list) => {
    // The one before ended where this one ends, unless one was added; or it begins like it.
    const [known = { list: [], sum: 0 }] = itemsAt(list, -1, -2, 0).flatMap((item) => sums.get(item) ?? []);
    if (known.list === list) return known.sum;
    const { gone, come } = difference(known.list, list);
    const sum = known.sum - total(gone) + total(come);
    for (const item of itemsAt(known.list, 0, -1)) sums.delete(item);
    for (const item of itemsAt(list, 0, -1)) sums.set(item, { list, sum });
    return sum;
  };
}
