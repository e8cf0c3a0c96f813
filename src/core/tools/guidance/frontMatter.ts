/** What stands between two lines of `---` at the top of a Markdown file, and the rest. */
export interface FrontMatter {
  /** By name in small letters: the words of a value, or the entries of a list. */
  readonly values: ReadonlyMap<string, readonly string[]>;
  readonly body: string;
}

/** More than anybody writes there: a file that never closes it is not searched to its end. */
const maxLines = 200;

/**
 * The few forms of YAML that people write in such files: words, quoted words, lists in brackets or line by line, and
 * texts over several lines. Whatever else stands there is skipped, and never an error.
 */
export function splitFrontMatter(text: string): FrontMatter {
  const whole = text.replace(/^\uFEFF/, '').replaceAll(/\r\n?/g, '\n');
  if (!/^---[ \t]*\n/.test(whole)) return { values: new Map(), body: whole };
  const lines = whole.split('\n', maxLines + 1);
  const end = lines.findIndex((line, at) => at > 0 && /^(---|\.\.\.)[ \t]*$/.test(line));
  if (end === -1) return { values: new Map(), body: whole };
  const length = lines.slice(0, end + 1).join('\n').length;
  return { values: readValues(lines.slice(1, end)), body: whole.slice(length).replace(/^\n+/, '') };
}

/** A value in one line; empty where there is none. */
export function wordsOf({ values }: FrontMatter, name: string): string {
  return (values.get(name) ?? []).join(' ').replaceAll(/\s+/g, ' ').trim();
}

function readValues(lines: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const values = new Map<string, readonly string[]>();
  for (let at = 0; at < lines.length; at++) {
    const [, name, value = ''] = /^([\w-]+)[ \t]*:(?:[ \t]+(.*))?$/.exec(lines[at] ?? '') ?? [];
    if (name === undefined) continue;
    const below: string[] = [];
    while (at + 1 < lines.length && /^([ \t]|-[ \t]|[ \t]*$)/.test(lines[at + 1] ?? ''))
      below.push(lines[++at] ?? '');
    values.set(name.toLowerCase(), readValue(value.trim(), below));
  }
  return values;
}

function readValue(value: string, below: readonly string[]): readonly string[] {
  const items = below.flatMap((line) => /^[ \t]*-[ \t]+(.*)$/.exec(line)?.[1] ?? []);
  const isText = /^[|>][+-]?\d?$/.test(value);
  if (isText || (value !== '' && items.length === 0)) {
    const text = [isText ? '' : value, ...below.map((line) => line.trim())].join(' ').trim();
    if (!isText && text.startsWith('[') && text.endsWith(']')) return splitList(text.slice(1, -1));
    return text === '' ? [] : [isText ? text : unquoted(text)];
  }
  return items.map(unquoted).filter((item) => item !== '');
}

/** The entries between commas; a comma in quotes or in the braces of a glob separates nothing. */
export function splitList(text: string): readonly string[] {
  const entries: string[] = [];
  // What is never closed is not looked for again and again.
  const lasts = new Map([...closings].map(([opening, closing]) => [opening, text.lastIndexOf(closing)]));
  let from = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    const closing = closings.get(character);
    if (closing !== undefined && (lasts.get(character) ?? -1) > at) at = text.indexOf(closing, at + 1);
    else if (character === ',') {
      entries.push(text.slice(from, at));
      from = at + 1;
    }
  }
  return [...entries, text.slice(from)].map(unquoted).filter((entry) => entry !== '');
}

const closings: ReadonlyMap<string, string> = new Map([
  ['"', '"'],
  ["'", "'"],
  ['{', '}'],
]);

function unquoted(text: string): string {
  const bare = text.trim();
  const [, quote, inside] = /^(["'])(.*)\1$/s.exec(bare) ?? [];
  if (quote !== undefined) return inside ?? '';
  return bare.replace(/(^|\s)#.*$/s, '').trim();
}
