import { blocksOf, type Message, type TextBlock } from '../messages';
import { isObject, type JsonObject, wellFormed } from '../text/json';

/** What a remembered turn holds in place of an image or a document (M5), or nothing for any other block. */
export function placeholderFor(block: JsonObject): TextBlock | undefined {
  if (block['type'] === 'image') return { type: 'text', text: '[Image sent: photo]' };
  if (block['type'] === 'document') return { type: 'text', text: `[Document sent: ${documentName(block)}]` };
  return undefined;
}

function documentName({ title, source }: JsonObject): string {
  // A name comes from outside: one line, and it cannot close the bracket and go on in our voice.
  const name = typeof title === 'string' ? title.replaceAll(/[\p{C}\p{Z}[\]]+/gu, ' ').trim() : '';
  if (name !== '') return wellFormed(name.slice(0, 200));
  return isObject(source) && source['media_type'] === 'application/pdf' ? 'PDF' : 'untitled';
}

/** The placeholders that stand in these messages, also within tool results. */
export function placeholdersIn(messages: readonly Message[]): readonly string[] {
  return messages.flatMap(blocksOf).flatMap((block) => {
    const parts = block.type === 'tool_result' && typeof block.content === 'object' ? block.content : [block];
    return parts.flatMap((part) => (part.type === 'text' && isPlaceholder(part.text) ? [part.text] : []));
  });
}

function isPlaceholder(text: string): boolean {
  return /^\[(Image|Document) sent: [^\]]+\]$/.test(text);
}
