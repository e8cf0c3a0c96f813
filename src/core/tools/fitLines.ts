/** Stays below the cap that the loop puts on every result, so that our own hint on how to go on survives. */
export const resultLimit = 25_000;

/** As many of the first lines as fit, into one result unless told otherwise. */
export function fitLines(lines: readonly string[], limit: number = resultLimit): readonly string[] {
  let size = 0;
  const end = lines.findIndex((line) => (size += line.length + 1) > limit);
  return end === -1 ? lines : lines.slice(0, end);
}
