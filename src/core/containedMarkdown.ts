/** Text as it is, in a fence that nothing inside can close. */
export function fenced(text: string): string {
  const lines = normalized(text);
  const fence = '`'.repeat(Math.max(2, longestRun(lines)) + 1);
  return `${fence}text\n${lines}\n${fence}`;
}

/** One line of code that nothing inside can end. */
export function codeSpan(text: string): string {
  const line = normalized(text).replaceAll(/\s+/g, ' ').trim();
  const ticks = '`'.repeat(longestRun(line) + 1);
  // A space keeps a backtick at either end apart from the ticks; the reader does not see it.
  return /^`|`$|^$/.test(line) ? `${ticks} ${line} ${ticks}` : `${ticks}${line}${ticks}`;
}

/** Words inside of a line of ours. Only what could mean something there is escaped, for those who read the source. */
export function inline(text: string): string {
  return normalized(text)
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[\\`*_[\]<>&~$|#]/g, '\\$&');
}

/**
 * Somebody else's Markdown as a quotation: it shows as it was meant, but what it opens ends with it, no HTML of it
 * counts, and no picture of it is fetched. Fences stand at the margin, so that there is no doubt where one begins;
 * outside of them only code spans that are complete in their line are left as they are.
 */
export function quoted(markdown: string): string {
  const quote: string[] = [];
  let fence: string | undefined;
  let isDoubtful = false;
  for (const line of normalized(markdown).split('\n').map(withoutLeadingTabs)) {
    const edge: string | undefined = fence === undefined ? openingFence(line) : closingFence(line, fence);
    if (edge !== undefined) {
      fence = fence === undefined ? edge : undefined;
      isDoubtful = false;
      quote.push(line.trim());
    } else if (fence !== undefined) {
      quote.push(line);
    } else {
      // A span may reach over several lines, but not over an empty one.
      if (line.trim() === '') isDoubtful = false;
      isDoubtful ||= !hasWholeSpans(line);
      quote.push(isDoubtful ? tamed(line) : tamedOutsideSpans(line));
    }
  }
  if (fence !== undefined) quote.push(fence);
  return quote.map((line) => (line === '' ? '>' : `> ${line}`)).join('\n');
}

/** After the mark of a quotation a tab is not as wide as before. */
function withoutLeadingTabs(line: string): string {
  return line.replace(/^[ \t]+/, (space) => {
    let width = 0;
    for (const character of space) width += character === '\t' ? 4 - (width % 4) : 1;
    return ' '.repeat(width);
  });
}

/** The characters of the fence that this line opens. */
function openingFence(line: string): string | undefined {
  return /^ {0,3}(?:(`{3,})[^`]*|(~{3,}).*)$/.exec(line)?.slice(1).find(Boolean);
}

function closingFence(line: string, fence: string): string | undefined {
  const [, edge] = /^ {0,3}(`+|~+)[ \t]*$/.exec(line) ?? [];
  return edge?.startsWith(fence) ? edge : undefined;
}

/** Pieces of a line: code spans, escaped characters, runs of backticks that open nothing, and the rest. */
const pieces = /(?<ticks>`+)(?:(?=[^`])(?:.*?[^`])\k<ticks>(?!`))?|\\.|[^`\\]+|\\/gs;

function hasWholeSpans(line: string): boolean {
  return [...line.matchAll(pieces)].every(([piece, ticks]) => ticks === undefined || piece !== ticks);
}

function tamedOutsideSpans(line: string): string {
  return line.replaceAll(pieces, (piece: string, ticks: string | undefined) =>
    ticks === undefined && !/^\\./s.test(piece) ? tamed(piece) : piece,
  );
}

/** `!` before a bracket makes a picture of what is a link without it. */
function tamed(text: string): string {
  return text.replaceAll('<', '&lt;').replaceAll(/!(?=\[)/g, '&#33;');
}

function longestRun(text: string): number {
  return Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
}

/** Every line end that Markdown knows as one of ours, and nothing that a terminal would obey. */
function normalized(text: string): string {
  // oxlint-disable-next-line no-control-regex -- they are what has to go
  return text.replaceAll(/\r\n?/g, '\n').replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f]/g, '\uFFFD');
}
