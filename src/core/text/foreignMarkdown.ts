import { changeText, CodeFinder, fenceAtMargin, kindsOf, linesOf } from './codeFinder';
import { normalized } from './markdown';
import { remotePicture } from './pictureFilter';

/**
 * Somebody else's Markdown as a quotation: it shows as it was meant, but what it opens ends with it, no HTML of it
 * counts, and no picture of it is fetched. Fences stand at the margin, so that there is no doubt where one begins.
 */
export function quoted(markdown: string): string {
  const quote: string[] = [];
  const code = new CodeFinder(/^ {0,3}(?:(`{3,})[^`]*|(~{3,}).*)$/);
  const lines = normalized(markdown).split('\n').map(withoutLeadingTabs);
  // No tag will be left that could take a backtick or a fence for its own, only what begins nothing and ends nothing.
  const kinds = kindsOf(
    lines.map((line) => line.replaceAll('<', '&')),
    code,
  );
  for (const [index, line] of lines.entries()) {
    const kind = kinds[index] ?? 'doubtful';
    if (kind === 'edge') quote.push(line.trim());
    else
      quote.push(
        changeText(line, kind, (text) => text.replaceAll('<', '&lt;').replaceAll(/!(?=\[)/g, '&#33;')),
      );
  }
  if (code.fence !== undefined) quote.push(code.fence);
  return quote.map((line) => (line === '' ? '>' : `> ${line}`)).join('\n');
}

/**
 * The lines for which a preview fetches something from the web, or may: for a picture, or for a tag that has an
 * attribute or a style. Where there is one, what says elsewhere what it fetches is one, too.
 */
export function fetchingLines(markdown: string): readonly string[] {
  const lines = linesOf(markdown);
  const kinds = kindsOf(lines, new CodeFinder(fenceAtMargin));
  const fetching = new Set<number>();
  /** The line of the tag that is open, if one is. */
  let tag: number | undefined;
  const follow = (index: number): void => {
    if (tag !== undefined && fetching.has(tag)) fetching.add(index);
  };
  for (const [index, line] of lines.entries()) {
    changeText(line, kinds[index] ?? 'doubtful', (text) => {
      if (text.search(remotePicture) >= 0 || /<(?:[!?]|style\b)/i.test(text)) fetching.add(index);
      for (const [mark] of text.matchAll(/<[a-z]|[>=]/gi)) {
        if (mark === '=' && tag !== undefined) fetching.add(tag);
        follow(index);
        tag = mark === '>' ? undefined : mark === '=' ? tag : (tag ?? index);
      }
      return text;
    });
    follow(index);
  }
  if (fetching.size > 0)
    for (const [index, line] of lines.entries())
      if (line.includes(']:')) for (const one of [index, index + 1]) fetching.add(one);
  return [...fetching].flatMap((index) => lines[index]?.trim() ?? []);
}

/** After the mark of a quotation a tab is not as wide as before. */
function withoutLeadingTabs(line: string): string {
  return line.replace(/^[ \t]+/, (space) => {
    let width = 0;
    for (const character of space) width += character === '\t' ? 4 - (width % 4) : 1;
    return ' '.repeat(width);
  });
}
