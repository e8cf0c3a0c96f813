import type {
  ContentBlock,
  DocumentBlock,
  ImageBlock,
  Message,
  TextBlock,
  ToolResultBlock,
  ToolUseBlock,
} from '../messages';
import { isObject, type JsonObject, pick, plainJson, wellFormed } from '../text/json';
import { placeholderFor } from './placeholders';

/**
 * What of a message may be remembered and sent again (M4): text, tool uses and tool results, with no key the API
 * does not take. Thinking goes, since its signature is bound to all that came before; images and documents become
 * what `toMedia` makes of them: their placeholders (M5). Nothing left means no message. Entries keep their order: the
 * prompt cache compares bytes.
 */
export function sanitizeMessage(raw: unknown, toMedia: ToMedia = placeholderFor): Message | undefined {
  if (!isObject(raw)) return undefined;
  const { role, content } = raw;
  if (role !== 'user' && role !== 'assistant') return undefined;
  if (typeof content === 'string') {
    return isBlank(content) ? undefined : { role, content: wellFormed(content) };
  }
  if (!Array.isArray(content)) return undefined;
  const blocks = content.flatMap((block) => sanitizeBlock(block, role, toMedia) ?? []);
  return blocks.length > 0 ? { role, content: blocks } : undefined;
}

/** What an image or document is sent as; undefined for what is neither. */
export type ToMedia = (raw: JsonObject) => TextBlock | ImageBlock | DocumentBlock | undefined;

function sanitizeBlock(raw: unknown, role: Message['role'], toMedia: ToMedia): ContentBlock | undefined {
  if (!isObject(raw)) return undefined;
  switch (raw['type']) {
    case 'text':
      return sanitizeText(raw);
    case 'image':
    case 'document':
      return role === 'user' ? toMedia(raw) : placeholderFor(raw);
    case 'tool_use':
      return role === 'assistant' ? sanitizeToolUse(raw) : undefined;
    case 'tool_result':
      return role === 'user' ? sanitizeToolResult(raw, toMedia) : undefined;
    default:
      return undefined;
  }
}

function sanitizeText(raw: JsonObject): TextBlock | undefined {
  const { text } = raw;
  if (typeof text !== 'string' || isBlank(text)) return undefined;
  const block = { ...pick(raw, ['type', 'text']), text: wellFormed(text) };
  return isBlock<TextBlock>(block, 'text') ? block : undefined;
}

function sanitizeToolUse(raw: JsonObject): ToolUseBlock | undefined {
  const { id, name, input } = raw;
  if (!isToolId(id) || typeof name !== 'string' || !/^[a-zA-Z0-9_-]{1,128}$/.test(name)) return undefined;
  const args = isObject(input) ? plainJson(input) : {};
  const block = { ...pick(raw, ['type', 'id', 'name', 'input']), input: args };
  return isBlock<ToolUseBlock>(block, 'tool_use') ? block : undefined;
}

function sanitizeToolResult(raw: JsonObject, toMedia: ToMedia): ToolResultBlock | undefined {
  if (!isToolId(raw['tool_use_id'])) return undefined;
  const content = sanitizeResultContent(raw['content'], toMedia);
  const keys = ['type', 'tool_use_id', ...(content === undefined ? [] : ['content'])];
  if (typeof raw['is_error'] === 'boolean') keys.push('is_error');
  const block = { ...pick(raw, keys), ...(content === undefined ? {} : { content }) };
  return isBlock<ToolResultBlock>(block, 'tool_result') ? block : undefined;
}

function sanitizeResultContent(content: unknown, toMedia: ToMedia): ToolResultBlock['content'] {
  if (typeof content === 'string') return isBlank(content) ? undefined : wellFormed(content);
  if (!Array.isArray(content)) return undefined;
  const blocks = content.flatMap((block) => {
    if (!isObject(block)) return [];
    return (block['type'] === 'text' ? sanitizeText(block) : toMedia(block)) ?? [];
  });
  return blocks.length > 0 ? blocks : undefined;
}

function isToolId(id: unknown): id is string {
  return typeof id === 'string' && /^[a-zA-Z0-9_-]+$/.test(id);
}

function isBlank(text: string): boolean {
  return text.trim() === '';
}

/** The type of a block whose entries have just been built one by one. */
function isBlock<T extends ContentBlock>(block: JsonObject, type: T['type']): block is JsonObject & T {
  return block['type'] === type;
}
