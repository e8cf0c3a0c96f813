import { isObject } from '../../json';
import { blocksOf, withContent, type ContentBlock, type Message } from '../../messages';
import type { Conversation } from '../turn';

/** A shorter value is a word like any other: replaced wherever it stands, it would spoil the text. */
const leastChars = 4;

/**
 * The conversation without the values of its params (M21): where one stands, its name stands instead. The places that
 * are made of values, what was remembered and what the person answered, lose also the short ones.
 */
export function withoutValues(conversation: Conversation): Conversation {
  const names = namesByValue(conversation);
  const maskAll = masking(names);
  const mask = masking(new Map([...names].filter(([value]) => value.length >= leastChars)));
  const { summary, ...rest } = conversation;
  return {
    ...rest,
    params: {},
    turns: conversation.turns.map((turn) => {
      const answers = new Set(usesOf(turn.messages, 'ask_user').map(({ id }) => id));
      const messages = turn.messages.map((message) =>
        typeof message.content === 'string'
          ? { ...message, content: mask(message.content) }
          : withContent(
              message,
              message.content.map((block) => maskedBlock(block, mask, maskAll, answers)),
            ),
      );
      return { ...turn, messages };
    }),
    ...(summary && { summary: { ...summary, text: mask(summary.text) } }),
  };
}

function namesByValue({ params, turns }: Conversation): ReadonlyMap<string, string> {
  const kept = Object.entries(params).map(([name, { value }]) => [value, name] as const);
  // Also what was forgotten since, or got another value.
  const once = turns
    .flatMap(({ messages }) => usesOf(messages, 'remember'))
    .flatMap(({ input }) => {
      const { name, value } = isObject(input) ? input : {};
      return typeof name === 'string' && typeof value === 'string' ? [[value.trim(), name] as const] : [];
    });
  return new Map([...once, ...kept].filter(([value]) => value !== ''));
}

function usesOf(messages: readonly Message[], name: string) {
  return messages.flatMap((message) =>
    blocksOf(message).flatMap((block) => (block.type === 'tool_use' && block.name === name ? [block] : [])),
  );
}

type Mask = (text: string) => string;

/** As whole words, the longest first, all in one pass: a name that took the place of a value is not looked at again. */
function masking(names: ReadonlyMap<string, string>): Mask {
  if (names.size === 0) return (text) => text;
  const values = [...names.keys()].toSorted((a, b) => b.length - a.length);
  const either = values.map((value) => value.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('|');
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}_])(?:${either})(?![\\p{L}\\p{N}_])`, 'gu');
  return (text) => text.replaceAll(pattern, (value) => `[${names.get(value) ?? ''}]`);
}

function maskedBlock(
  block: ContentBlock,
  mask: Mask,
  maskAll: Mask,
  answers: ReadonlySet<string>,
): ContentBlock {
  switch (block.type) {
    case 'text':
      return { ...block, text: mask(block.text) };
    case 'tool_use':
      if (block.name === 'remember') return { ...block, input: maskedMemory(block.input, maskAll) };
      return { ...block, input: maskedStrings(block.input, mask) };
    case 'tool_result': {
      const { content } = block;
      const maskResult = answers.has(block.tool_use_id) ? maskAll : mask;
      if (content === undefined) return block;
      if (typeof content === 'string') return { ...block, content: maskResult(content) };
      return { ...block, content: content.map((part) => maskedPart(part, maskResult)) };
    }
    default:
      return block;
  }
}

function maskedPart<Part extends { readonly type: string }>(part: Part, mask: Mask): Part {
  return 'text' in part && typeof part.text === 'string' ? { ...part, text: mask(part.text) } : part;
}

/** Under its own name, whoever else has the same value: so an export of an import is the same again. */
function maskedMemory(input: unknown, mask: Mask): unknown {
  if (!isObject(input)) return maskedStrings(input, mask);
  const { name, value } = input;
  if (typeof name !== 'string' || typeof value !== 'string' || value.trim() === '') {
    return maskedStrings(input, mask);
  }
  const entries = Object.entries(input).map(([key, item]) => [key, maskedStrings(item, mask)] as const);
  return Object.fromEntries([...entries, ['name', name], ['value', `[${name}]`]]);
}

/** Names of tool arguments are the tool's, not the person's. */
function maskedStrings(value: unknown, mask: Mask): unknown {
  if (typeof value === 'string') return mask(value);
  if (Array.isArray(value)) return value.map((item) => maskedStrings(item, mask));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, maskedStrings(item, mask)]));
}
