import assert from 'node:assert/strict';
import { scanLines } from '../../../../src/core/tools/scanLines';

describe('lines of a huge file', () => {
  const megabyte = 1024 * 1024;
  const range = { encoding: 'utf-8', first: 1, last: 10, firstCharacter: 1 };

  it('L11: are looked for in its first 512 MB, 4 MB at a time', async () => {
    const scanned = async (size: number) => {
      const starts: number[] = [];
      const read = async (start: number): Promise<Uint8Array> => {
        starts.push(start);
        return new Uint8Array();
      };
      const { isEnd } = await scanLines(read, { ...range, size });
      return { isEnd, reads: starts.length, last: starts.at(-1) };
    };
    const far = { reads: 128, last: 508 * megabyte };
    assert.deepEqual(await scanned(512 * megabyte), { isEnd: true, ...far });
    assert.deepEqual(await scanned(512 * megabyte + 1), { isEnd: false, ...far });
    assert.deepEqual(await scanned(4 * megabyte), { isEnd: true, reads: 1, last: 0 });
  });

  it('L11: end with the range, and where more was found than a result shows', async () => {
    const text = Array.from({ length: 20 }, (_, index) => `line ${index + 1}`).join('\n');
    const bytes = new TextEncoder().encode(text);
    const lines = (first: number, last: number) =>
      scanLines(async () => bytes, { ...range, size: bytes.length, first, last });
    assert.deepEqual(await lines(2, 3), { lines: ['line 2', 'line 3'], isEnd: false });
    assert.deepEqual(await lines(19, 30), { lines: ['line 19', 'line 20'], isEnd: true });
    assert.deepEqual(await lines(21, 30), { lines: [], isEnd: true });
    const wide = new TextEncoder().encode(`${'x'.repeat(199_999)}\ny\nz`);
    assert.deepEqual(
      (await scanLines(async () => wide, { ...range, size: wide.length })).lines.map(({ length }) => length),
      [199_999],
    );
  });
});
