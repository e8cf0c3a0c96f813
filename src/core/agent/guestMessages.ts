import type Anthropic from '@anthropic-ai/sdk';
import { pairedMessages } from '../conversation/transcript';
import type { JsonObject } from '../json';
import { blocksOf, withContent, type ContentBlock, type ImageBlock, type Message } from '../messages';
import { ImageGate } from './imageGate';
import { toInput } from './turnMessages';

/** What Claude answered to guests, with its thoughts: the API wants them back before the results of its calls. */
export interface GuestThoughts {
  keep(content: readonly Anthropic.ContentBlock[]): void;
  /** The message as Claude wrote it, if it is one that is kept. */
  restore(message: Message): Message;
}

/** More than a long agent's turn has; then the oldest are forgotten. */
const maxAnswers = 200;

export function createGuestThoughts(): GuestThoughts {
  const answers = new Map<string, readonly ContentBlock[]>();
  return {
    keep(answer) {
      const content = toInput(answer);
      const key = callsIn(content);
      if (key === '' || !content.some(({ type }) => type.endsWith('thinking'))) return;
      answers.set(key, content);
      for (const oldest of answers.keys()) {
        if (answers.size <= maxAnswers) break;
        answers.delete(oldest);
      }
    },
    restore(message) {
      const content = message.role === 'assistant' ? answers.get(callsIn(blocksOf(message))) : undefined;
      return content ? withContent(message, content) : message;
    },
  };
}

/**
 * Messages as a guest wrote them, made such that the API takes them: calls and results in pairs, images that it can
 * read, the newest first where there are too many, and the last word not Claude's.
 */
export function toGuestMessages(messages: readonly Message[], thoughts: GuestThoughts): readonly Message[] {
  const gate = new ImageGate();
  const paired = pairedMessages(messages, new Set(), keepMedia)
    .toReversed()
    .map((message) => withContent(message, admitted(blocksOf(message), gate)))
    .toReversed()
    .map((message) => thoughts.restore(message));
  return paired.at(-1)?.role === 'user' ? paired : [...paired, { role: 'user', content: 'Go on.' }];
}

/** Guests' blocks are built by us, so that an image is one. */
function keepMedia(block: JsonObject): ImageBlock {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- see above
  return block as unknown as ImageBlock;
}

function admitted(blocks: readonly ContentBlock[], gate: ImageGate): readonly ContentBlock[] {
  return blocks.flatMap((block) => {
    if (block.type !== 'tool_result' || typeof block.content !== 'object')
      return gate.admitAll([block]).content;
    return [{ ...block, content: gate.admitAll(block.content).content }];
  });
}

function callsIn(blocks: readonly ContentBlock[]): string {
  return blocks.flatMap((block) => (block.type === 'tool_use' ? [block.id] : [])).join(' ');
}
