/** What came and went, if that is at the beginning and at one other place; else more than that, on both sides. */
export function difference<Item>(
  before: readonly Item[],
  after: readonly Item[],
): { readonly gone: readonly Item[]; readonly come: readonly Item[] } {
  const [first] = after;
  const skipped = first === undefined ? 0 : Math.max(0, before.indexOf(first));
  const shorter = Math.min(before.length - skipped, after.length);
  let start = 0;
  while (start < shorter && before[skipped + start] === after[start]) start++;
  let end = 0;
  while (end < shorter - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end++;
  return {
    gone: [...before.slice(0, skipped), ...before.slice(skipped + start, before.length - end)],
    come: after.slice(start, after.length - end),
  };
}
