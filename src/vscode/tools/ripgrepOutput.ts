/** A matching line, or one of context, as `rg --json` reports it. */
export interface MatchRecord {
  readonly path: string;
  readonly line: number;
  readonly text: string;
  /** Where the first match starts, in characters. */
  readonly start: number;
  readonly isMatch: boolean;
  /** The line is not UTF-8: what could not be read of it shows as `\uFFFD`. */
  readonly isGarbled: boolean;
}

/** Undefined for the records that frame the matches of a file, which need not be parsed. */
export function parseRecord(line: string, isSqueezed: boolean): MatchRecord | undefined {
  const isMatch = line.startsWith('{"type":"match"');
  if (!isMatch && !line.startsWith('{"type":"context"')) return undefined;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the documented format of a program we start
  const { data } = JSON.parse(isSqueezed && isMatch ? withFirstMatch(line) : line) as { readonly data: Data };
  const bytes = toBytes(data.lines);
  const [first] = data.submatches;
  const record = {
    path: toBytes(data.path).toString('utf8'),
    line: data.line_number ?? 1,
    isMatch,
    isGarbled: 'bytes' in data.lines,
  };
  if (isSqueezed && first !== undefined && first.end > bytes.length) {
    // The match lies behind what was kept of the line. Bytes are characters in most lines of that length.
    const found = toBytes(first.match).toString('utf8');
    return { ...record, text: `[at character ${first.start + 1} of a very long line] ${found}`, start: 0 };
  }
  return {
    ...record,
    text: bytes.toString('utf8'),
    start: bytes.subarray(0, first?.start ?? 0).toString('utf8').length,
  };
}

/** Base64 where something is not UTF-8. */
type Arbitrary = { readonly text: string } | { readonly bytes: string };

interface Data {
  readonly path: Arbitrary;
  readonly lines: Arbitrary;
  readonly line_number: number | null;
  readonly submatches: readonly {
    readonly match: Arbitrary;
    readonly start: number;
    readonly end: number;
  }[];
}

/** A very long line can have so many matches that they are cut off, too: then the first one closes the record. */
function withFirstMatch(line: string): string {
  const end = line.indexOf('}', line.indexOf('"end":', line.indexOf('"submatches":[')));
  return `${line.slice(0, end + 1)}]}}`;
}

function toBytes(value: Arbitrary): Buffer {
  return 'text' in value ? Buffer.from(value.text, 'utf8') : Buffer.from(value.bytes, 'base64');
}
