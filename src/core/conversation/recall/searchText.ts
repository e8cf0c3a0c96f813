import { answerText, blocksOf, callsIn, resultText, type Message } from '../../messages';
import { isObject } from '../../text/json';
import { ownWordsIn } from '../firstWords';
import { repairedMessages } from '../transcript';
import type { StoredTurn } from '../turn';

/** What the index holds of a turn: question and answer as one unit, and the names that came up in its work. */
export interface SearchText {
  readonly asked: string;
  readonly answered: string;
  /** Paths, commands, error codes, and the parts of names that are written as one word. */
  readonly names: string;
}

/** Of one column. Who wrote more than this is found by the rest of it. */
const maxChars = 20_000;
const maxNames = 200;
const maxNameChars = 200;

/** Their inputs are values that a person may want to have forgotten, or the model's own search. */
const withoutNames = new Set(['remember', 'forget', 'ask_user', 'recall', 'note']);

export function searchText(turn: Pick<StoredTurn, 'messages'>): SearchText {
  const messages = repairedMessages(turn.messages);
  const [asked, answered] = [ownWordsIn({ messages }), answerText(messages)].map((text) =>
    text.slice(0, maxChars),
  );
  const fromCalls = messages.flatMap(namesInCalls);
  const wholes = [...new Set(fromCalls)].slice(0, maxNames);
  const parts = [asked, answered, ...wholes].flatMap((text) => partsOfNames(text ?? ''));
  const names = [...wholes, ...[...new Set(parts)].slice(0, maxNames)];
  return { asked: spaced(asked ?? ''), answered: spaced(answered ?? ''), names: spaced(names.join('\n')) };
}

/**
 * Languages that write no spaces: each character is a word of its own, and what is looked for is a row of them.
 */
function spaced(text: string): string {
  return text.replaceAll(unspacedScript, ' $& ');
}

export const unspacedScript =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/gu;

/** `retryPolicy` as `retry Policy`: whoever looks for it may have the words in mind and not the name. */
export function partsOfName(name: string): string | undefined {
  const parts = name.match(/\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\d+/gu) ?? [];
  return parts.length > 1 ? parts.join(' ') : undefined;
}

/** Word by word: one expression for the whole text would take forever on a long one without spaces. */
function partsOfNames(text: string): readonly string[] {
  const names = (text.match(/\p{L}+/gu) ?? []).filter(
    (word) => word.length <= maxNameChars && isJoined.test(word),
  );
  return names.flatMap((name) => partsOfName(name) ?? []);
}

const isJoined = /\p{Ll}\p{Lu}|\p{Lu}{2}\p{Ll}/u;

function namesInCalls(message: Message): readonly string[] {
  const blocks = blocksOf(message);
  const inputs = callsIn(blocks).flatMap(({ name, input }) =>
    withoutNames.has(name) || !isObject(input) ? [] : Object.values(input).flatMap(shortTexts),
  );
  const results = blocks.flatMap((block) =>
    block.type === 'tool_result' ? namesInResult(resultText(block)) : [],
  );
  return [...inputs, ...results];
}

function shortTexts(value: unknown): readonly string[] {
  return typeof value === 'string' && value.length <= maxNameChars ? [value] : [];
}

/** Codes of errors such as `TS2345`, `ORA-00942`, `ECONNREFUSED`, and paths: people look for them as they are. */
function namesInResult(text: string): readonly string[] {
  const words = text.slice(0, maxChars).match(/[\w.@/-]+/g) ?? [];
  return words.filter((word) => word.length <= maxNameChars && isName.test(word));
}

const isName = /^[A-Z]{1,10}[-_]?\d{2,6}$|^E[A-Z]{4,}$|\w\/\w/;
