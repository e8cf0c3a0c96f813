/** Where a text stops being JSON, counted from 1, for somebody who wants to mend it. */
export interface JsonBreak {
  readonly line: number;
  readonly column: number;
  /** It stops in the middle, as a file does that was cut. */
  readonly isEnd: boolean;
}

/** V8 says where only for some mistakes. Nothing when the text is JSON. */
export function jsonBreak(text: string): JsonBreak | undefined {
  const at = breakAt(text);
  if (at === undefined) return undefined;
  const before = text.slice(0, at).split('\n');
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1, isEnd: at >= text.length };
}

type Expected = 'value' | 'first-item' | 'first-key' | 'key' | 'colon' | 'next';

/** Without recursion: a file may be nested deeper than any stack. */
function breakAt(text: string): number | undefined {
  const open: ('{' | '[')[] = [];
  let expected: Expected = 'value';
  let at = 0;

  for (;;) {
    at = match(/[ \t\n\r]*/y, text, at) ?? at;
    const character = text.charAt(at);
    const inside = open.at(-1);
    if (expected === 'next' && !inside) return character === '' ? undefined : at;

    const isClosing: boolean =
      (inside === '[' && character === ']' && (expected === 'next' || expected === 'first-item')) ||
      (inside === '{' && character === '}' && (expected === 'next' || expected === 'first-key'));
    if (isClosing) {
      open.pop();
      expected = 'next';
      at++;
      continue;
    }
    switch (expected) {
      case 'next':
        if (character !== ',') return at;
        expected = inside === '{' ? 'key' : 'value';
        at++;
        break;
      case 'colon':
        if (character !== ':') return at;
        expected = 'value';
        at++;
        break;
      case 'key':
      case 'first-key': {
        const end = character === '"' ? endOfString(text, at) : { broken: at };
        if (typeof end === 'object') return end.broken;
        at = end;
        expected = 'colon';
        break;
      }
      default: {
        if (character === '{' || character === '[') {
          open.push(character);
          expected = character === '{' ? 'first-key' : 'first-item';
          at++;
          break;
        }
        const end = character === '"' ? endOfString(text, at) : endOfLiteral(text, at);
        if (typeof end === 'object') return end.broken;
        at = end;
        expected = 'next';
      }
    }
  }
}

function endOfLiteral(text: string, at: number): number | { readonly broken: number } {
  const literal = /(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)/y;
  return match(literal, text, at) ?? { broken: at };
}

function endOfString(text: string, start: number): number | { readonly broken: number } {
  for (let at = start + 1; ;) {
    // oxlint-disable-next-line no-control-regex -- JSON takes them only escaped
    at = match(/[^"\\\u0000-\u001f]*/y, text, at) ?? at;
    if (text.charAt(at) === '"') return at + 1;
    const escaped = match(/\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y, text, at);
    if (escaped === undefined) return { broken: at };
    at = escaped;
  }
}

/** Where the match ends. */
function match(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}
