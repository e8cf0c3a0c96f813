import assert from 'node:assert/strict';
import { createJsonSqueezer } from '../../../../src/vscode/tools/squeezeJson';

function squeeze(json: string, pieceLength: number): string {
  const squeezer = createJsonSqueezer();
  for (let at = 0; at < json.length; at += pieceLength) squeezer.feed(json.slice(at, at + pieceLength));
  return squeezer.result();
}

describe('squeezing JSON', () => {
  const short = { a: 'b"\\\u0007é', list: [1, { deep: '}]{["' }], empty: '' };

  it('leaves short JSON as it is, wherever it is cut into pieces', () => {
    const json = JSON.stringify(short);
    for (let length = 1; length <= json.length; length++) assert.equal(squeeze(json, length), json);
  });

  it('cuts long strings, never inside an escape, and keeps all around them', () => {
    for (const unit of ['x', '"', '\\', '\u0001', '\n', 'é', '"x']) {
      const json = JSON.stringify({ before: 1, long: unit.repeat(10_000), ...short });
      for (const length of [1, 7, 64, 100_000]) {
        const { long, ...rest } = JSON.parse(squeeze(json, length)) as typeof short & {
          readonly long: string;
        };
        assert.deepEqual(rest, { before: 1, ...short });
        assert.ok(unit.repeat(10_000).startsWith(long) && long.length > 300 && long.length <= 2_000);
      }
    }
  });

  it('keeps the beginning of what is still too long', () => {
    const json = JSON.stringify(Array.from({ length: 1_000_000 }, (_, at) => at));
    const kept = squeeze(json, 65_536);
    assert.ok(json.startsWith(kept) && kept.length >= 100_000 && kept.length < 200_000);
  });
});
