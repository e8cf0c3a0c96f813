import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { jsonBreak } from '../../../src/core/jsonBreak';

describe('jsonBreak', () => {
  it('says where a text stops being JSON', () => {
    assert.deepEqual(jsonBreak('{\n  "a": [1, 2,],\n}'), { line: 2, column: 14, isEnd: false });
    assert.deepEqual(jsonBreak('{"a": tru}'), { line: 1, column: 7, isEnd: false });
    assert.deepEqual(jsonBreak('{"a": "b\n"}'), { line: 1, column: 9, isEnd: false });
    assert.deepEqual(jsonBreak('{"a": 1} x'), { line: 1, column: 10, isEnd: false });
  });

  it('knows a text that was cut', () => {
    assert.deepEqual(jsonBreak('{"a": [1,\n'), { line: 2, column: 1, isEnd: true });
    assert.deepEqual(jsonBreak(''), { line: 1, column: 1, isEnd: true });
  });

  it('agrees with JSON.parse on every text', () => {
    const pieces = [
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"',
      '"a"',
      '1',
      '-',
      '0',
      '.5',
      'e3',
      'true',
      'null',
      ' ',
      '\n',
      '\\',
    ];
    const text = fc.oneof(
      fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((parts) => parts.join('')),
      fc
        .tuple(fc.json({ maxDepth: 3 }), fc.nat(), fc.constantFrom('', ...pieces))
        .map(([json, at, piece]) => {
          const place = at % (json.length + 1);
          return json.slice(0, place) + piece + json.slice(place);
        }),
    );
    fc.assert(
      fc.property(text, (json) => {
        assert.equal(jsonBreak(json) === undefined, isJson(json), json);
      }),
      { numRuns: 3000 },
    );
  });

  it('takes a text that is nested deeper than any stack', () => {
    assert.deepEqual(jsonBreak('['.repeat(1_000_000)), { line: 1, column: 1_000_001, isEnd: true });
  });
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
