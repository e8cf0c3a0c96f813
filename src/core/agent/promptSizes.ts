import { checkImage, fromBase64 } from '../images';
import { jsonBytes } from '../json';
import { blocksOf, type ContentBlock, type ImageBlock, type Message, type ResultPart } from '../messages';
import type { Prompt } from './prompt';

/** How large the parts of one request are, in bytes of JSON. An image counts as the text that costs as much. */
export interface PromptSizes {
  readonly system: number;
  readonly tools: number;
  /** Each message of the history. */
  readonly history: readonly number[];
  /** The turn that this one goes on with, because its message answers a question. */
  readonly earlier: number;
  /** What was done in this turn so far: calls, their results, and what Claude said and thought in between. */
  readonly rounds: number;
  /** The person's message with all that is attached. */
  readonly message: number;
  readonly facts: number;
}

/** Measures the requests of one turn. What was measured once is remembered: messages never change in place. */
export class PromptScale {
  readonly #sizes = new WeakMap<object, number>();

  sizesOf({ system, tools, history, facts, turn }: Prompt): PromptSizes {
    const earlier = turn.filter(({ isEarlier }) => isEarlier);
    const [opening, ...rounds] = turn.filter(({ isEarlier }) => !isEarlier);
    const sent = opening ? this.#sizeOf(opening.message) : 0;
    // An answer to a question goes out with the results of the same round, which are not the person's words.
    const own = opening?.remembered ? Math.min(sent, this.#sizeOf(opening.remembered)) : sent;
    return {
      system: this.#once(system, () => jsonBytes(system)),
      tools: this.#once(tools, () =>
        jsonBytes(tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema }))),
      ),
      history: history.map((message) => this.#sizeOf(message)),
      earlier: total(earlier.map(({ message }) => this.#sizeOf(message))),
      rounds: sent - own + total(rounds.map(({ message }) => this.#sizeOf(message))),
      message: own,
      facts: facts?.trim() ? jsonBytes(facts) : 0,
    };
  }

  #sizeOf(message: Message): number {
    return this.#once(message, () => contentSize(blocksOf(message)));
  }

  #once(what: object, measure: () => number): number {
    const size = this.#sizes.get(what) ?? measure();
    this.#sizes.set(what, size);
    return size;
  }
}

export function contentSize(blocks: readonly ContentBlock[]): number {
  return total(blocks.map(blockSize));
}

/** About what a token takes as JSON. */
const bytesPerToken = 4;
/** A page of a PDF has some 100 KB and costs some 3,000 tokens; nobody tells how many pages there are. */
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
  const { width, height } = check?.type === 'accepted' ? check.facts : { width: 1000, height: 1000 };
  const scale = Math.min(1, 2576 / Math.max(width, height));
  return Math.min(4784, Math.ceil((width * scale) / 28) * Math.ceil((height * scale) / 28));
}

function total(sizes: readonly number[]): number {
  return sizes.reduce((sum, size) => sum + size, 0);
}
