import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { characterEnd, characterStart, cutOut, cutText, ellipsize } from '../../../../src/core/text/cutText';

const someText = fc.array(fc.constantFrom('a', 'é', '😀', '\n', '👩‍💻')).map((parts) => parts.join(''));

describe('cutting a text', () => {
  it('F14: never leaves half a character, wherever it is cut', () => {
    fc.assert(
      fc.property(someText, fc.nat(30), fc.nat(30), (text, one, other) => {
        const [start, end] = [Math.min(one, other), Math.max(one, other)];
        assert.ok(cutText(text, end).isWellFormed());
        assert.ok(cutOut(text, start, end).isWellFormed());
        assert.ok(text.slice(0, characterEnd(text, start)).isWellFormed());
        assert.ok(characterStart(text, end) <= end && characterEnd(text, start) >= start);
      }),
    );
  });

  it('says where something was left out', () => {
    assert.deepEqual(
      [cutOut('abcdef', 2, 4), cutOut('abcdef', 0, 4), cutOut('abcdef', 2, 6), cutOut('ab', 0, 2)],
      ['…cd…', 'abcd…', '…cdef', 'ab'],
    );
  });

  it('counts characters for people, not what they are made of', () => {
    assert.deepEqual([ellipsize('😀😀😀😀', 2), ellipsize('😀😀', 2)], ['😀😀…', '😀😀']);
  });

  it('cuts no single character off: the mark for it takes the same room', () => {
    assert.deepEqual([ellipsize('use tabs', 7), ellipsize('use tabs!', 7)], ['use tabs', 'use tab…']);
  });
});
