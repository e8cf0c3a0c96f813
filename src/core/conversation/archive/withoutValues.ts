import { blocksOf, type ContentBlock, type Message, withContent } from '../../messages';
import { replaceValues, weightOf } from '../../secrets/replaceValues';
import { isObject, mapTexts } from '../../text/json';
import type { Conversation, StoredTurn } from '../turn';
import { answersIn, type GivenAnswer } from './givenAnswers';

/** What says less is a word like any other: replaced wherever it stands, it would spoil the text. */
const leastWeight = 4;

/**
 * The conversation without the values of its params (M21): where one stands, in whatever form, its name stands instead.
 * The places that are made of values, what was remembered and what the user answered, lose also the short ones.
 */
export function withoutValues(conversation: Conversation): Conversation {
  const { summary, turns, summarized: _told, ...rest } = conversation;
  const answers = answersIn(turns);
  const names = namesByValue(conversation, answers);
  const mask = masking(new Map([...names].filter(([value]) => weightOf(value) >= leastWeight)));
  const masks: Masks = { mask, maskAll: masking(names), answers };
  return {
    ...rest,
    params: [],
    summarized: [],
    turns: turns.map((turn) => maskedTurn(turn, masks)),
    ...(summary && { summary: { ...summary, text: mask(summary.text) } }),
  };
}

/** The same for a text that belongs to the conversation, such as its plan. */
export function textWithoutValues(conversation: Conversation, text: string): string {
  const names = namesByValue(conversation, answersIn(conversation.turns));
  return masking(new Map([...names].filter(([value]) => weightOf(value) >= leastWeight)))(text);
}

function namesByValue(
  { params, turns, summarized }: Conversation,
  answers: readonly GivenAnswer[],
): ReadonlyMap<string, string> {
  const known = [...summarized, ...turns];
  const remembered = known
    .flatMap(({ messages }) => messages.flatMap(blocksOf))
    .flatMap((block) => (block.type === 'tool_use' && block.name === 'remember' ? [block.input] : []))
    .flatMap((input) => {
      const { name, value } = isObject(input) ? input : {};
      return typeof name === 'string' && typeof value === 'string' ? [[value.trim(), name] as const] : [];
    });
  const answered = [...answersIn(summarized), ...answers].map(
    ({ answer, param }) => [answer, param] as const,
  );
  const written = params.flatMap(({ name, value }) => (value === null ? [] : [[value, name] as const]));
  // What holds now comes last, and so gives a value its name; the others were forgotten since, or replaced.
  return new Map([...remembered, ...answered, ...written].filter(([value]) => value !== ''));
}

type Mask = (text: string) => string;

function masking(names: ReadonlyMap<string, string>): Mask {
  return replaceValues(names.keys(), (value) => `[${names.get(value) ?? ''}]`);
}

interface Masks {
  readonly mask: Mask;
  /** Also for values that are too short to be looked for in any text. */
  readonly maskAll: Mask;
  readonly answers: readonly GivenAnswer[];
}

function maskedTurn(turn: StoredTurn, masks: Masks): StoredTurn {
  const own = masks.answers.find((answer) => answer.turnId === turn.id && answer.toolUseId === undefined);
  const messages = turn.messages.map((message, index) => {
    const blocks = index === 0 && own ? withoutAnswer(message, own) : message;
    if (typeof blocks.content === 'string') return { ...blocks, content: masks.mask(blocks.content) };
    return withContent(
      blocks,
      blocks.content.map((block) => maskedBlock(block, masks)),
    );
  });
  return { ...turn, messages };
}

/** The message that answers a question: what the user wrote stands last. */
function withoutAnswer(message: Message, { param }: GivenAnswer): Message {
  if (typeof message.content === 'string') return { ...message, content: `[${param}]` };
  const last = message.content.findLastIndex(({ type }) => type === 'text');
  return withContent(
    message,
    message.content.map((block, index) =>
      index === last && block.type === 'text' ? { ...block, text: `[${param}]` } : block,
    ),
  );
}

function maskedBlock(block: ContentBlock, { mask, maskAll, answers }: Masks): ContentBlock {
  switch (block.type) {
    case 'text':
      return { ...block, text: mask(block.text) };
    case 'tool_use':
      if (block.name === 'remember') return { ...block, input: maskedMemory(block.input, maskAll) };
      return { ...block, input: mapTexts(block.input, mask) };
    case 'tool_result': {
      const { content } = block;
      const answer = answers.find(({ toolUseId }) => toolUseId === block.tool_use_id);
      if (answer) return { ...block, content: `[${answer.param}]` };
      if (content === undefined) return block;
      if (typeof content === 'string') return { ...block, content: mask(content) };
      return { ...block, content: content.map((part) => maskedPart(part, mask)) };
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
  if (!isObject(input)) return mapTexts(input, mask);
  const { name, value } = input;
  if (typeof name !== 'string' || typeof value !== 'string' || value.trim() === '') {
    return mapTexts(input, mask);
  }
  return { ...mapTexts(input, mask), name, value: `[${name}]` };
}
