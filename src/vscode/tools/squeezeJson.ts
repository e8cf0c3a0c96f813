/** More of one string than is ever shown. */
const longestString = 2_000;
/** More than a record needs whose strings are that short. */
const longestResult = 100_000;

export interface JsonSqueezer {
  feed(piece: string): void;
  /** What was fed, with long strings cut short, and without what follows upon very many of them. */
  result(): string;
}

/** Takes in JSON of any size, piece by piece, and keeps of it what is worth keeping. */
export function createJsonSqueezer(): JsonSqueezer {
  const inString = /[^"\\]+|\\u[0-9a-f]{4}|\\[^u]|"/giy;
  const kept: string[] = [];
  let keptLength = 0;
  let isInString = false;
  let stringLength = 0;
  /** An escape that goes on in the next piece. */
  let carried = '';

  function keep(text: string): void {
    kept.push(text);
    keptLength += text.length;
  }

  function keepInString(token: string): void {
    const room = longestString - stringLength;
    stringLength += token.length;
    if (room > 0) keep(token.startsWith('\\') ? token : token.slice(0, room));
  }

  return {
    feed(piece) {
      if (keptLength >= longestResult) return;
      const text = carried + piece;
      carried = '';
      let at = 0;
      while (at < text.length) {
        if (!isInString) {
          const quote = text.indexOf('"', at);
          const end = quote === -1 ? text.length : quote + 1;
          keep(text.slice(at, end));
          at = end;
          isInString = quote !== -1;
          stringLength = 0;
          continue;
        }
        inString.lastIndex = at;
        const [token] = inString.exec(text) ?? [];
        if (token === undefined) {
          carried = text.slice(at);
          return;
        }
        at += token.length;
        if (token === '"') {
          keep(token);
          isInString = false;
        } else keepInString(token);
      }
    },
    result: () => kept.join(''),
  };
}
