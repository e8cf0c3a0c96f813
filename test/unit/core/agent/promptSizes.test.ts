import assert from 'node:assert/strict';
import { contentSize } from '../../../../src/core/agent/promptSizes';
import { toImageBlock } from '../../../../src/core/media';
import { png } from '../../../support/claude/sampleImages';

/** Four bytes of JSON are taken for a token. */
describe('the size of an image in a request', () => {
  const tokens = (width: number, height: number): number =>
    contentSize([toImageBlock(png(width, height), 'image/png')]) / 4;

  it('is a token for each patch of 28 by 28 pixels that it has', () => {
    assert.deepEqual([tokens(28, 28), tokens(29, 28), tokens(280, 56)], [1, 2, 20]);
  });

  it('is that of the image as Claude sees it, once it is larger than that', () => {
    assert.deepEqual([tokens(2576, 28), tokens(5152, 56), tokens(56, 5152)], [92, 92, 92]);
    assert.equal(tokens(2576, 2576), 4784);
  });

  it('is that of a square of 1000 pixels where it cannot be told', () => {
    const elsewhere = { type: 'image', source: { type: 'url', url: 'https://example.org/a.png' } } as const;
    assert.equal(contentSize([elsewhere]) / 4, 36 * 36);
  });
});
