const excerptLength = 500;

/** A line as search shows it: a very long one is cut around the match at `start`, never inside a surrogate pair. */
export function excerpt(line: string, start: number): string {
  if (line.length <= excerptLength) return line;
  const from = Math.max(0, Math.min(start - excerptLength / 4, line.length - excerptLength));
  const piece = line.slice(from, from + excerptLength).replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, '');
  return `${from > 0 ? '…' : ''}${piece}${from + excerptLength < line.length ? '…' : ''}`;
}
