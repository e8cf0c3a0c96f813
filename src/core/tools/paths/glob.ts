export interface GlobOptions {
  readonly isCaseSensitive: boolean;
}

/**
 * Turns a glob (`**`, `*`, `?`, `[ab]`, `{a,b}`) into a question about `/`-separated relative paths. One that is too
 * large fits nothing.
 */
export function compileGlob(glob: string, { isCaseSensitive }: GlobOptions): (path: string) => boolean {
  const cased = (text: string) => (isCaseSensitive ? text : text.toLowerCase());
  const choices = (expandBraces(cased(glob)) ?? []).map((choice) => choice.split('/').map(compileSegment));
  return (path) => {
    const names = cased(path).split('/');
    return choices.some((pieces) => fits(pieces, names));
  };
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

/** What stands for any run of items, or what one item has to be. */
type Piece = typeof anyRun | ((item: string) => boolean);
const anyRun = Symbol('any run');

/**
 * A run takes as little as it can, and only the one before is ever tried again, one item longer: what an earlier one
 * could take instead, it could take as well. So the time is bounded by both lengths, whatever the glob.
 */
function fits(pieces: readonly Piece[], items: ArrayLike<string>): boolean {
  const lastRun = pieces.lastIndexOf(anyRun);
  let piece = 0;
  let item = 0;
  let [runPiece, runItem] = [-1, 0];
  for (;;) {
    const wanted = pieces[piece];
    if (wanted === anyRun) {
      // The last one takes all but what has to follow it.
      const rest = piece === lastRun ? items.length - (pieces.length - 1 - lastRun) : item;
      if (rest < item) return false;
      [runPiece, runItem] = piece === lastRun ? [-1, 0] : [piece, item];
      item = rest;
      piece++;
    } else if (wanted === undefined && item === items.length) return true;
    else if (item < items.length && wanted?.(items[item] ?? '')) {
      piece++;
      item++;
    } else if (runPiece >= 0 && item < items.length) {
      piece = runPiece + 1;
      item = ++runItem;
    } else return false;
  }
}

function compileSegment(segment: string): Piece {
  if (segment === '**') return anyRun;
  if (!/[*?[]/.test(segment)) return (name) => name === segment;
  const pieces: Piece[] = [];
  const characters = Array.from(segment);
  for (let at = 0; at < characters.length; at++) {
    const character = characters[at] ?? '';
    const group = character === '[' ? compileClass(characters, at) : undefined;
    if (character === '*') pieces.push(anyRun);
    else if (character === '?') pieces.push(() => true);
    else pieces.push(group?.matches ?? ((one) => one === character));
    at = group?.end ?? at;
  }
  // Where each character is one unit, the name is its own list of characters.
  return (name) => fits(pieces, /[\uD800-\uDFFF]/.test(name) ? Array.from(name) : name);
}

/** A longer class is taken as the characters it is: nobody means it, and looking for its end would take too long. */
const longestClass = 200;

function compileClass(characters: readonly string[], start: number) {
  const ahead = characters.slice(start + 1, start + 1 + longestClass);
  const length = ahead.indexOf(']', 1);
  if (length === -1) return undefined;
  const body = ahead.slice(0, length).join('');
  const isNegated = body.startsWith('!') || body.startsWith('^');
  const members = (isNegated ? body.slice(1) : body).replace(/[\\\]^[/&~|]/g, '\\$&');
  try {
    const expression = new RegExp(`^[${isNegated ? '^' : ''}${members}]$`, 'u');
    return { matches: (one: string) => expression.test(one), end: start + 1 + length };
  } catch {
    // `[z-a]` and the like: taken as the characters they are, as ripgrep would refuse them too.
    return undefined;
  }
}
