export interface GlobOptions {
  readonly isCaseSensitive: boolean;
}

/** Turns a glob (`**`, `*`, `?`, `[ab]`, `{a,b}`) into a question about `/`-separated relative paths. */
export function compileGlob(glob: string, options: GlobOptions): (path: string) => boolean {
  const expression = new RegExp(`^(?:${translate(glob)})$`, options.isCaseSensitive ? 'u' : 'iu');
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

function translate(glob: string): string {
  let expression = '';
  let depth = 0;
  for (let at = 0; at < glob.length; at++) {
    const character = glob.charAt(at);
    if (glob.startsWith('**/', at) && isSegmentStart(glob, at)) {
      expression += '(?:[^/]+/)*';
      at += 2;
    } else if (glob.startsWith('/**', at) && at + 3 === glob.length) {
      expression += '(?:/.*)?';
      at += 2;
    } else if (glob.startsWith('**', at)) {
      expression += '.*';
      at += 1;
    } else if (character === '*') expression += '[^/]*';
    else if (character === '?') expression += '[^/]';
    else if (character === '[') {
      const { source, end } = translateClass(glob, at);
      expression += source;
      at = end;
    } else if (character === '{' && glob.includes('}', at)) {
      depth++;
      expression += '(?:';
    } else if (character === '}' && depth > 0) {
      depth--;
      expression += ')';
    } else if (character === ',' && depth > 0) expression += '|';
    else expression += escape(character);
  }
  return expression + ')'.repeat(depth);
}

function isSegmentStart(glob: string, at: number): boolean {
  return at === 0 || '/{,'.includes(glob.charAt(at - 1));
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
