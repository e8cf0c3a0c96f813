import { blocksOf, withContent, type ContentBlock, type Message } from '../messages';

/**
 * Tells tool rounds in words instead of blocks. With thinking on, some models go on with open rounds only if the
 * thinking before each call is there, and when that cannot be sent back this is the way left to keep the work done.
 */
export function flattenRounds(messages: readonly Message[]): Message[] {
  const names = new Map<string, string>();
  return messages.map((message) =>
    withContent(
      message,
      blocksOf(message).flatMap((block) => flatten(block, names)),
    ),
  );
}

function flatten(block: ContentBlock, names: Map<string, string>): readonly ContentBlock[] {
  if (block.type === 'tool_use') {
    names.set(block.id, block.name);
    return [{ type: 'text', text: `[Called ${block.name} with ${JSON.stringify(block.input)}]` }];
  }
  if (block.type !== 'tool_result') return [block];
  const heading = `[${block.is_error ? 'Error' : 'Result'} of ${names.get(block.tool_use_id) ?? 'a call'}]`;
  if (typeof block.content !== 'object')
    return [{ type: 'text', text: `${heading}\n${block.content ?? ''}` }];
  const content = block.content.filter((part) => part.type === 'text' || part.type === 'image');
  return [{ type: 'text', text: heading }, ...content];
}
