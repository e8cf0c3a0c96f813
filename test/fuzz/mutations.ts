import * as fc from 'fast-check';
import { cpuTime } from '../support/cpuTime';

/** A change of bytes; places and lengths are parts of the whole, so that it fits any length. */
type ByteChange =
  | { readonly does: 'cut' | 'double'; readonly at: number; readonly length: number }
  | { readonly does: 'insert'; readonly at: number; readonly bytes: Uint8Array }
  | { readonly does: 'flip'; readonly at: number; readonly to: number }
  | { readonly does: 'end'; readonly at: number };

const place = fc.double({ min: 0, max: 1, noNaN: true });
const shortLength = place.map((part) => part * part * part);

export const byteChange: fc.Arbitrary<ByteChange> = fc.oneof(
  fc.record({ does: fc.constantFrom('cut', 'double'), at: place, length: shortLength }),
  fc.record({
    does: fc.constant('insert'),
    at: place,
    bytes: fc.oneof(
      fc.uint8Array({ maxLength: 12 }),
      fc
        .constantFrom('\n\n', '\r\n\r\n', 'data: ', 'event: error\n', '{}', '"', '\u2028', '\0', ': ping\n\n')
        .map((text) => new TextEncoder().encode(text)),
    ),
  }),
  fc.record({ does: fc.constant('flip'), at: place, to: fc.nat(255) }),
  fc.record({ does: fc.constant('end'), at: place }),
);

export function changeBytes(bytes: Uint8Array, changes: readonly ByteChange[]): Uint8Array {
  let changed = bytes;
  for (const change of changes) {
    const at = Math.min(changed.length, Math.floor(change.at * changed.length));
    const [before, after] = [changed.subarray(0, at), changed.subarray(at)];
    switch (change.does) {
      case 'cut':
        changed = Buffer.concat([before, after.subarray(Math.ceil(change.length * after.length))]);
        break;
      case 'double': {
        const piece = after.subarray(0, Math.ceil(change.length * after.length));
        changed = Buffer.concat([before, piece, after]);
        break;
      }
      case 'insert':
        changed = Buffer.concat([before, change.bytes, after]);
        break;
      case 'flip':
        changed = Buffer.concat(
          [before, after.length > 0 ? [change.to] : [], after.subarray(1)].map(toBytes),
        );
        break;
      case 'end':
        changed = before;
        break;
    }
  }
  return changed;
}

/** Pieces of the whole, cut at these parts of it. */
export function splitBytes(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const cuts = places.map((part) => Math.floor(part * bytes.length)).toSorted((a, b) => a - b);
  return [0, ...cuts].map((from, index) => bytes.subarray(from, cuts[index] ?? bytes.length));
}

export const splits = fc.array(place, { maxLength: 6 });

/** A change of a JSON value: one of all its parts, counted through, is replaced, removed or, in a list, doubled. */
export interface ValueChange {
  readonly part: number;
  readonly does: 'replace' | 'remove' | 'double';
  readonly value: unknown;
}

export const oddValue = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    '',
    ' ',
    'x',
    [],
    {},
    0,
    -1,
    1.5,
    3,
    1e9,
    2 ** 53,
    '\uD83D',
    'a\0b',
    '__proto__',
  ),
  fc.jsonValue({ maxDepth: 2 }),
);

export const valueChange: fc.Arbitrary<ValueChange> = fc.record({
  part: fc.nat(),
  does: fc.constantFrom('replace', 'replace', 'remove', 'double'),
  value: oddValue,
});

/** A copy of the value with these changes; what is given stays as it is. */
export function changeValue(value: unknown, changes: readonly ValueChange[]): unknown {
  return changes.reduce((current, change) => changeOnce(current, change), value);
}

function changeOnce(value: unknown, { part, does, value: odd }: ValueChange): unknown {
  const copy = { whole: structuredClone(value) };
  const parts = partsOf(copy, 'whole');
  const chosen = parts[part % parts.length];
  if (!chosen) return value;
  const { holder, key } = chosen;
  if (does === 'replace') define(holder, key, odd);
  else if (Array.isArray(holder))
    holder.splice(Number(key), 1, ...(does === 'double' ? [holder[Number(key)], holder[Number(key)]] : []));
  else if (does === 'remove') delete holder[key];
  return copy.whole;
}

interface ValuePart {
  readonly holder: Record<string, unknown> | unknown[];
  readonly key: string;
}

function partsOf(holder: ValuePart['holder'], key: string): ValuePart[] {
  const inner: unknown = Array.isArray(holder) ? holder[Number(key)] : holder[key];
  const here = { holder, key };
  if (typeof inner !== 'object' || inner === null) return [here];
  const within = inner as ValuePart['holder'];
  return [here, ...Object.keys(within).flatMap((name) => partsOf(within, name))];
}

/** As JSON.parse does it: `__proto__` is a name like any other. */
function define(holder: ValuePart['holder'], key: string, value: unknown): void {
  Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true });
}

function toBytes(part: Uint8Array | readonly number[]): Uint8Array {
  return part instanceof Uint8Array ? part : Uint8Array.from(part);
}

const piece = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 12 }),
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.constantFrom(
    '"',
    "'",
    '`',
    '*',
    '(',
    ')',
    ' AND ',
    ' OR ',
    ' NEAR(',
    '-',
    ':',
    '^',
    '{0}',
    '{',
    '}',
    '[',
    '\\',
  ),
  fc.constantFrom(
    '\n',
    '\r\n',
    '\r',
    '\t',
    '\0',
    '\uD83D',
    '\u202E',
    '\u2066',
    '\u200B',
    '\uFEFF',
    'é',
    'e\u0301',
    '发票',
    '🧾',
  ),
  fc.constantFrom(
    'never',
    'note that',
    'remember',
    'always',
    'src/a.ts',
    'https://example.com/a',
    '@docs/a.md',
    '- [ ] do',
  ),
);

/** What nobody would write, and somebody does: now and then so long that what takes the square of it never ends. */
export const hostileText = fc.oneof(
  { weight: 12, arbitrary: fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join('')) },
  {
    weight: 1,
    arbitrary: fc.tuple(piece, fc.nat(20_000)).map(([one, length]) => one.repeat(length / (one.length + 1))),
  },
);

/** What is linear takes a hundredth of it. */
const shortMs = 3_000;

/** Of the processor: what else the machine does meanwhile does not count. */
export function inShortTime(work: () => void): void {
  const took = cpuTime(work);
  if (took > shortMs) throw new Error(`It took ${Math.round(took)} ms.`);
}
