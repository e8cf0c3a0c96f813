/** A matching line, or one of context, as `rg --json` reports it. */
export interface MatchRecord {
  readonly path: string;
  readonly line: number;
  readonly text: string;
  /** Where the first match starts, in characters. */
  readonly start: number;
  readonly isMatch: boolean;
}

/** Undefined for the records that frame the matches of a file, which need not be parsed. */
export function parseRecord(line: string): MatchRecord | undefined {
  const isMatch = line.startsWith('{"type":"match"');
  if (!isMatch && !line.startsWith('{"type":"context"')) return undefined;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the documented format of a program we start
  const { data } = JSON.parse(line) as { readonly data: Data };
  const bytes = toBytes(data.lines);
  return {
    path: toBytes(data.path).toString('utf8'),
    line: data.line_number ?? 1,
    text: bytes.toString('utf8'),
    start: bytes.subarray(0, data.submatches[0]?.start ?? 0).toString('utf8').length,
    isMatch,
  };
}

/** Base64 where something is not UTF-8. */
type Arbitrary = { readonly text: string } | { readonly bytes: string };

interface Data {
  readonly path: Arbitrary;
  readonly lines: Arbitrary;
  readonly line_number: number | null;
  readonly submatches: readonly { readonly start: number }[];
}

function toBytes(value: Arbitrary): Buffer {
  return 'text' in value ? Buffer.from(value.text, 'utf8') : Buffer.from(value.bytes, 'base64');
}
