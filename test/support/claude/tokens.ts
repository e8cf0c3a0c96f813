import { imageSize } from './imageRules';
import type { ModelFacts } from './models';
import type { Block } from './request';

/** A count that grows with the text and is the same every time; the real tokenizer is not public. */
export function textTokens(text: string, model: ModelFacts): number {
  return Math.max(1, Math.ceil(text.length * model.tokensPerChar));
}

/** What a block costs as input. `serialized` is the block as JSON, so that it is written only once. */
export function blockTokens(block: Block, serialized: string, model: ModelFacts): number {
  switch (block.type) {
    case 'text':
      return textTokens(block.text, model);
    case 'thinking':
      return textTokens(block.thinking, model);
    case 'image':
      return imageTokens(block);
    case 'document':
      return Math.ceil(serialized.length / 30);
    case 'tool_result':
      if (typeof block.content !== 'object') break;
      return block.content.reduce(
        (sum, inner) =>
          sum + (inner.type === 'image' ? imageTokens(inner) : textTokens(JSON.stringify(inner), model)),
        4,
      );
    default:
  }
  return textTokens(serialized, model);
}

/** One token per patch of 28 by 28 pixels, after scaling down to what the model sees. */
function imageTokens(block: Extract<Block, { type: 'image' }>): number {
  const size = imageSize(block) ?? { width: 1000, height: 1000 };
  const scale = Math.min(1, 2576 / Math.max(size.width, size.height));
  return Math.min(4784, Math.ceil((size.width * scale) / 28) * Math.ceil((size.height * scale) / 28));
}
