import assert from 'node:assert/strict';
import { looksBinary, showSize, utf16Mark } from '../../../../src/core/tools/readText';

describe('what is told of a file before it is read', () => {
  it('its size, in the unit that a person would take', () => {
    assert.deepEqual(
      [0, 1023, 1024, 1025, 1536, 1024 ** 2 - 1, 1024 ** 2, 1024 ** 3, 2.5 * 1024 ** 4, 1024 ** 5].map(
        showSize,
      ),
      [
        '0 bytes',
        '1023 bytes',
        '1.0 KB',
        '1.0 KB',
        '1.5 KB',
        '1024.0 KB',
        '1.0 MB',
        '1.0 GB',
        '2.5 TB',
        '1024.0 TB',
      ],
    );
  });

  it('whether it is binary: a NUL is, unless it is half of a character of UTF-16', () => {
    const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le');
    const text = [
      Buffer.from(''),
      Buffer.from('plain\ttext'),
      utf16('tab\tand\r\nlines'),
      utf16('tab\tand\r\nlines').swap16(),
      utf16('\ufeffUmlaute: \u0100\u2192'),
      Buffer.concat([Buffer.from('x'.repeat(8192)), Buffer.from([0])]),
    ];
    const binary = [
      Buffer.from('text\0more'),
      utf16('bell\u0007'),
      utf16('shift\u000e'),
      Buffer.concat([Buffer.from('x'.repeat(8191)), Buffer.from([0])]),
    ];
    assert.deepEqual(
      text.map(looksBinary),
      text.map(() => false),
    );
    assert.deepEqual(
      binary.map(looksBinary),
      binary.map(() => true),
    );
  });

  it('which order of bytes its mark names', () => {
    const marks = [[0xff, 0xfe], [0xfe, 0xff], [0xfe, 0xfe], [0xff, 0xff], [0xff], []];
    assert.deepEqual(
      marks.map((bytes) => utf16Mark(Uint8Array.from(bytes))),
      ['utf-16le', 'utf-16be', undefined, undefined, undefined, undefined],
    );
  });
});
