export interface GlobOptions {
  readonly isCaseSensitive: boolean;
}

/** Turns a glob (`**`, `*`, `?`, `[ab]`, `{a,b}`) into a question about `/`-separated relative paths. */
export function compileGlob(glob: string, options: GlobOptions): (path: string) => boolean {
  const choices = expandBraces(glob).map(translate);
  const expression = new RegExp(`^(?:${choices.join('|')})$`, options.isCaseSensitive ? 'u' : 'iu');
  return (path) => expression.test(path);
}

/** The part of a glob before its first wildcard, in whole segments: where a walk can start. */
export function staticPrefix(glob: string): string {
  const segments = glob.split('/');
  const wild = segments.findIndex((segment) => /[*?[\]{}]/.test(segment));
  return segments.slice(0, wild === -1 ? segments.length - 1 : wild).join('/');
}

/** As people write them: `*.ts` and `test` mean any depth, `src/` all below, `./` and a leading `/` the folder itself. */
export function anchorGlob(glob: string): string {
  const isRooted = glob.startsWith('/') || glob.startsWith('./');
  let anchored = glob.replace(/^\.?\//, '');
  if (anchored.endsWith('/')) anchored += '**';
  return isRooted || anchored.includes('/') ? anchored : `**/${anchored}`;
}

/** Beyond so many, braces are taken as the characters they are: nobody means that. */
const mostChoices = 500;

/** `a{b,c{d,e}}` as `ab`, `acd`, `ace`: then no part of a glob is a choice, and each can be matched without a second try. */
function expandBraces(glob: string): readonly string[] {
  let choices = [''];
  let rest = glob;
  for (let group = findBraces(rest); group !== undefined; group = findBraces(rest)) {
    const { start, end, parts } = group;
    const inner = parts.flatMap(expandBraces);
    const head = rest.slice(0, start);
    if (choices.length * inner.length > mostChoices) break;
    choices = choices.flatMap((choice) => inner.map((part) => choice + head + part));
    rest = rest.slice(end + 1);
  }
  return choices.map((choice) => choice + rest);
}

/** The first braces that are closed, and what their commas part. */
function findBraces(glob: string) {
  for (let start = glob.indexOf('{'); start !== -1; start = glob.indexOf('{', start + 1)) {
    const commas: number[] = [];
    let depth = 0;
    for (let at = start; at < glob.length; at++) {
      const character = glob.charAt(at);
      if (character === '{') depth++;
      if (character === ',' && depth === 1) commas.push(at);
      if (character !== '}' || --depth > 0) continue;
      const edges = [start, ...commas, at];
      const parts = edges.slice(1).map((edge, index) => glob.slice((edges[index] ?? 0) + 1, edge));
      return { start, end: at, parts };
    }
  }
  return undefined;
}

/**
 * What can stand for anything takes as little as it can, and is not asked again once another of its kind follows: that
 * one takes whatever is left. Otherwise a path of many like letters would be tried in more ways than there is time for.
 */
function translate(glob: string, choice: number): string {
  const segments = glob.split('/').filter((segment, at, all) => segment !== '**' || all[at - 1] !== '**');
  if (segments.length === 1 && segments[0] === '**') return '.*';
  const isOpen = segments.at(-1) === '**';
  if (isOpen) segments.pop();
  let names = 0;
  const settled = (source: string): string => {
    const name = `g${choice}_${names++}`;
    return `(?=(?<${name}>${source}))\\k<${name}>`;
  };
  const [first = '', ...others] = joinBetween(segments, '**').map((group) =>
    group.map((segment) => translateSegment(segment, settled)).join('/'),
  );
  const last = others.pop();
  const start = first === '' || last === undefined ? first : `${first}/`;
  const middle = others.map((group) => settled(`(?:[^/]+/)*?${group}/`)).join('');
  return `${start}${middle}${last === undefined ? '' : `(?:[^/]+/)*${last}`}${isOpen ? '(?:/.*)?' : ''}`;
}

/** The runs of segments between those that are `separator`. */
function joinBetween(segments: readonly string[], separator: string): readonly (readonly string[])[] {
  const groups: string[][] = [[]];
  for (const segment of segments) {
    if (segment === separator) groups.push([]);
    else groups.at(-1)?.push(segment);
  }
  return groups;
}

function translateSegment(segment: string, settled: (source: string) => string): string {
  const [first = '', ...others] = splitAtStars(segment);
  const last = others.pop();
  const middle = others.map((fixed) => settled(`[^/]*?${fixed}`)).join('');
  return `${first}${middle}${last === undefined ? '' : `[^/]*${last}`}`;
}

/** What stands before, between and behind the stars, translated. */
function splitAtStars(segment: string): readonly string[] {
  const pieces = [''];
  for (let at = 0; at < segment.length; at++) {
    const character = segment.charAt(at);
    if (character === '*') {
      while (segment.charAt(at + 1) === '*') at++;
      pieces.push('');
      continue;
    }
    const one = character === '[' ? translateClass(segment, at) : { source: plain(character), end: at };
    pieces.push(`${pieces.pop() ?? ''}${one.source}`);
    at = one.end;
  }
  return pieces;
}

function plain(character: string): string {
  return character === '?' ? '[^/]' : escape(character);
}

function translateClass(glob: string, start: number): { readonly source: string; readonly end: number } {
  const end = glob.indexOf(']', start + 2);
  if (end === -1) return { source: '\\[', end: start };
  const body = glob.slice(start + 1, end);
  const isNegated = body.startsWith('!') || body.startsWith('^');
  const members = (isNegated ? body.slice(1) : body).replace(/[\\\]^[/&~|]/g, '\\$&');
  try {
    const source = `(?!/)[${isNegated ? '^' : ''}${members}]`;
    void new RegExp(source, 'u');
    return { source, end };
  } catch {
    // `[z-a]` and the like: taken as the characters they are, as ripgrep would refuse them too.
    return { source: '\\[', end: start };
  }
}

function escape(character: string): string {
  return /[\\^$.*+?()[\]{}|/]/.test(character) ? `\\${character}` : character;
}
