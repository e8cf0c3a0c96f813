/**
 * Whether ripgrep can read a glob. VS Code is more lenient, and ripgrep refuses a whole search for one that it cannot
 * read: a workspace with such a setting would have no search at all.
 */
export function isRipgrepGlob(glob: string): boolean {
  let depth = 0;
  for (let at = 0; at < glob.length; at++) {
    const character = glob.charAt(at);
    if (character === '\\') {
      if (++at >= glob.length) return false;
    } else if (character === '[') {
      const end = endOfClass(glob, at);
      if (end === undefined) return false;
      at = end;
    } else if (character === '{') depth++;
    else if (character === '}' && --depth < 0) return false;
  }
  return depth === 0;
}

/** Where a class such as `[a-z]` ends; undefined when it does not, or has a range that runs backwards. */
function endOfClass(glob: string, start: number): number | undefined {
  const isNegated = glob.charAt(start + 1) === '!' || glob.charAt(start + 1) === '^';
  const first = start + (isNegated ? 2 : 1);
  // A bracket right at the start stands for itself.
  const end = glob.indexOf(']', first + 1);
  if (end === -1) return undefined;
  const ranges = glob.slice(first, end).matchAll(/(.)-(.)/gsu);
  for (const [, from = '', to = ''] of ranges) if (from > to) return undefined;
  return end;
}
