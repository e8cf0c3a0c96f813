/** Turns what tools returned into sentences. The formats of tools vary, so all of this reads leniently. */

export function describeListing(output: string): string {
  const names = entriesOf(output);
  if (names.length === 0) return 'The workspace is empty, as far as I can see.';
  const shown = names.slice(0, 12).map((name) => `\`${name}\``);
  const more = names.length > shown.length ? ` and ${names.length - shown.length} more` : '';
  const count = names.length === 1 ? 'one entry' : `${names.length} entries`;
  return `The workspace shows ${count}: ${shown.join(', ')}${more}.`;
}

export function findReadme(listing: string): string | undefined {
  return entriesOf(listing).find((name) => /(^|\/)readme(\.\w+)?$/i.test(name));
}

/** The title and first paragraph of a document, or the first lines of code. */
export function describeFile(path: string, output: string): string {
  const lines = linesOf(output);
  const size = `\`${path}\` has ${lines.length} ${lines.length === 1 ? 'line' : 'lines'}`;
  if (/\.(md|txt|rst)$/i.test(path)) {
    const title = lines.find((line) => /^#+ /.test(line))?.replace(/^#+ /, '');
    const paragraph = lines.find((line) => /^[\p{L}`*“"]/u.test(line));
    return `${size}${title === undefined ? '' : ` and is called “${title}”`}.${paragraph === undefined ? '' : ` It says: ${paragraph}`}`;
  }
  return `${size} and begins:\n\n\`\`\`\n${lines.slice(0, 12).join('\n')}\n\`\`\``;
}

export function describeHits(term: string, output: string): string {
  const hits = hitsOf(output);
  if (hits.length === 0) return `I found no \`${term}\` in the workspace.`;
  const places = hits.slice(0, 6).map(({ path, line }) => `\`${path}\`${line ? ` line ${line}` : ''}`);
  const more = hits.length > places.length ? ` and ${hits.length - places.length} more` : '';
  return `\`${term}\` is in ${places.join(', ')}${more}.`;
}

export function firstHitPath(output: string): string | undefined {
  return hitsOf(output)[0]?.path;
}

export function firstLines(output: string, count: number): string {
  return output
    .replaceAll(/<\/?[\w-]+[^>]*>/g, '')
    .trim()
    .split('\n')
    .slice(0, count)
    .join(' ');
}

interface Hit {
  readonly path: string;
  readonly line: string | undefined;
}

/** Reads both `path:line: text` and a path on a line of its own with numbered lines below. */
function hitsOf(output: string): readonly Hit[] {
  const hits: Hit[] = [];
  let heading: string | undefined;
  for (const line of output.split('\n')) {
    const inline = /^\s*([\w@./-]+\.\w+)[:(](\d+)/.exec(line);
    const numbered = /^\s*(\d+)\s*[:|\t]/.exec(line);
    const path = /^\s*([\w@./-]+\.\w+):?\s*$/.exec(line)?.[1];
    if (inline?.[1] !== undefined) hits.push({ path: inline[1], line: inline[2] });
    else if (numbered && heading !== undefined) hits.push({ path: heading, line: numbered[1] });
    else if (path !== undefined) heading = path;
  }
  return hits.length === 0 && heading !== undefined ? [{ path: heading, line: undefined }] : hits;
}

function entriesOf(listing: string): readonly string[] {
  return listing
    .split('\n')
    .map((line) => line.replace(/^[\s│├└─*-]+/u, '').trim())
    .filter((line) => /^[\w@.][\w@./ -]*$/.test(line));
}

/** The lines of a file without the numbers and tags that tools put around them. */
function linesOf(output: string): readonly string[] {
  return output
    .replaceAll(/^<\/?[\w-]+[^>]*>\n?/gm, '')
    .trimEnd()
    .split('\n')
    .map((line) => line.replace(/^\s*\d+\s?[\t|:→]\s?/u, ''));
}
