import { checkImage, fromBase64 } from '../media';
import { memoizeByObject } from '../memoizeByObject';
import { blocksOf, type ContentBlock, type ImageBlock, type Message, type ResultPart } from '../messages';
import { jsonBytes } from '../text/json';
import type { Prompt } from './prompt';

/** How large the parts of one request are, in bytes of JSON. An image counts as the text that costs as much. */
export interface PromptSizes {
  readonly system: number;
  readonly tools: number;
  /** Each message of the history. */
  readonly history: readonly number[];
  /** The turn that this one continues, because its message answers a question. */
  readonly earlier: number;
  /** What was done in this turn so far: calls, their results, and what Claude said and thought in between. */
  readonly rounds: number;
  /** The user's message with all that is attached. */
  readonly message: number;
  /** What goes with that message: values, plan and the like. */
  readonly context: number;
}

export function promptSizes({ system, tools, history, context, turn }: Prompt): PromptSizes {
  const earlier = turn.filter(({ isEarlier }) => isEarlier);
  const [opening, ...rounds] = turn.filter(({ isEarlier }) => !isEarlier);
  const sent = opening ? sizeOf(opening.message) : 0;
  // An answer to a question is sent with the results of the same round, which are not the user's words.
  const own = opening?.remembered ? Math.min(sent, sizeOf(opening.remembered)) : sent;
  return {
    system: jsonBytes(system),
    tools: sizeOfTools(tools),
    history: history.map(sizeOf),
    earlier: total(earlier.map(({ message }) => sizeOf(message))),
    rounds: sent - own + total(rounds.map(({ message }) => sizeOf(message))),
    message: own,
    context: context?.trim() ? jsonBytes(context) : 0,
  };
}

const sizeOf = memoizeByObject((message: Message) => contentSize(blocksOf(message)));

const sizeOfTools = memoizeByObject((tools: Prompt['tools']) =>
  jsonBytes(
    tools
      .filter(({ deferral }) => !deferral)
      .map(({ name, description, inputSchema }) => ({ name, description, inputSchema })),
  ),
);

export function contentSize(blocks: readonly ContentBlock[]): number {
  return total(blocks.map(blockSize));
}

/** About what a token takes as JSON. */
const bytesPerToken = 4;
/** A page of a PDF has some 100 KB and costs some 3,000 tokens; the number of pages is not known. */
const base64PerTextByte = 8;

function blockSize(block: ContentBlock | ResultPart): number {
  switch (block.type) {
    case 'image':
      return imageTokens(block) * bytesPerToken;
    case 'document':
      return block.source.type === 'base64'
        ? Math.ceil(block.source.data.length / base64PerTextByte)
        : jsonBytes(block);
    case 'thinking':
      // Its signature is long and costs nothing.
      return jsonBytes(block.thinking);
    case 'tool_result': {
      const { content, ...rest } = block;
      if (typeof content !== 'object') return jsonBytes(block);
      return jsonBytes(rest) + total(content.map(blockSize));
    }
    default:
      return jsonBytes(block);
  }
}

/** One for each patch of 28 by 28 pixels, after scaling down to what Claude sees. */
function imageTokens({ source }: ImageBlock): number {
  const bytes = source.type === 'base64' ? fromBase64(source.data) : undefined;
  const check = bytes && checkImage(bytes);
  const { width, height } = check?.type === 'accepted' ? check.image : { width: 1000, height: 1000 };
  const scale = Math.min(1, 2576 / Math.max(width, height));
  return Math.min(4784, Math.ceil((width * scale) / 28) * Math.ceil((height * scale) / 28));
}

function total(sizes: readonly number[]): number {
  return sizes.reduce((sum, size) => sum + size, 0);
}
