export interface GlobOptions {
  readonly isCaseSensitive: boolean;
}

/**
 * Turns a glob (`**`, `*`, `?`, `[ab]`, `{a,b}`) into a question about `/`-separated relative paths. One that is too
 * large fits nothing.
 */
export function compileGlob(glob: string, options: GlobOptions): (path: string) => boolean {
  const flags = options.isCaseSensitive ? 'u' : 'iu';
  const expressions = (expandBraces(glob) ?? []).map(
    (choice) => new RegExp(`^(?:${translate(choice)})$`, flags),
  );
  return (path) => expressions.some((expression) => expression.test(path));
}

/** Whether a glob is longer than any path, or its braces stand for more than can be matched in a reasonable time. */
export function isTooLarge(glob: string): boolean {
  return expandBraces(glob) === undefined;
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

const longestGlob = 10_000;
/** In all choices together. */
const mostCharacters = 200_000;
/** Deeper ones are taken as the characters they are: nobody means that. */
const mostDepth = 50;

/**
 * `a{b,c{d,e}}` as `ab`, `acd`, `ace`: then no part of a glob is a choice, and each can be matched without a second try.
 * Undefined when the glob is too large for that.
 */
function expandBraces(glob: string): readonly string[] | undefined {
  if (glob.length > longestGlob) return undefined;
  const groups = findBraces(glob);

  function expand(from: number, to: number): readonly string[] | undefined {
    let choices = [''];
    let plainFrom = from;
    for (let at = from; at < to; at++) {
      const edges = groups.get(at);
      if (edges === undefined) continue;
      const parts = edges.slice(1).map((edge, index) => expand((edges[index] ?? 0) + 1, edge));
      if (parts.includes(undefined)) return undefined;
      const inner = parts.flatMap((part) => part ?? []);
      const head = glob.slice(plainFrom, at);
      const length = (longest(choices) + head.length + longest(inner)) * choices.length * inner.length;
      if (length > mostCharacters) return undefined;
      choices = choices.flatMap((choice) => inner.map((part) => choice + head + part));
      at = edges.at(-1) ?? to;
      plainFrom = at + 1;
    }
    const rest = glob.slice(plainFrom, to);
    if ((longest(choices) + rest.length) * choices.length > mostCharacters) return undefined;
    return choices.map((choice) => choice + rest);
  }

  return expand(0, glob.length);
}

function longest(texts: readonly string[]): number {
  return texts.reduce((most, { length }) => Math.max(most, length), 0);
}

/** Where braces open, of those that are closed: the positions of the opening one, its commas and the closing one. */
function findBraces(glob: string): ReadonlyMap<number, readonly number[]> {
  const groups = new Map<number, readonly number[]>();
  const open: number[][] = [];
  for (let at = 0; at < glob.length; at++) {
    const character = glob.charAt(at);
    if (character === '{') open.push([at]);
    else if (character === ',') open.at(-1)?.push(at);
    else if (character === '}') {
      const edges = open.pop();
      const [start] = edges ?? [];
      if (edges !== undefined && start !== undefined && open.length < mostDepth)
        groups.set(start, [...edges, at]);
    }
  }
  return groups;
}

/**
 * What can stand for anything takes as little as it can, and is not asked again once another of its kind follows: that
 * one takes whatever is left. Otherwise a path of many like letters would be tried in more ways than there is time for.
 */
function translate(glob: string): string {
  const segments = glob.split('/').filter((segment, at, all) => segment !== '**' || all[at - 1] !== '**');
  if (segments.length === 1 && segments[0] === '**') return '.*';
  const isOpen = segments.at(-1) === '**';
  if (isOpen) segments.pop();
  let names = 0;
  const settled = (source: string): string => {
    const name = `g${names++}`;
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

/** A longer class is taken as the characters it is: nobody means it, and looking for its end would take too long. */
const longestClass = 200;

function translateClass(glob: string, start: number): { readonly source: string; readonly end: number } {
  const ahead = glob.slice(start + 1, start + 1 + longestClass);
  const length = ahead.indexOf(']', 1);
  if (length === -1) return { source: '\\[', end: start };
  const body = ahead.slice(0, length);
  const isNegated = body.startsWith('!') || body.startsWith('^');
  const members = (isNegated ? body.slice(1) : body).replace(/[\\\]^[/&~|]/g, '\\$&');
  try {
    const source = `(?!/)[${isNegated ? '^' : ''}${members}]`;
    void new RegExp(source, 'u');
    return { source, end: start + 1 + length };
  } catch {
    // `[z-a]` and the like: taken as the characters they are, as ripgrep would refuse them too.
    return { source: '\\[', end: start };
  }
}

function escape(character: string): string {
  return /[\\^$.*+?()[\]{}|/]/.test(character) ? `\\${character}` : character;
}
