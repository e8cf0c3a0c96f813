import * as l10n from '@vscode/l10n';
import { checkImage, fromBase64 } from '../media';
import type { ContentBlock, ImageBlock, ResultPart, TextBlock } from '../messages';

/** With more images than this in a request, the API allows much smaller ones only. */
const maxImages = 20;
/** A request may have 32 MB in all; the rest is for text. */
const maxTotalChars = 24 * 1024 * 1024;

/** Admits images into the requests of one turn, or replaces them by a text that says why not. */
export class ImageGate {
  #count = 0;
  #chars = 0;

  admit(block: ImageBlock): ImageBlock | TextBlock {
    const { source } = block;
    if (source.type !== 'base64') return this.#take(block, 0);
    const bytes = fromBase64(source.data);
    if (!bytes) return leftOut('it is damaged or larger than 7.5 MB');
    const check = checkImage(bytes);
    if (check.type === 'refused') return leftOut(check.reason);
    const data = source.data.replace(/\s/g, '');
    return this.#take({ ...block, source: { ...source, data, media_type: check.image.type } }, data.length);
  }

  /** The content with its images admitted or replaced, and how many were replaced. */
  admitAll<Block extends ContentBlock | ResultPart>(
    blocks: readonly Block[],
  ): { content: (Block | TextBlock | ImageBlock)[]; refused: number } {
    let refused = 0;
    const content = blocks.map((block) => {
      if (block.type !== 'image') return block;
      const admitted = this.admit(block);
      if (admitted.type === 'text') refused++;
      return admitted;
    });
    return { content, refused };
  }

  #take(block: ImageBlock, chars: number): ImageBlock | TextBlock {
    if (this.#count === maxImages) return leftOut(`at most ${maxImages} images fit into one turn`);
    if (this.#chars + chars > maxTotalChars) return leftOut('the images of this turn are too large together');
    this.#count++;
    this.#chars += chars;
    return block;
  }
}

/** For the user, when images of their own message were left out. */
export function describeRefused(count: number): string {
  const limits = l10n.t(
    'Claude takes complete PNG, JPEG, GIF and WebP images up to 7.5 MB and 8000 pixels, 20 in a turn.',
  );
  return count === 1
    ? l10n.t('An image was left out. {0}', limits)
    : l10n.t('{0} images were left out. {1}', count, limits);
}

function leftOut(reason: string): TextBlock {
  return { type: 'text', text: `[Image left out: ${reason}]` };
}
